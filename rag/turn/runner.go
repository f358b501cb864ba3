package turn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/check"
	"referent/rag/engine"
	"referent/rag/language"
	"referent/rag/retrieve"
	"referent/storage/index"
)

// Retrievers finds a retriever by name; *retrieve.Set does.
type Retrievers interface {
	Lookup(name string) (retrieve.Retriever, error)
}

var (
	_ Retrievers    = (*retrieve.Set)(nil)
	_ engine.Corpus = (*retrieve.Corpus)(nil)
)

// Deps is what a turn stands on. Engines and Retrievers are needed; the rest may
// be nil: no model of that kind, no parents, no stored counts, nothing saved.
type Deps struct {
	Engines    *engine.Registry
	Retrievers Retrievers
	Corpus     engine.Corpus
	Parents    func(ctx context.Context, ids []int64) (map[int64]index.StoredParent, error)
	// List names documents for research; nil: it cannot.
	List func(ctx context.Context, scope rag.Scope, filters []rag.Filter) (retrieve.Listing, error)

	// Documents are what questions about whole documents read; nil: such
	// questions are searched.
	Documents Documents

	Answer, Condense       func() (inference.Generator, error)
	Tokens, CondenseTokens func() (inference.Tokenizer, error) // of the answer and of the condense model
	Embed                  func() (inference.Embedder, error)

	// StoredTokens returns counts of chunks by the tokenizer with this model
	// hash; chunks without a count are left out.
	StoredTokens func(ctx context.Context, tokenizer string, ids []int64) (map[int64]int, error)
	// Save stores the whole turn in one transaction and sets Done.Conversation
	// and Done.Turn. It is called once, for a turn that has an answer.
	Save  func(ctx context.Context, out *Outcome) error
	Clock func() time.Time
}

// Runner runs turns. It is immutable; all methods may be called from any
// goroutine.
type Runner struct{ deps Deps }

// New returns a runner.
func New(d Deps) *Runner { return &Runner{d} }

func (r *Runner) now() time.Time {
	if r.deps.Clock != nil {
		return r.deps.Clock()
	}
	return time.Now()
}

// turn is one question on its way.
type turn struct {
	r     *Runner
	ctx   context.Context
	req   Request
	emit  func(rag.Event)
	out   *Outcome
	start time.Time

	l        *language.Language // of the question; the history has no say in it
	engine   engine.Engine
	finder   retrieve.Retriever
	shelves  *shelves            // what the engine has searched itself; nil: it was not asked
	model    inference.Generator // nil: quote
	mode     rag.AnswerMode
	past     []rag.Message // generation history as fitted
	found    retrieve.Result
	whole    *whole // what a question about a whole document reads; nil: it is another question
	asked    string // a question to the person in place of the answer
	text     string // of the answer
	streamed bool   // some of it was shown
	usage    inference.GenerateResult
	checker  *check.Checker
	check    check.Result
}

// Ask runs a turn. It emits events in their order, the last one Done or Failed,
// and returns the outcome, after a failure too. The error is an *rag.Error.
func (r *Runner) Ask(ctx context.Context, req Request, emit func(rag.Event)) (*Outcome, error) {
	t := r.begin(ctx, req, emit)
	if err := t.run(); err != nil {
		e := typed(ctx, err)
		t.complete()
		t.out.Failed = e
		t.emit(rag.Failed{Err: e})
		return t.out, e
	}
	t.emit(t.out.Done)
	return t.out, nil
}

// Prepare says what would be searched. Research has searched by then.
func (r *Runner) Prepare(ctx context.Context, req Request) (rag.Prepared, error) {
	t := r.begin(ctx, req, nil)
	if err := t.validate(); err != nil {
		return rag.Prepared{}, err
	}
	if err := t.stage(StagePrepare, t.prepare); err != nil {
		return rag.Prepared{}, err
	}
	return t.out.Prepared, nil
}

// Search prepares and retrieves. Under the policy stop a failed rewrite is an
// error, as in a turn.
func (r *Runner) Search(ctx context.Context, req Request) (rag.Prepared, retrieve.Result, error) {
	t := r.begin(ctx, req, nil)
	err := t.find()
	return t.out.Prepared, t.found, err
}

