package public

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"referent/app"
	"referent/app/api/wire"
	"referent/app/setting"
	"referent/rag"
)

// Filter is a condition of a caller. It is always hard: only the chat's own
// guesses are hints.
type Filter struct {
	Field string   `json:"field"`
	Op    string   `json:"op"`
	Value []string `json:"value"`
}

// Ask is a question with everything that may override the settings. A zero
// field leaves the stored value in force.
type Ask struct {
	Question     string            `json:"question"`
	Conversation *int64            `json:"conversation"` // go on with it; excludes History
	History      []rag.Message     `json:"history"`
	Engine       string            `json:"engine"`
	Retriever    string            `json:"retriever"`
	Mode         string            `json:"mode"`
	Scope        rag.Scope         `json:"scope"`
	Filters      []Filter          `json:"filters"`
	EditedQuery  string            `json:"edited_query"`
	OwnWords     bool              `json:"own_words"`
	Settings     map[string]string `json:"settings"`
	Store        bool              `json:"store"`
}

// roles of messages that are no part of a conversation between a person and the
// program; they are left out. Every other unknown role counts as the person's.
var foreign = []string{"system", "developer", "tool", "function"}

// request turns the question into one of the use cases, the cheapest test
// first.
func (v *View) request(ctx context.Context, a Ask) (req app.AskRequest, err error) {
	if strings.TrimSpace(a.Question) == "" {
		return req, wire.Invalid("question is empty.")
	}
	if a.Conversation != nil && len(a.History) > 0 {
		return req, wire.Invalid("conversation and history exclude each other.")
	}
	if a.Store && len(a.History) > 0 {
		return req, wire.Invalid("A turn with history of its own is not stored. Leave store out, or name a conversation.")
	}
	for _, name := range []struct {
		code             rag.Code
		value, key, what string
	}{{rag.CodeUnknownChatEngine, a.Engine, "chat.engine", "chat engine"}, {rag.CodeUnknownRetriever, a.Retriever, "retrieve.retriever", "retriever"},
		{rag.CodeUnknownMode, a.Mode, "chat.mode", "answer mode"}} {
		if err := known(name.code, name.value, name.key, name.what); err != nil {
			return req, err
		}
	}
	if _, err := setting.ValidateAll(a.Settings); err != nil {
		return req, err
	}
	req = app.AskRequest{Question: a.Question, Conversation: a.Conversation, Engine: a.Engine, Retriever: a.Retriever, Mode: a.Mode, Scope: a.Scope,
		EditedQuery: a.EditedQuery, OwnWords: a.OwnWords, Set: a.Settings, NoStore: !a.Store && a.Conversation == nil, Guest: true}
	for _, f := range a.Filters {
		filter, err := rag.NewFilter(f.Field, f.Op, f.Value, rag.OwnerUser)
		if err != nil {
			return req, err
		}
		req.Filters = append(req.Filters, filter)
	}
	req.History, _ = conversation(a.History)
	req.GivenHistory = len(req.History) > 0
	if err := v.checkCollections(ctx, a.collections()); err != nil {
		return req, err
	}
	if a.Conversation != nil {
		err = v.checkConversation(ctx, *a.Conversation)
	}
	return req, err
}

// collections are the names of collections that the caller narrows by, in either
// way.
func (a Ask) collections() []string {
	names := slices.Clone(a.Scope.Collections)
	for _, f := range a.Filters {
		if f.Field == "collection" {
			names = append(names, f.Value...)
		}
	}
	return names
}

// known refuses a name that is not among the options of its setting.
func known(code rag.Code, value, key, what string) error {
	if value == "" {
		return nil
	}
	s, ok := setting.Lookup(key)
	if !ok {
		return fmt.Errorf("no setting %s", key)
	}
	options := slices.DeleteFunc(slices.Clone(s.Options), func(o string) bool { return o == setting.Auto })
	if slices.Contains(options, value) {
		return nil
	}
	return &rag.Error{Code: code, Message: fmt.Sprintf("There is no %s %q.", what, value), Hint: "There are: " + strings.Join(options, ", ") + "."}
}

