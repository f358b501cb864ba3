package rag

import "encoding/json"

// Prepared is what a chat engine decided to search for. It is immutable once
// an engine has returned it.
type Prepared struct {
	Engine              string
	Status              RewriteStatus
	Reason              Reason   // empty: nothing failed
	OriginalQuery       string   // the user's words, byte for byte
	SearchQuery         string   // empty: the user's words are searched
	SearchQueries       []string // what is really searched; never empty
	RerankQuery         string
	QueryVector         []float32 // overrides the dense leg's own; not in the JSON
	LatencyMS           float64
	HistoryMessagesUsed int
	Alpha               *float64 // blend only
	ModelCalls          int
	AddedWords          []string // words taken from the conversation
	Filters             []Filter
	Warnings            []string
	Detail              string // what exactly the guard rejected, for the line under the query

	Steps   []Step      // research: every call of a tool, in order
	Ended   ResearchEnd // research: why the loop ended
	AskUser string      // research: a question to the person in place of an answer; empty: none
}

// Searched returns the first text that is searched.
func (p Prepared) Searched() string {
	if len(p.SearchQueries) > 0 {
		return p.SearchQueries[0]
	}
	return p.OriginalQuery
}

type preparedJSON struct {
	Event               string        `json:"event"`
	Engine              string        `json:"engine"`
	Status              RewriteStatus `json:"status"`
	Reason              *Reason       `json:"reason"`
	OriginalQuery       string        `json:"original_query"`
	SearchQuery         *string       `json:"search_query"`
	SearchQueries       []string      `json:"search_queries"`
	RerankQuery         string        `json:"rerank_query"`
	LatencyMS           float64       `json:"latency_ms"`
	HistoryMessagesUsed int           `json:"history_messages_used"`
	Alpha               *float64      `json:"alpha"`
	ModelCalls          int           `json:"model_calls"`
	AddedWords          []string      `json:"added_words"`
	Filters             []Filter      `json:"filters"`
	Warnings            []string      `json:"warnings"`
	Detail              *string       `json:"detail"`
	Steps               []Step        `json:"steps,omitempty"` // these three: research only
	Ended               ResearchEnd   `json:"ended,omitempty"`
	AskUser             string        `json:"ask_user,omitempty"`
}

// MarshalJSON writes the contract of `referent prepare --json`.
func (p Prepared) MarshalJSON() ([]byte, error) {
	return json.Marshal(preparedJSON{
		Event: "prepared", Engine: p.Engine, Status: p.Status, Reason: ptr(p.Reason), OriginalQuery: p.OriginalQuery,
		SearchQuery: ptr(p.SearchQuery), SearchQueries: orEmpty(p.SearchQueries), RerankQuery: p.RerankQuery,
		LatencyMS: p.LatencyMS, HistoryMessagesUsed: p.HistoryMessagesUsed, Alpha: p.Alpha, ModelCalls: p.ModelCalls,
		AddedWords: orEmpty(p.AddedWords), Filters: orEmpty(p.Filters), Warnings: orEmpty(p.Warnings), Detail: ptr(p.Detail),
		Steps: p.Steps, Ended: p.Ended, AskUser: p.AskUser,
	})
}

// UnmarshalJSON reads what MarshalJSON writes, for clients of the owner.
func (p *Prepared) UnmarshalJSON(b []byte) error {
	var j preparedJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*p = Prepared{Engine: j.Engine, Status: j.Status, Reason: value(j.Reason), OriginalQuery: j.OriginalQuery,
		SearchQuery: value(j.SearchQuery), SearchQueries: j.SearchQueries, RerankQuery: j.RerankQuery, LatencyMS: j.LatencyMS,
		HistoryMessagesUsed: j.HistoryMessagesUsed, Alpha: j.Alpha, ModelCalls: j.ModelCalls, AddedWords: j.AddedWords,
		Filters: j.Filters, Warnings: j.Warnings, Detail: value(j.Detail), Steps: j.Steps, Ended: j.Ended, AskUser: j.AskUser}
	return nil
}

// ptr returns nil for the zero value, so that an absent value is null.
func ptr[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