func (r *Runner) begin(ctx context.Context, req Request, emit func(rag.Event)) *turn {
	if emit == nil {
		emit = func(rag.Event) {}
	}
	req.History = engine.Earlier(req.History, req.Question)
	code, _ := language.Detect(req.Question)
	return &turn{r: r, ctx: ctx, req: req, emit: emit, start: time.Now(), l: language.For(code),
		out: &Outcome{Request: req, Started: r.now(), Notes: append([]string{}, req.Notes...)}}
}

func (t *turn) run() error {
	if err := t.find(); err != nil {
		return err
	}
	if err := t.stage(StagePack, t.pack); err != nil {
		return err
	}
	t.emit(t.out.Retrieval)
	if err := t.stage(StageGenerate, t.generate); err != nil {
		return err
	}
	if err := t.stage(StageCheck, t.judge); err != nil {
		return err
	}
	return t.stage(StagePersist, t.persist)
}

// find runs the stages that a search shares with a turn.
func (t *turn) find() error {
	if err := t.validate(); err != nil {
		return err
	}
	if err := t.stage(StagePrepare, t.prepare); err != nil {
		return err
	}
	t.emit(unasked(t.out.Prepared))
	if p := t.out.Prepared; p.Status == rag.StatusFailedStopped {
		return &rag.Error{Code: rag.CodeCondenseFailed, Reason: p.Reason,
			Message: "The question could not be rewritten. " + p.Detail, Hint: "Ask again, or search your own words."}
	}
	if err := t.stage(StageRetrieve, t.retrieve); err != nil {
		return err
	}
	return t.stage(StageRerank, t.reranked)
}

// validate refuses what no stage could use, the cheapest test first.
func (t *turn) validate() error {
	modes := []rag.AnswerMode{rag.ModeGenerate, rag.ModeStrict, rag.ModeQuote}
	if strings.TrimSpace(t.req.Question) == "" {
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: "The question is empty.", Hint: "Write a question."}
	}
	if t.req.Mode != "" && !slices.Contains(modes, t.req.Mode) {
		return &rag.Error{Code: rag.CodeUnknownMode, Message: fmt.Sprintf("There is no answer mode %q.", t.req.Mode), Hint: "Modes: generate, strict, quote."}
	}
	if t.req.Options.GenerationHistory < 0 {
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("chat.history is %d. It must be 0 or more.", t.req.Options.GenerationHistory)}
	}
	name := t.req.Engine
	if name == "" {
		name = "simple"
	}
	var err error
	if t.engine, err = t.r.deps.Engines.Lookup(name); err != nil {
		return err
	}
	if t.finder, err = t.r.deps.Retrievers.Lookup(t.req.Retriever); err != nil {
		return err
	}
	return nil
}

func (t *turn) prepare(s *Span) error {
	if err := t.findWhole(); err != nil {
		return err
	}
	p, err := t.prepared()
	if err != nil {
		return err
	}
	if t.req.Given == nil {
		p.Filters = append(slices.Clone(t.req.Filters), p.Filters...)
	}
	t.out.Prepared = p
	s.set("referent.engine", p.Engine)
	s.set("referent.rewrite.status", string(p.Status))
	if p.Reason != "" {
		s.set("referent.rewrite.reason", string(p.Reason))
	}
	s.set("referent.model_calls", p.ModelCalls)
	s.set("referent.history_messages_used", p.HistoryMessagesUsed)
	if p.Ended != "" {
		s.set("referent.research.ended", string(p.Ended))
		s.set("referent.research.steps", len(p.Steps))
	}
	return nil
}

// prepared asks the engine, unless the person has said what to search.
func (t *turn) prepared() (rag.Prepared, error) {
	q := t.req.Question
	p := rag.Prepared{Engine: t.engine.Name(), OriginalQuery: q, SearchQueries: []string{q}, RerankQuery: q}
	switch edited := strings.TrimSpace(t.req.EditedQuery); {
	case t.req.Given != nil:
		p = t.req.Given.Prepared
		p.OriginalQuery, p.LatencyMS, p.ModelCalls, p.AskUser = q, 0, 0, ""
		return p, nil
	case t.whole != nil:
		return t.preparedWhole(), nil
	case t.req.OwnWords:
		p.Status = rag.StatusUserWords
		return p, nil
	case edited != "":
		p.Status, p.SearchQuery, p.SearchQueries, p.RerankQuery = rag.StatusUserEdited, edited, []string{edited}, edited
		return p, nil
	}
	t.shelves = &shelves{t: t}
	tools := engine.Tools{Corpus: t.r.deps.Corpus, Condense: try(t.r.deps.Condense), Tokens: try(t.r.deps.CondenseTokens), Embed: try(t.r.deps.Embed),
		Answer: try(t.r.deps.Answer), AnswerTokens: try(t.r.deps.Tokens), Library: t.shelves, Emit: func(s rag.Step) { t.emit(wordless(s)) }}
	return t.engine.Prepare(t.ctx, engine.Request{Question: q, History: t.req.History, Options: t.req.Options.Options}, tools)
}

