package lab

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/engine"
	"referent/rag/retrieve"
	"referent/rag/turn"
)

// The names under which engines are measured beside their own.
const (
	Ungated          = "condense_context_ungated" // rewrites every question that has a history
	ReferenceRewrite = "reference"                // no engine: searches the rewrite of the set
)

const (
	condense = "condense_context"
	research = "research"
)

// costOrder is from the cheapest engine to the dearest.
var costOrder = []string{"simple", "expand", "blend", condense, Ungated, research}

// Engines lists what can be measured, by rising cost: every engine of the
// program, one whose cost is not known as the dearest.
func Engines() []string {
	names := slices.Clone(costOrder)
	for _, name := range engine.Default().Names() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Retrievers lists the ways to search, by rising cost.
func Retrievers() []string {
	return []string{retrieve.BM25, retrieve.Dense, retrieve.Hybrid, retrieve.Reranked}
}

// asksModel tells whether an engine generates text.
func asksModel(name string) bool { return name == condense || name == Ungated || name == research }

// rolesOf lists the models that an engine and a retriever cannot do without.
func rolesOf(name, retriever string) (rewriting, searching []inference.Role) {
	switch name {
	case condense, Ungated:
		rewriting = []inference.Role{inference.RoleCondense}
	case research:
		rewriting = []inference.Role{inference.RoleAnswer}
	case "blend":
		rewriting = []inference.Role{inference.RoleEmbed}
	}
	switch retriever {
	case retrieve.Dense, retrieve.Hybrid:
		searching = []inference.Role{inference.RoleEmbed}
	case retrieve.Reranked:
		searching = []inference.Role{inference.RoleEmbed, inference.RoleRerank}
	}
	return rewriting, searching
}

// byMeaning tells whether a retriever needs vectors.
func byMeaning(retriever string) bool {
	return retriever != retrieve.BM25 && retriever != NoRetriever
}

// condenseTimeout is so long that a slow machine measures quality all the same;
// the time is recorded.
const condenseTimeout = 60 * time.Second

// Pinned are the settings of every measurement, whatever is set in the program.
func Pinned() turn.Options {
	o := turn.Defaults()
	o.CondenseTimeout = condenseTimeout
	o.EvidenceSeconds = 0 // how much a model reads is not for the machine to say
	return o
}

// settings is how a run records what was pinned.
func settings() map[string]any {
	raw, err := json.Marshal(Pinned())
	out := map[string]any{}
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		panic("lab: options are plain values: " + err.Error())
	}
	return out
}

// Models hands out what is loaded; inference.Host does.
type Models interface {
	Generator(role inference.Role) (inference.Generator, error)
	Tokenizer(role inference.Role) (inference.Tokenizer, error)
	Embedder() (inference.Embedder, error)
	Reranker() (inference.Reranker, error)
}

// Search is one question to a system, with nothing stored.
type Search struct {
	Question  Question
	Engine    string
	Retriever string
	K         int
	// PerDocument raises the limit of the settings where the right passages are
	// of one long document.
	PerDocument int
	Stored      *rag.Prepared // what an earlier item prepared; nil: nothing
}

// System is the product as the lab sees it.
type System interface {
	// Search prepares the query and returns the best hits, ranked.
	Search(ctx context.Context, s Search) (rag.Prepared, []rag.Hit, error)
}

// bench is the System over a shelf: the stages of a turn up to retrieval.
type bench struct {
	shelf  *Shelf
	deps   turn.Deps
	models Models
	cost   *cost
}

