package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"referent/inference"
	"referent/rag"
)

// Engine turns a question and its history into what is searched. Prepare may be
// called from any goroutine. Its error is the context's, or an *rag.Error for
// options out of range; a failed rewrite is no error but a status and a reason.
type Engine interface {
	// Name is the value of the setting chat.engine.
	Name() string
	// Sentence says to people what the engine searches with.
	Sentence() string
	Prepare(ctx context.Context, req Request, tools Tools) (rag.Prepared, error)
}

// Request is what an engine may look at. It must not be changed.
type Request struct {
	Question string
	History  []rag.Message // oldest first, without the question
	Language string        // of the question, ISO 639-1; empty: found out
	Options  Options
}

// Options are the settings of all engines.
type Options struct {
	CondenseEnabled   bool              // false turns every engine but simple into identity
	CondenseGate      bool              // rewrite only what refers back
	OnFailure         rag.FailurePolicy // empty: verbatim
	CondenseHistory   int               // messages, 0 to 20; 0: no window
	CondenseMaxChars  int               // of a rewrite, in code points; 0: 512
	CondenseMaxTokens int               // thinking and text together; 0: 512
	CondenseTimeout   time.Duration     // 0: from the model's measured rates
	ExpandWords       int               // 1 to 6; 0: 3
	BlendAlpha        *float64          // 0 to 1; nil: 0.7 in blend, not given elsewhere
	BlendHistory      string            // both | question | answer | none; empty: both
	ResearchPatience  int               // rounds without a new passage; 0: 3
	ResearchMaxRounds int               // 0: 24
	Seed              uint32
}

// Defaults are the options in force until a measurement changes them.
func Defaults() Options {
	return Options{CondenseEnabled: true, CondenseGate: true, OnFailure: rag.PolicyVerbatim, CondenseHistory: 6,
		CondenseMaxChars: 512, CondenseMaxTokens: 512, ExpandWords: 3, BlendHistory: BlendBoth,
		ResearchPatience: defaultPatience, ResearchMaxRounds: defaultRounds, Seed: 1}
}

// Corpus is what an engine may know about the library: how common a term is.
type Corpus interface {
	// DocumentFrequency returns how many chunks hold a term of Analyze.
	DocumentFrequency(term string) int
	// Analyze returns the terms under which a text's content words are indexed.
	Analyze(text string) []string
}

// Tools are what an engine may use. Each may be nil.
type Tools struct {
	Condense inference.Generator
	Tokens   inference.Tokenizer // counts as the condense model does
	Embed    inference.Embedder
	Corpus   Corpus

	Answer       inference.Generator // writes the calls of research
	AnswerTokens inference.Tokenizer // counts as the answer model does
	Library      Library             // what research searches
	Emit         func(rag.Step)      // hears of each call of research as it happens
}

// Registry holds engines by name, in order of registration. It is built before
// it is shared and then only read.
type Registry struct{ engines []Engine }

// Default returns a registry with every engine of the program.
func Default() *Registry {
	r := &Registry{}
	r.Register(simple{})
	r.Register(expand{})
	r.Register(condense{})
	r.Register(blend{})
	r.Register(research{researchTools()})
	return r
}

// Register adds an engine. A second engine of the same name replaces the first.
func (r *Registry) Register(e Engine) {
	wrapped := framed{e}
	for i, old := range r.engines {
		if old.Name() == e.Name() {
			r.engines[i] = wrapped
			return
		}
	}
	r.engines = append(r.engines, wrapped)
}

// Names lists the engines in order of registration.
func (r *Registry) Names() []string {
	names := make([]string, len(r.engines))
	for i, e := range r.engines {
		names[i] = e.Name()
	}
	return names
}

// Lookup returns an engine. An unknown name is an *rag.Error that lists the names.
func (r *Registry) Lookup(name string) (Engine, error) {
	for _, e := range r.engines {
		if e.Name() == name {
			return e, nil
		}
	}
	return nil, &rag.Error{Code: rag.CodeUnknownChatEngine,
		Message: fmt.Sprintf("There is no chat engine %q.", name),
		Hint:    "Engines: " + strings.Join(r.Names(), ", ") + "."}
}

// framed does what every engine has in common.
type framed struct{ Engine }

// Prepare implements Engine.
func (f framed) Prepare(ctx context.Context, req Request, tools Tools) (rag.Prepared, error) {
	if err := ctx.Err(); err != nil {
		return rag.Prepared{}, err
	}
	if err := req.Options.check(); err != nil {
		return rag.Prepared{}, err
	}
	start := time.Now()
	req.History = Earlier(req.History, req.Question)
	p, err := f.Engine.Prepare(ctx, req, tools)
	if err != nil {
		return rag.Prepared{}, err
	}
	p.Engine = f.Name()
	p.OriginalQuery = req.Question
	if len(p.SearchQueries) == 0 {
		p.SearchQueries = []string{req.Question}
	}
	if p.RerankQuery == "" {
		p.RerankQuery = req.Question
	}
	p.SearchQueries = slices.Clone(p.SearchQueries)
	p.LatencyMS = float64(time.Since(start).Microseconds()) / 1000
	return p, nil
}

func (o Options) check() error {
	bad := func(key, format string, args ...any) error {
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: key + " " + fmt.Sprintf(format, args...)}
	}
	switch {
	case o.CondenseHistory < 0:
		return bad("condense.history", "is %d. It must be 0 or more.", o.CondenseHistory)
	case o.CondenseMaxChars < 0:
		return bad("condense.max_chars", "is %d. It must be more than 0.", o.CondenseMaxChars)
	case o.CondenseMaxTokens < 0:
		return bad("condense.max_tokens", "is %d. It must be more than 0.", o.CondenseMaxTokens)
	case o.ResearchPatience < 0:
		return bad("research.patience", "is %d. It must be more than 0.", o.ResearchPatience)
	case o.ResearchMaxRounds < 0:
		return bad("research.max_rounds", "is %d. It must be more than 0.", o.ResearchMaxRounds)
	case o.ExpandWords < 0:
		return bad("expand.words", "is %d. It must be between 1 and 6.", o.ExpandWords)
	case !slices.Contains([]rag.FailurePolicy{"", rag.PolicyExpand, rag.PolicyVerbatim, rag.PolicyStop}, o.OnFailure):
		return bad("condense.on_failure", "is %q. Policies: expand, verbatim, stop.", o.OnFailure)
	case !slices.Contains([]string{"", BlendBoth, BlendQuestion, BlendAnswer, BlendNone}, o.BlendHistory):
		return bad("blend.history", "is %q. Values: both, question, answer, none.", o.BlendHistory)
	}
	return nil
}

// Earlier returns the history without the current question, in case it is
// stored already: a last message of the person with the same words.
func Earlier(history []rag.Message, question string) []rag.Message {
	if n := len(history); n > 0 && history[n-1].Role != roleAssistant && history[n-1].Text == question {
		return history[:n-1]
	}
	return history
}
