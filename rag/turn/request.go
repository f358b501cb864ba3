package turn

import (
	"time"

	"referent/rag"
	"referent/rag/engine"
)

// Request is one question with everything that decides its turn.
type Request struct {
	Question    string        // answered byte for byte
	History     []rag.Message // oldest first, without the question
	Engine      string        // empty: simple
	Retriever   string        // empty: the retrievers' default
	Mode        rag.AnswerMode
	Scope       rag.Scope
	Filters     []rag.Filter
	EditedQuery string   // searched in place of what an engine would choose
	OwnWords    bool     // search the question, whatever the engine
	Given       *Given   // answer from this, and search nothing
	Notes       []string // sentences for people about the request itself
	Options     Options
}

// Given is what an earlier turn searched for and found.
type Given struct {
	Prepared        rag.Prepared
	Hits            []rag.Hit // not packed yet, PassedFloor as it was
	Floor           float64
	RestrictedCount int
	Notes           []string // sentences for people
}

// Options are the settings of a turn.
type Options struct {
	engine.Options
	GenerationHistory int     // newest messages that the answer model sees; 0: none
	K                 int     // hits; 0: 8
	PerDocument       int     // hits of one document; 0: 5
	HintExtras        int     // hits beyond a guessed filter
	EvidenceBudget    int     // most evidence tokens; 0: the default of package pack
	EvidenceSeconds   float64 // wished time to the first token; 0: not bounded
	AnswerMaxTokens   int     // 0: 512
	Compress          bool
	CompressKeepTop   int    // best hits that stay verbatim as far as they fit
	Fusion            string // rrf | convex; empty: rrf
}

// Defaults are the options in force until a measurement changes them.
func Defaults() Options {
	return Options{Options: engine.Defaults(), K: 8, PerDocument: 5, HintExtras: 3, EvidenceSeconds: 4,
		AnswerMaxTokens: 512, CompressKeepTop: 8, Fusion: "rrf"}
}

// Outcome is everything that a turn produced. After a failure Failed is set and
// the parts that were not reached are zero.
type Outcome struct {
	Request   Request
	Prepared  rag.Prepared
	Retriever string
	Retrieval rag.Retrieval
	Done      rag.Done
	Reasoning string   // what the model thought; shown, never evidence
	Notes     []string // sentences for people: what could not be used
	Failed    *rag.Error
	Started   time.Time
	Spans     []Span // one for every stage, in order
}

// Evidence lists the packed hits by number.
func (o *Outcome) Evidence() []rag.Hit {
	var out []rag.Hit
	for _, h := range o.Retrieval.Hits {
		if h.Packing == rag.Packed {
			out = append(out, h)
		}
	}
	return out
}
