package inference

import (
	"context"
	"encoding/json"
)

// Message is one chat message. Role is "system", "user" or "assistant", and
// "tool" for the result of a call where the request has Tools; an
// implementation renders it through the model's chat template. Text is data:
// control tokens and template braces in it never become structure.
type Message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Priority orders the users of one device. A lower value goes first.
type Priority int

// Interactive work goes before a rewrite, a rewrite before reranking,
// reranking before indexing.
const (
	PriorityInteractive Priority = iota
	PriorityCondense
	PriorityRerank
	PriorityIndexing
)

// CachePolicy says how much of the evaluated prompt a call may reuse.
type CachePolicy int

const (
	// CacheReuse keeps the longest common token prefix with the last call.
	CacheReuse CachePolicy = iota
	// CacheFixedCut reuses exactly the constant part (StableBytes) and
	// evaluates the rest in the same batches each time, so that greedy
	// decoding repeats bit for bit with the same thread count.
	CacheFixedCut
)

// Tool is something that a model may call in the form of its chat template. The
// reply then holds a call as <tool_call>{"name": …, "arguments": {…}}</tool_call>.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON Schema of type object
}

// GenerateRequest asks for text. Exactly one of Messages and Completion is set.
type GenerateRequest struct {
	Messages    []Message   `json:"messages"`
	Completion  string      `json:"completion"`  // plain text to be continued, no chat template
	Prefill     string      `json:"prefill"`     // beginning of the reply, already written
	MaxTokens   int         `json:"max_tokens"`  // thinking and text together; 0: 512
	Stop        []string    `json:"stop"`        // never part of the text; counted only outside think blocks
	Temperature float32     `json:"temperature"` // 0: greedy
	Seed        uint32      `json:"seed"`
	Think       bool        `json:"think"` // allow thinking where the template can switch it
	Cache       CachePolicy `json:"cache"`
	// StableBytes is the length of the constant beginning of the last
	// message's text, or of Completion. Used by CacheFixedCut.
	StableBytes int      `json:"stable_bytes"`
	Priority    Priority `json:"priority"`
	// Grammar is a grammar in GBNF, the form of llama.cpp, whose rule "root" the
	// whole reply follows, Prefill included and a think block of the template
	// aside; MaxTokens may cut it off. Empty: any text. It is only for a model
	// whose Info says Grammar; elsewhere, and where it cannot be read, the error
	// is ErrGrammar.
	Grammar string `json:"grammar,omitempty"`
	// Tools are shown to a model whose Info says ToolCalls; others are not told.
	Tools []Tool `json:"tools,omitempty"`
}

// Piece is a part of a streamed reply. Text is valid UTF-8; a character is
// never split. Reasoning marks the inside of a think block.
type Piece struct {
	Text      string `json:"text"`
	Reasoning bool   `json:"reasoning"`
}

// StopReason says why generation ended.
type StopReason string

// The closed list of stop reasons.
const (
	StopEnd       StopReason = "end"    // the model ended its turn
	StopString    StopReason = "stop"   // a stop string
	StopLength    StopReason = "length" // MaxTokens
	StopLoop      StopReason = "loop"   // the repetition stop
	StopCancelled StopReason = "cancelled"
)

// GenerateResult is the whole reply. Text excludes Prefill, think blocks and
// stop strings. Rates are tokens a second, 0 where too little was measured.
type GenerateResult struct {
	Text             string     `json:"text"`
	Reasoning        string     `json:"reasoning"`
	Stop             StopReason `json:"stop"`
	PromptTokens     int        `json:"prompt_tokens"`
	CachedTokens     int        `json:"cached_tokens"` // of PromptTokens, not evaluated again
	CompletionTokens int        `json:"completion_tokens"`
	ReasoningTokens  int        `json:"reasoning_tokens"`
	PrefillPerSecond float64    `json:"prefill_per_second"`
	DecodePerSecond  float64    `json:"decode_per_second"`
	Threads          int        `json:"threads"`
	Seed             uint32     `json:"seed"`
	Continued        bool       `json:"continued"` // the worker died once and the reply went on
	// OrphanBytes is the length of the beginning of Text that a closing think
	// tag without an opening one marked as reasoning; 0: none. The stream had
	// shown it by then, so it stays in Text; a rewrite must drop it.
	OrphanBytes int `json:"orphan_bytes"`
}

// Generator writes text.
type Generator interface {
	Info() ModelInfo
	// Generate streams to each (nil allowed) and returns the whole. It ends
	// within one token of ctx being done, with ctx's error and what was
	// written so far. An error from each stops it likewise. Errors:
	// ErrContextOverflow and ErrGrammar before anything is evaluated, ErrWorkerDied.
	Generate(ctx context.Context, req GenerateRequest, each func(Piece) error) (GenerateResult, error)
}
