package app

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"referent/rag"
	"referent/storage/chats"
)

// Bounds of a conversation that is taken in, so that no file can fill the disk
// or a page.
const (
	// ImportBytes is the longest file.
	ImportBytes = 64 << 20
	importTurns = 2000
	importText  = 1 << 20 // bytes of one question or answer
)

// Imported is a conversation as it would be taken in.
type Imported struct {
	Title     string   `json:"title"`
	Turns     int      `json:"turns"`
	Passages  int      `json:"passages"` // stored with the answers
	First     string   `json:"first"`    // when the first question was asked; RFC 3339
	Last      string   `json:"last"`
	Questions []string `json:"questions"` // all of them, in order
	Withheld  int      `json:"withheld"`  // turns whose answer was not in the file
}

// ReadConversation reads a file that the export to JSON has written and says
// what it holds, or why it is none. It stores nothing.
func ReadConversation(body []byte) (ConversationDetail, Imported, error) {
	var d ConversationDetail
	if len(body) > ImportBytes {
		return d, Imported{}, notImported("It is longer than 64 MB.", nil)
	}
	if err := json.Unmarshal(body, &d); err != nil {
		return d, Imported{}, notImported("It is not what the export to JSON writes.", err)
	}
	if len(d.Turns) == 0 || len(d.Turns) > importTurns {
		return d, Imported{}, notImported(fmt.Sprintf("It holds %d questions; from 1 to %d are taken.", len(d.Turns), importTurns), nil)
	}
	about := Imported{Title: cutTitle(d.Conversation.Title), Turns: len(d.Turns), Questions: []string{}}
	for i, t := range d.Turns {
		if wrong := wrongTurn(t); wrong != "" {
			return d, Imported{}, notImported(fmt.Sprintf("Question %d %s", i+1, wrong), nil)
		}
		about.Questions = append(about.Questions, t.Question)
		about.Passages += len(t.Retrieval.Hits)
		if t.Withheld {
			about.Withheld++
		}
	}
	if about.Title == "" {
		about.Title = cutTitle(d.Turns[0].Question)
	}
	about.First, about.Last = d.Turns[0].Created, d.Turns[len(d.Turns)-1].Created
	return d, about, nil
}

// wrongTurn says what keeps a turn from being taken; empty: nothing.
func wrongTurn(t StoredTurn) string {
	switch {
	case strings.TrimSpace(t.Question) == "":
		return "is empty."
	case len(t.Question) > importText || len(t.Done.Answer) > importText:
		return "or its answer is longer than 1 MB."
	case !utf8.ValidString(t.Question) || !utf8.ValidString(t.Done.Answer):
		return "or its answer is not readable text."
	}
	if _, err := time.Parse(time.RFC3339, t.Created); err != nil {
		return "has no time."
	}
	numbers := map[int]bool{}
	for _, h := range t.Retrieval.Hits {
		if h.N < 0 || h.N > 0 && numbers[h.N] {
			return "has two passages with one number."
		}
		numbers[h.N] = true
	}
	return ""
}

func notImported(why string, cause error) error {
	return &rag.Error{Code: rag.CodeInvalidSetting, Message: "This file cannot be imported. " + why, Hint: "Choose a file that “Export as JSON” has written.", Cause: cause}
}

// ImportConversation implements UseCases. The turns become those of a new
// conversation. Passages are kept as text and belong to no document of this
// library: they may come from another one, whose numbers mean other files here.
// What is restricted here is withheld at once.
func (a *App) ImportConversation(ctx context.Context, text string) (Conversation, error) {
	d, about, err := ReadConversation([]byte(text))
	if err != nil {
		return Conversation{}, err
	}
	c := chats.Conversation{Title: about.Title}
	var id int64
	var turns []int64
	for i, t := range d.Turns {
		row := importedRow(t)
		if i == 0 {
			row, err = a.chats.SaveFirstTurn(ctx, c, row)
			id = row.Conversation
		} else {
			row.Conversation = id
			row, err = a.chats.SaveTurn(ctx, row)
		}
		if err != nil {
			return Conversation{}, a.takeBackImport(ctx, id, err)
		}
		turns = append(turns, row.ID)
	}
	if _, err := a.withholdTurns(ctx, turns...); err != nil {
		return Conversation{}, a.takeBackImport(ctx, id, err)
	}
	made, _, err := a.chats.Conversation(ctx, id)
	a.changed()
	return conversation(made), storageError(err)
}

// takeBackImport leaves no part of a conversation that was not taken whole.
func (a *App) takeBackImport(ctx context.Context, id int64, cause error) error {
	if id != 0 {
		if err := a.chats.DeleteConversation(context.WithoutCancel(ctx), id); err != nil {
			a.config.Log("an import was not taken back: " + err.Error())
		}
	}
	return storageError(cause)
}

// importedRow is a turn of a file as it is stored here: its passages and
// documents get numbers below zero, which no library gives away. Each passage
// has its own, whatever the file says.
func importedRow(t StoredTurn) chats.Turn {
	cited := map[int]int64{} // by citation number
	documents := map[int64]int64{}
	document := func(id int64) int64 {
		if documents[id] == 0 {
			documents[id] = -int64(len(documents) + 1)
		}
		return documents[id]
	}
	t.Retrieval.Hits = slices.Clone(t.Retrieval.Hits)
	for i := range t.Retrieval.Hits {
		h := &t.Retrieval.Hits[i]
		h.Chunk, h.Document, h.DuplicateOf = -int64(i+1), document(h.Document), 0
		cited[h.N] = h.Chunk
	}
	t.Done.Citations = slices.Clone(t.Done.Citations)
	for i := range t.Done.Citations {
		t.Done.Citations[i].Chunk = cited[t.Done.Citations[i].N]
	}
	t.Done.Sources = slices.Clone(t.Done.Sources)
	for i := range t.Done.Sources {
		source := &t.Done.Sources[i]
		source.Chunk, source.Document = cited[source.N], document(source.Document)
	}
	row := turnRow(t.Question, t.Prepared, t.Retrieval, t.Done)
	row.Created, _ = time.Parse(time.RFC3339, t.Created) // was read before
	return row
}