// newBench wires a turn to a shelf. Without passages only rewrites are made.
// Vectors of what is searched are kept; those that an engine asks for are not,
// since their time is its own.
func newBench(s *Shelf, m Models, kept *queryVectors) bench {
	engines := &engine.Registry{}
	for _, name := range engine.Default().Names() {
		if e, err := engine.Default().Lookup(name); err == nil {
			engines.Register(replaying{e})
		}
	}
	c := &cost{}
	found := retrieve.New(retrieve.Deps{Snapshot: s.index.Snapshot, Store: s, Embedder: func() (inference.Embedder, error) {
		e, err := m.Embedder()
		if err != nil {
			return nil, err
		}
		return kept.over(e, func() { c.embedded = true }), nil
	}, Reranker: m.Reranker})
	deps := turn.Deps{Engines: engines, Retrievers: found, Embed: m.Embedder, List: found.List,
		Answer:         func() (inference.Generator, error) { return c.counted(m.Generator(inference.RoleAnswer)) },
		Condense:       func() (inference.Generator, error) { return c.counted(m.Generator(inference.RoleCondense)) },
		Tokens:         func() (inference.Tokenizer, error) { return m.Tokenizer(inference.RoleAnswer) },
		CondenseTokens: func() (inference.Tokenizer, error) { return m.Tokenizer(inference.RoleCondense) }}
	if len(s.chunks) > 0 {
		deps.Corpus = found.Corpus()
	}
	return bench{s, deps, m, c}
}

// Search implements System.
func (b bench) Search(ctx context.Context, s Search) (rag.Prepared, []rag.Hit, error) {
	req := turn.Request{Question: s.Question.Text, History: s.Question.History, Engine: s.Engine, Retriever: s.Retriever, Options: Pinned()}
	req.Options.K, req.Options.PerDocument = s.K, max(req.Options.PerDocument, s.PerDocument)
	switch s.Engine {
	case Ungated:
		req.Engine, req.Options.CondenseGate = condense, false
	case ReferenceRewrite:
		req.Engine, req.EditedQuery = "simple", s.Question.Reference
	}
	if s.Stored != nil {
		ctx = context.WithValue(ctx, storedKey{}, *s.Stored)
	}
	req.Scope.Documents = s.Question.Documents
	if g := s.Question.Gate; g != nil && g.Guess != nil {
		req.Filters = []rag.Filter{*g.Guess}
	}
	*b.cost = cost{}
	runner := turn.New(b.deps)
	prepared, hits, err := rag.Prepared{}, []rag.Hit(nil), error(nil)
	if s.Retriever == NoRetriever {
		req.Retriever = retrieve.BM25
		prepared, err = runner.Prepare(ctx, req)
	} else {
		var found retrieve.Result
		prepared, found, err = runner.Search(ctx, req)
		hits = found.Hits
		b.cost.embedMS, b.cost.searchMS = found.EmbedMS, found.SearchMS+found.RerankMS
	}
	if s.Stored != nil {
		prepared.LatencyMS = s.Stored.LatencyMS
	}
	return prepared, slices.Clone(hits), err
}

// storedKey carries a stored preparation to the engine.
type storedKey struct{}

// replaying is an engine that gives back what is stored.
type replaying struct{ engine.Engine }

// Prepare implements engine.Engine.
func (r replaying) Prepare(ctx context.Context, req engine.Request, tools engine.Tools) (rag.Prepared, error) {
	if p, ok := ctx.Value(storedKey{}).(rag.Prepared); ok {
		return p, nil
	}
	return r.Engine.Prepare(ctx, req, tools)
}

// cost is what a model was asked for in one search, and how long the search took.
type cost struct {
	prompt, cached, completion int
	embedded                   bool    // the vectors of the search text were not kept yet
	embedMS, searchMS          float64 // without the engine
}

// counted is a generator whose tokens are counted.
func (c *cost) counted(g inference.Generator, err error) (inference.Generator, error) {
	if err != nil {
		return nil, err
	}
	return counting{g, c}, nil
}

type counting struct {
	inference.Generator
	cost *cost
}

// Generate implements inference.Generator.
func (c counting) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	res, err := c.Generator.Generate(ctx, req, each)
	c.cost.prompt, c.cost.cached, c.cost.completion = c.cost.prompt+res.PromptTokens, c.cost.cached+res.CachedTokens, c.cost.completion+res.CompletionTokens
	return res, err
}

// spent implements metered.
func (b bench) spent() cost { return *b.cost }

// metered is a system that knows what its last search cost.
type metered interface{ spent() cost }