// try returns the zero value where a model is not there.
func try[T any](get func() (T, error)) T {
	var zero T
	if get == nil {
		return zero
	}
	v, err := get()
	if err != nil {
		return zero
	}
	return v
}

// query is a search under the scope and the settings of the turn.
func (t *turn) query() retrieve.Query {
	o := t.req.Options
	return retrieve.Query{Scope: t.req.Scope, K: o.K, PerDocument: o.PerDocument, HintExtras: o.HintExtras, Fusion: o.Fusion}
}

// retrieve searches, unless the engine has searched the same texts itself.
func (t *turn) retrieve(s *Span) error {
	if g := t.req.Given; g != nil {
		t.found = retrieve.Result{Hits: slices.Clone(g.Hits), Floor: g.Floor, RestrictedCount: g.RestrictedCount}
		t.out.Notes = append(t.out.Notes, g.Notes...)
		s.Status = SpanSkipped
		return nil
	}
	if t.whole != nil {
		return t.readWhole(s)
	}
	p := t.out.Prepared
	var found retrieve.Result
	if t.shelves.covers(p.SearchQueries) {
		found = union(t.shelves.found)
		s.set("referent.research.searches", len(t.shelves.found))
	} else {
		q := t.query()
		q.Texts, q.RerankText, q.Vector, q.Filters = p.SearchQueries, p.RerankQuery, p.QueryVector, p.Filters
		var err error
		if found, err = t.finder.Retrieve(t.ctx, q); err != nil {
			return err
		}
	}
	t.found = found
	t.out.Retriever = t.finder.Name()
	t.out.Notes = append(t.out.Notes, found.Notes...)
	s.DurationMS = found.EmbedMS + found.SearchMS
	s.set("referent.retriever", t.finder.Name())
	s.set("referent.hits", len(found.Hits))
	s.set("referent.restricted_count", found.RestrictedCount)
	s.set("referent.embed_ms", found.EmbedMS)
	return nil
}

// reranked records what the reranker took inside retrieval.
func (t *turn) reranked(s *Span) error {
	if t.found.RerankMS == 0 {
		s.Status = SpanSkipped
	}
	s.DurationMS = t.found.RerankMS
	return nil
}

// persist stores the turn as a whole, or nothing.
func (t *turn) persist(s *Span) error {
	t.finish()
	if t.r.deps.Save == nil {
		s.Status = SpanSkipped
		return nil
	}
	// Once decided, the transaction is not torn by a late cancel.
	if err := t.r.deps.Save(context.WithoutCancel(t.ctx), t.out); err != nil {
		return &rag.Error{Code: rag.CodeStorageFailed, Message: "The answer could not be stored.", Hint: "Check the free space of the data folder and ask again.", Cause: err}
	}
	return nil
}

// finish fills Done from what the stages left.
func (t *turn) finish() {
	d := &t.out.Done
	d.Answer, d.Citations, d.Sources, d.AnswerCheck, d.Mode = t.check.Answer, t.check.Citations, t.check.Sources, t.check.Check, t.mode
	if d.Citations == nil {
		d.Citations = []rag.Citation{}
	}
	if d.Sources == nil {
		d.Sources = []rag.Source{}
	}
	if d.AnswerCheck.Issues == nil {
		d.AnswerCheck.Issues = []rag.Issue{}
	}
	u := t.usage
	d.Usage = rag.Usage{PromptTokens: u.PromptTokens, CachedTokens: u.CachedTokens, CompletionTokens: u.CompletionTokens}
	if u.DecodePerSecond > 0 {
		d.TokensPerSecond = &u.DecodePerSecond
	}
	if u.PromptTokens > 0 {
		d.Seed, d.Threads = &u.Seed, &u.Threads
	}
	d.Continued = u.Continued
	d.LatencyMS = t.latency()
}

// refusal is the fixed sentence in the language of the question.
func (t *turn) refusal() string { return answer.Refusal(t.l.Code) }