// Engines lists the chat engines.
func Engines() []string {
	s, _ := setting.Lookup("chat.engine")
	return slices.Clone(s.Options)
}

// Notes are sentences about what was left out of the request.
func (a Ask) Notes() []string {
	_, notes := conversation(a.History)
	return append([]string{}, notes...)
}

// conversation is the history as a pair of role and text can carry it.
func conversation(given []rag.Message) (history []rag.Message, notes []string) {
	dropped := map[string]bool{}
	for _, m := range given {
		role := strings.ToLower(strings.TrimSpace(m.Role))
		switch {
		case slices.Contains(foreign, role):
			if !dropped[role] {
				notes = append(notes, fmt.Sprintf("Messages of the role %s were left out. Referent writes its own rules.", role))
			}
			dropped[role] = true
			continue
		case role != "assistant":
			role = "user"
		}
		history = append(history, rag.Message{Role: role, Text: m.Text})
	}
	return history, notes
}

// Ask runs one turn. emit gets the events in their order, in this goroutine;
// its error ends the turn. The last event of an answered turn is Done; a
// failure is returned and not emitted.
func (v *View) Ask(ctx context.Context, visit *Visit, a Ask, emit func(rag.Event) error) error {
	req, err := v.request(ctx, a)
	if err != nil {
		return err
	}
	leave, err := v.asks.Enter(ctx, visit.Client)
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithCancel(ctx)
	events := newRelay()
	go func() {
		events.end(v.use.Ask(ctx, req, events.add))
	}()
	failed := events.each(func(e rag.Event) error {
		switch e := e.(type) {
		case rag.Failed:
			return nil // the error of the call says the same
		case rag.Retrieval:
			if err := v.mayGive(ctx, e.Hits); err != nil {
				return err
			}
			visit.gaveHits(e.Hits)
		}
		return emit(e)
	}, cancel)
	cancel()
	if failed != nil {
		return failed
	}
	return events.err
}

// mayGive refuses evidence that became restricted after it was found.
func (v *View) mayGive(ctx context.Context, hits []rag.Hit) error {
	ids := make([]int64, 0, len(hits))
	for _, h := range hits {
		ids = append(ids, h.Document)
	}
	slices.Sort(ids)
	labels, err := v.use.Labels(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for _, label := range labels {
		if label != string(rag.LabelPublic) {
			return &wire.Failure{Code: wire.CodeWithheld, Message: "What was found is restricted now.", Hint: "Ask again."}
		}
	}
	return nil
}

// Prepare says what would be searched.
func (v *View) Prepare(ctx context.Context, visit *Visit, a Ask) (rag.Prepared, error) {
	req, err := v.request(ctx, a)
	if err != nil {
		return rag.Prepared{}, err
	}
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return rag.Prepared{}, err
	}
	defer leave()
	return v.use.Prepare(ctx, req)
}

// Found is what a search found.
type Found struct {
	Prepared        rag.Prepared `json:"prepared"`
	Hits            []rag.Hit    `json:"hits"`
	Floor           float64      `json:"floor"`
	RestrictedCount int          `json:"restricted_count"`
	Retriever       string       `json:"retriever"`
	LatencyMS       float64      `json:"latency_ms"`
	Notes           []string     `json:"notes"`
}

// Search finds passages.
func (v *View) Search(ctx context.Context, visit *Visit, a Ask) (Found, error) {
	req, err := v.request(ctx, a)
	if err != nil {
		return Found{}, err
	}
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return Found{}, err
	}
	defer leave()
	r, err := v.use.Search(ctx, req)
	if err == nil {
		err = v.mayGive(ctx, r.Hits)
	}
	if err != nil {
		return Found{}, err
	}
	visit.gaveHits(r.Hits)
	return Found{Prepared: r.Prepared, Hits: append([]rag.Hit{}, r.Hits...), Floor: r.Floor, RestrictedCount: r.RestrictedCount, Retriever: r.Retriever,
		LatencyMS: r.LatencyMS, Notes: append(a.Notes(), r.Notes...)}, nil
}
