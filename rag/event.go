package rag

import "encoding/json"

// Event is one thing that happens in a turn. The order is fixed: Step*,
// Prepared, Retrieval, (Reasoning | Token | Stats)*, then Done or Failed.
type Event interface {
	// EventName is the value of "event" in the JSON form.
	EventName() string
}

// Step is one call of a research tool, sent as it happens and kept with the
// turn. Arguments is a JSON object with sorted keys.
type Step struct {
	N          int             `json:"n"` // from 1
	Tool       string          `json:"tool"`
	Arguments  json.RawMessage `json:"arguments"`
	Hits       int             `json:"hits"`        // passages above the floor, or documents of a list
	RepeatedOf *int            `json:"repeated_of"` // the step that ran the same read; this one was not run
}

// Retrieval is the evidence as packed, sent before the first token.
type Retrieval struct {
	Hits            []Hit   `json:"hits"`
	BudgetTokens    int     `json:"budget_tokens"`
	PackedTokens    int     `json:"packed_tokens"`
	Floor           float64 `json:"floor"` // the dense floor in force, a cosine
	RestrictedCount int     `json:"restricted_count"`
	// Notes are sentences for people: what could not be searched or used.
	Notes []string `json:"notes"`
}

// MarshalJSON writes a list of notes also where there are none.
func (r Retrieval) MarshalJSON() ([]byte, error) {
	type plain Retrieval // without this method
	r.Notes = orEmpty(r.Notes)
	return json.Marshal(plain(r))
}

// Token is text of the answer; Done carries the authoritative whole.
type Token struct {
	Text string `json:"text"`
}

// Reasoning is text of a think block.
type Reasoning struct {
	Text string `json:"text"`
}

// Stats is sent at most every 250 ms while tokens stream.
type Stats struct {
	TokensPerSecond float64 `json:"tokens_per_second"`
	PromptTokens    int     `json:"prompt_tokens"`
	CachedTokens    int     `json:"cached_tokens"`
}

// Citation is a checked pointer from the answer to a passage. Start and End are
// the cited span in the passage's text, AnswerStart and AnswerEnd the marker in
// the answer; code points.
type Citation struct {
	N           int   `json:"n"`
	Chunk       int64 `json:"chunk"`
	Start       int   `json:"start"`
	End         int   `json:"end"`
	AnswerStart int   `json:"answer_start"`
	AnswerEnd   int   `json:"answer_end"`
}

// Source is a passage that the answer cites.
type Source struct {
	N        int     `json:"n"`
	Chunk    int64   `json:"chunk"`
	Document int64   `json:"document"`
	Path     string  `json:"path"`
	Title    string  `json:"title"`
	Heading  string  `json:"heading"`
	Locator  Locator `json:"locator"`
}

// CheckStatus is the verdict of the answer check.
type CheckStatus string

// The closed list of check verdicts.
const (
	CheckSupported CheckStatus = "supported"
	CheckFlagged   CheckStatus = "flagged"
	CheckRefused   CheckStatus = "refused"
	CheckQuoted    CheckStatus = "quoted"
	CheckWithheld  CheckStatus = "withheld"
	CheckUnchecked CheckStatus = "unchecked"
)

// Issue is one finding of the check. Start and End are in the answer.
type Issue struct {
	Kind  string `json:"kind"` // citation | number | date | name | support | other_thing | quotation | history_only
	Text  string `json:"text"`
	Found string `json:"found,omitempty"` // other_thing: what the passage names instead
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// AnswerCheck is the verdict with its findings and what was counted.
type AnswerCheck struct {
	Status    CheckStatus `json:"status"`
	Issues    []Issue     `json:"issues"`
	Citations int         `json:"citations"` // that hold
	Values    int         `json:"values"`    // numbers, dates and names found in the evidence
}

// Usage counts tokens.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CachedTokens     int `json:"cached_tokens"`
	CompletionTokens int `json:"completion_tokens"`
}

// Latency is the time of each stage in milliseconds.
type Latency struct {
	Prepare  float64 `json:"prepare"`
	Retrieve float64 `json:"retrieve"`
	Rerank   float64 `json:"rerank"`
	Pack     float64 `json:"pack"`
	Generate float64 `json:"generate"`
	Check    float64 `json:"check"`
	Total    float64 `json:"total"`
}

// Done ends an answered turn; Answer replaces what was streamed.
type Done struct {
	Conversation    *int64      `json:"conversation"`
	Turn            *int64      `json:"turn"`
	Answer          string      `json:"answer"`
	Citations       []Citation  `json:"citations"`
	Sources         []Source    `json:"sources"`
	AnswerCheck     AnswerCheck `json:"answer_check"`
	Usage           Usage       `json:"usage"`
	LatencyMS       Latency     `json:"latency_ms"`
	TokensPerSecond *float64    `json:"tokens_per_second"`
	Seed            *uint32     `json:"seed"`
	Threads         *int        `json:"threads"`
	Mode            AnswerMode  `json:"mode"`
	Continued       bool        `json:"continued"`
	// Quotes are the best sentences of the evidence, quoted and cited, beside
	// what a small model has written; nil: none.
	Quotes *string `json:"quotes"`
}

// Failed ends a turn that has no answer.
type Failed struct {
	Err *Error
}

func (Step) EventName() string      { return "step" }
func (Prepared) EventName() string  { return "prepared" }
func (Retrieval) EventName() string { return "retrieval" }
func (Token) EventName() string     { return "token" }
func (Reasoning) EventName() string { return "reasoning" }
func (Stats) EventName() string     { return "stats" }
func (Done) EventName() string      { return "done" }
func (Failed) EventName() string    { return "error" }

// MarshalEvent writes an event as one JSON object with "event" first.
func MarshalEvent(e Event) ([]byte, error) {
	var body any = e
	if f, ok := e.(Failed); ok {
		body = struct {
			Code    Code    `json:"code"`
			Reason  *Reason `json:"reason"`
			Message string  `json:"message"`
			Hint    *string `json:"hint"`
		}{f.Err.Code, ptr(f.Err.Reason), f.Err.Message, ptr(f.Err.Hint)}
	}
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	if e.EventName() == "prepared" { // carries its name already
		return b, nil
	}
	head, err := json.Marshal(e.EventName())
	if err != nil {
		return nil, err
	}
	out := append([]byte(`{"event":`), head...)
	if len(b) > 2 {
		out = append(out, ',')
	}
	return append(out, b[1:]...), nil
}

// UnmarshalEvent reads what MarshalEvent wrote.
func UnmarshalEvent(b []byte) (Event, error) {
	var head struct {
		Event string `json:"event"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, err
	}
	switch head.Event {
	case "step":
		return decode[Step](b)
	case "prepared":
		return decode[Prepared](b)
	case "retrieval":
		return decode[Retrieval](b)
	case "token":
		return decode[Token](b)
	case "reasoning":
		return decode[Reasoning](b)
	case "stats":
		return decode[Stats](b)
	case "done":
		return decode[Done](b)
	case "error":
		e, err := decode[Error](b)
		if err != nil {
			return nil, err
		}
		return Failed{Err: &e}, nil
	}
	return nil, &Error{Code: CodeInternal, Message: "An unknown event was received.", Hint: "Both programs must be of the same version."}
}

func decode[T any](b []byte) (T, error) {
	var v T
	err := json.Unmarshal(b, &v)
	return v, err
}
