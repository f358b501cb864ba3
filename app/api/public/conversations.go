package public

import (
	"context"
	"encoding/json"
	"slices"

	"referent/app"
	"referent/app/api/wire"
	"referent/rag"
)

// Conversation is one row of the list.
type Conversation struct {
	ID      int64  `json:"id"`
	Title   string `json:"title"`
	Created string `json:"created"`
	Updated string `json:"updated"`
	Turns   int    `json:"turns"`
}

// Turn is a stored turn as its events. Withheld: it rests on content that is
// restricted now or has left the library, and nothing of it is given.
type Turn struct {
	ID        int64
	Ordinal   int
	Created   string
	Withheld  bool
	Question  string
	Prepared  rag.Prepared
	Retrieval rag.Retrieval
	Done      rag.Done
}

// MarshalJSON writes the parts as events, null where they are withheld.
func (t Turn) MarshalJSON() ([]byte, error) {
	var out struct {
		ID        int64           `json:"id"`
		Ordinal   int             `json:"ordinal"`
		Created   string          `json:"created"`
		Withheld  bool            `json:"withheld"`
		Question  *string         `json:"question"`
		Prepared  json.RawMessage `json:"prepared"`
		Retrieval json.RawMessage `json:"retrieval"`
		Done      json.RawMessage `json:"done"`
	}
	out.ID, out.Ordinal, out.Created, out.Withheld = t.ID, t.Ordinal, t.Created, t.Withheld
	if !t.Withheld {
		out.Question = &t.Question
		for _, part := range []struct {
			to *json.RawMessage
			e  rag.Event
		}{{&out.Prepared, t.Prepared}, {&out.Retrieval, t.Retrieval}, {&out.Done, t.Done}} {
			raw, err := rag.MarshalEvent(part.e)
			if err != nil {
				return nil, err
			}
			*part.to = raw
		}
	}
	return json.Marshal(out)
}

// ConversationTurns is a conversation with its turns.
type ConversationTurns struct {
	Conversation Conversation `json:"conversation"`
	Turns        []Turn       `json:"turns"`
}

func row(c app.Conversation) Conversation {
	return Conversation{ID: c.ID, Title: c.Title, Created: c.Created, Updated: c.Updated, Turns: c.Turns}
}

// Conversations lists conversations. Titles are the person's own words.
func (v *View) Conversations(ctx context.Context, limit int) ([]Conversation, error) {
	found, err := v.use.Conversations(ctx, limit)
	if err != nil {
		return nil, err
	}
	out := []Conversation{}
	for _, c := range found {
		out = append(out, row(c))
	}
	return out, nil
}

// Conversation returns a conversation with what may be given of its turns.
func (v *View) Conversation(ctx context.Context, visit *Visit, id int64) (ConversationTurns, error) {
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return ConversationTurns{}, err
	}
	defer leave()
	found, withheld, err := v.turns(ctx, id)
	if err != nil {
		return ConversationTurns{}, err
	}
	out := ConversationTurns{Conversation: row(found.Conversation), Turns: []Turn{}}
	for i, t := range found.Turns {
		turn := Turn{ID: t.ID, Ordinal: t.Ordinal, Created: t.Created, Withheld: withheld[i]}
		if !withheld[i] {
			turn.Question, turn.Prepared, turn.Retrieval, turn.Done = t.Question, t.Prepared, t.Retrieval, t.Done
			visit.gaveHits(t.Retrieval.Hits)
		}
		out.Turns = append(out.Turns, turn)
	}
	return out, nil
}

// turns reads a conversation and tells which of its turns rest on content that
// may not be given: its text is gone from the evidence, or its document is not
// public. A document that has left the library may be in it again, restricted,
// under another number.
func (v *View) turns(ctx context.Context, id int64) (app.ConversationDetail, []bool, error) {
	found, err := v.use.Conversation(ctx, id)
	if err != nil {
		return found, nil, err
	}
	var ids []int64
	for _, t := range found.Turns {
		for _, h := range t.Retrieval.Hits {
			ids = append(ids, h.Document)
		}
		for _, s := range t.Done.Sources {
			ids = append(ids, s.Document)
		}
	}
	slices.Sort(ids)
	public, err := v.public(ctx, slices.Compact(ids)...)
	if err != nil {
		return found, nil, err
	}
	withheld := make([]bool, len(found.Turns))
	for i, t := range found.Turns {
		withheld[i] = t.Withheld
		for _, h := range t.Retrieval.Hits {
			withheld[i] = withheld[i] || h.Text == "" || !public[h.Document]
		}
		for _, s := range t.Done.Sources {
			withheld[i] = withheld[i] || !public[s.Document]
		}
		// A later turn may have taken words of an earlier one into its search
		// and its answer.
		withheld[i] = withheld[i] || i > 0 && withheld[i-1]
	}
	return found, withheld, nil
}

// checkConversation refuses to go on with a conversation whose history holds
// what is restricted.
func (v *View) checkConversation(ctx context.Context, id int64) error {
	_, withheld, err := v.turns(ctx, id)
	if err != nil {
		return err
	}
	for _, w := range withheld {
		if w {
			return &wire.Failure{Code: wire.CodeWithheld, Message: "This conversation rests on content that is restricted now or has left the library.", Hint: "Go on with it in the window, or begin a new one."}
		}
	}
	return nil
}
