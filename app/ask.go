package app

import (
	"context"
	"errors"
	"time"

	"referent/app/setting"
	"referent/inference"
	"referent/inference/remote"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/engine"
	"referent/rag/retrieve"
	"referent/rag/turn"
	"referent/storage/chats"
)

// historyLoaded bounds the messages that are read for one turn: the most that
// any setting can ask for.
const historyLoaded = 20

// engines is shared by all turns; it is only read.
var engines = engine.Default()

// turnDeps wires the stages of a turn to what they stand on.
func (a *App) turnDeps() turn.Deps {
	return turn.Deps{
		Engines: engines, Retrievers: a.search, Corpus: a.search.Corpus(), Parents: a.index.Parents, List: a.search.List, Documents: documents{a},
		Answer:         func() (inference.Generator, error) { return a.generator(inference.RoleAnswer) },
		Condense:       func() (inference.Generator, error) { return a.generator(inference.RoleCondense) },
		Tokens:         func() (inference.Tokenizer, error) { return a.host.Tokenizer(inference.RoleAnswer) },
		CondenseTokens: func() (inference.Tokenizer, error) { return a.host.Tokenizer(inference.RoleCondense) },
		Embed:          a.searchEmbedder,
		StoredTokens:   a.index.TokenCounts,
		Save:           a.save,
	}
}

// generator is the model of a role; for a guest it makes way for the person.
func (a *App) generator(role inference.Role) (inference.Generator, error) {
	g, err := a.host.Generator(role)
	if err != nil {
		return nil, err
	}
	return polite{g, &a.line}, nil
}

// retrieveDeps wires retrieval to the index.
func (a *App) retrieveDeps() retrieve.Deps {
	return retrieve.Deps{Snapshot: a.segment.Snapshot, Store: a.index, Embedder: a.searchEmbedder, Reranker: a.host.Reranker,
		Collections: func(ctx context.Context) (map[string]int64, error) {
			all, err := a.index.Collections(ctx)
			ids := make(map[string]int64, len(all))
			for _, c := range all {
				ids[c.Name] = c.ID
			}
			return ids, err
		}}
}

// Ask implements UseCases.
func (a *App) Ask(ctx context.Context, req AskRequest, emit func(rag.Event)) error {
	began := time.Now()
	if req.Guest {
		ctx = asGuest(ctx)
	}
	a.titles.end()
	var place *target
	old, err := a.asked(ctx, &req)
	if !req.NoStore && !req.GivenHistory {
		place = &target{conversation: req.Conversation}
		ctx = context.WithValue(ctx, storeKey{}, place)
	}
	var t turn.Request
	if err == nil {
		t, err = a.resolve(ctx, req, old)
	}
	if err == nil {
		var leave func()
		if leave, err = a.line.enter(ctx, req.Guest); err == nil {
			defer leave()
			a.library.ReadFirst(req.Scope.Documents...)
			defer a.library.Ease()()
			err = a.load(ctx, t, true)
		}
	}
	if err != nil {
		failed := asError(ctx, err).(*rag.Error)
		if place != nil {
			a.logRun(&turn.Outcome{Request: t, Failed: failed, Started: began}, place)
		}
		emit(rag.Failed{Err: failed})
		return failed
	}
	out, err := a.turns.Ask(ctx, t, emit)
	if place != nil {
		a.logRun(out, place)
	}
	if out.Done.TokensPerSecond != nil {
		a.mu.Lock()
		a.rate = *out.Done.TokensPerSecond
		a.mu.Unlock()
	}
	a.changed()
	return err
}

// Prepare implements UseCases.
func (a *App) Prepare(ctx context.Context, req AskRequest) (rag.Prepared, error) {
	ctx, leave := a.looks(ctx, req)
	defer leave()
	t, err := a.repeated(ctx, req)
	if err == nil {
		err = a.loadEngine(ctx, t)
	}
	if err != nil {
		return rag.Prepared{}, asError(ctx, err)
	}
	p, err := a.turns.Prepare(ctx, t)
	return p, asError(ctx, err)
}

// Search implements UseCases.
func (a *App) Search(ctx context.Context, req AskRequest) (SearchResult, error) {
	ctx, leave := a.looks(ctx, req)
	defer leave()
	t, err := a.repeated(ctx, req)
	if err == nil {
		err = a.load(ctx, t, false)
	}
	if err != nil {
		return SearchResult{}, asError(ctx, err)
	}
	began := time.Now()
	p, found, err := a.turns.Search(ctx, t)
	if err != nil {
		return SearchResult{}, asError(ctx, err)
	}
	result := SearchResult{Prepared: p, Hits: found.Hits, Floor: found.Floor, RestrictedCount: found.RestrictedCount, Retriever: found.Retriever,
		LatencyMS: float64(time.Since(began).Microseconds()) / 1000, Notes: append(append([]string{}, t.Notes...), found.Notes...)}
	return result, nil
}

// looks begins a search, which waits for nobody: for a guest its rewrite makes
// way, the person's goes first.
func (a *App) looks(ctx context.Context, req AskRequest) (_ context.Context, leave func()) {
	if req.Guest {
		return asGuest(ctx), func() {}
	}
	return ctx, a.line.person()
}

// repeated resolves a request that may name a turn.
func (a *App) repeated(ctx context.Context, req AskRequest) (turn.Request, error) {
	old, err := a.asked(ctx, &req)
	if err != nil {
		return turn.Request{}, err
	}
	return a.resolve(ctx, req, old)
}

// resolve turns a request into a turn: settings by their order, and the history.
// old is the turn that it repeats; nil: none.
func (a *App) resolve(ctx context.Context, req AskRequest, old *chats.Turn) (turn.Request, error) {
	values := a.settings()
	t := turn.Request{Question: req.Question, Scope: req.Scope, Filters: req.Filters, EditedQuery: req.EditedQuery, OwnWords: req.OwnWords, History: req.History}
	if req.Conversation != nil {
		c, ok, err := a.chats.Conversation(ctx, *req.Conversation)
		if err != nil {
			return t, storageError(err)
		}
		if !ok || a.isDeleted(c.ID) {
			return t, storageError(chats.ErrUnknownConversation)
		}
		options := conversationOptions(c)
		values, t.Notes = withOptions(values, options)
		if wholeLibrary(t.Scope) {
			t.Scope = options.Scope
		}
		if !req.GivenHistory {
			p := chats.Past{Conversation: c.ID, Newest: historyLoaded}
			if old != nil {
				p.Before = old.Ordinal
			}
			if t.History, err = a.past(ctx, p); err != nil {
				return t, err
			}
		}
	}
	values, err := values.With(req.Set, setting.FromRequest)
	if err != nil {
		return t, err
	}
	t.Engine = first(req.Engine, values.Text("chat.engine"))
	t.Retriever = first(req.Retriever, a.storedRetriever(values))
	if req.Retriever == "" && a.noReranker(values) {
		t.Notes = append(t.Notes, rerankerMissing)
	}
	mode := first(req.Mode, values.Text("chat.mode"))
	if mode == setting.Auto {
		mode = string(a.autoMode())
	}
	t.Mode = rag.AnswerMode(mode)
	t.Options = options(values, t.Engine)
	if old != nil && req.SameEvidence {
		if t.Given, err = a.given(ctx, *old); err != nil {
			return t, err
		}
	}
	return t, nil
}

// storedRetriever is the setting, or hybrid where it asks for a reranker that
// is not there; only an explicit request for one is an error.
func (a *App) storedRetriever(values setting.Values) string {
	if a.noReranker(values) {
		return retrieve.Hybrid
	}
	return values.Text("retrieve.retriever")
}

// noReranker tells whether the setting asks for a reranker that is not there.
func (a *App) noReranker(values setting.Values) bool {
	if values.Text("retrieve.retriever") != retrieve.Reranked {
		return false
	}
	if _, err := a.host.Reranker(); err == nil {
		return false
	}
	_, err := a.roles.wanted(inference.RoleRerank)
	return err != nil
}

// rerankerMissing is the notice about a setting that cannot be followed.
const rerankerMissing = "The retriever reranked needs a model that judges passages, and none is installed. hybrid is used instead."

// options are the settings of a turn. blend.alpha reaches another engine only
// when somebody set it, which that engine answers with a warning.
func options(v setting.Values, name string) turn.Options {
	o := turn.Defaults()
	o.CondenseEnabled, o.CondenseGate = v.Bool("condense.enabled"), v.Bool("condense.gate")
	o.OnFailure = rag.FailurePolicy(v.Text("condense.on_failure"))
	o.CondenseHistory, o.CondenseMaxChars, o.CondenseMaxTokens = v.Int("condense.history", 0), v.Int("condense.max_chars", 0), v.Int("condense.max_tokens", 0)
	o.CondenseTimeout = v.Duration("condense.timeout", 0)
	o.ExpandWords, o.BlendHistory = v.Int("expand.words", 0), v.Text("blend.history")
	if alpha, ok := v.Get("blend.alpha"); ok && (name == "blend" || alpha.Source == setting.FromRequest) {
		f := v.Float("blend.alpha")
		o.BlendAlpha = &f
	}
	o.ResearchPatience, o.ResearchMaxRounds = v.Int("research.patience", 0), v.Int("research.max_rounds", 0)
	o.GenerationHistory = v.Int("chat.history", 0)
	o.K, o.PerDocument, o.HintExtras, o.Fusion = v.Int("retrieve.k", 0), v.Int("retrieve.per_document", 0), v.Int("retrieve.hint_extras", 0), v.Text("retrieve.fusion")
	o.EvidenceBudget, o.EvidenceSeconds = v.Int("evidence.budget", 0), v.Float("evidence.target_seconds")
	o.AnswerMaxTokens = v.Int("answer.max_tokens", 0)
	o.Compress, o.CompressKeepTop = v.Bool("compress.enabled"), v.Int("compress.keep_top", 0)
	return o
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// load makes ready the models that the turn will ask for. A missing one is no
// error where the turn can do without: hybrid search falls to words, an answer
// to quotations, a rewrite to the failure policy.
func (a *App) load(ctx context.Context, t turn.Request, answered bool) error {
	if t.Retriever != retrieve.BM25 {
		if err := a.need(ctx, inference.RoleEmbed, t.Retriever == retrieve.Dense); err != nil {
			return err
		}
	}
	if t.Retriever == retrieve.Reranked {
		if err := a.need(ctx, inference.RoleRerank, false); err != nil { // the retriever says what is missing
			return err
		}
	}
	if err := a.loadEngine(ctx, t); err != nil {
		return err
	}
	if answered && t.Mode != rag.ModeQuote {
		if err := a.need(ctx, inference.RoleAnswer, false); err != nil {
			return err
		}
		return a.warm(ctx, inference.RoleAnswer)
	}
	return nil
}

func (a *App) loadEngine(ctx context.Context, t turn.Request) error {
	if t.OwnWords || t.EditedQuery != "" || !t.Options.CondenseEnabled {
		return nil
	}
	if t.Engine == "research" { // works on a first question too, and searches itself
		if t.Retriever != retrieve.BM25 {
			if err := a.need(ctx, inference.RoleEmbed, t.Retriever == retrieve.Dense); err != nil {
				return err
			}
		}
		return a.need(ctx, inference.RoleAnswer, false)
	}
	if len(t.History) == 0 {
		return nil
	}
	switch t.Engine {
	case "condense_context":
		if err := a.need(ctx, inference.RoleCondense, false); err != nil {
			return err
		}
		return a.warm(ctx, inference.RoleCondense)
	case "blend":
		return a.need(ctx, inference.RoleEmbed, false)
	}
	return nil
}

// need loads a role. An absent model is an error only when it is required.
func (a *App) need(ctx context.Context, role inference.Role, required bool) error {
	err := a.roles.ensure(ctx, role)
	if err != nil && !required && ctx.Err() == nil {
		return nil
	}
	return err
}

// warm evaluates the constant beginning of a role's prompt once for each load,
// so that a turn pays for its own text only, the time limit of a rewrite covers
// only what is new, and the evidence can follow the rate at which the model
// reads. A failure is left to the turn, which meets it again and reports it.
func (a *App) warm(ctx context.Context, role inference.Role) error {
	g, err := a.host.Generator(role)
	if err != nil {
		return nil // the turn goes on without the model
	}
	if g.Info().Runtime == remote.Runtime {
		return nil // a server's cache is its own business
	}
	load := a.roles.loads(role)
	a.mu.Lock()
	done := a.warmed[role] == load
	a.warmed[role] = load
	a.mu.Unlock()
	if done {
		return nil
	}
	if role == inference.RoleCondense {
		err = engine.Warm(ctx, g)
	} else {
		err = answer.Warm(ctx, g, inference.PriorityInteractive)
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// asError makes every error of a turn one that a front can show.
func asError(ctx context.Context, err error) error {
	var known *rag.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return &rag.Error{Code: rag.CodeCancelled, Reason: rag.ReasonCancelled, Message: "Stopped. Nothing was stored.", Cause: err}
	}
	if e := modelError(err); errors.As(e, &known) && known.Code != rag.CodeModelFailed {
		return known
	}
	var e *inference.Error
	if errors.As(err, &e) {
		return modelError(err)
	}
	return storageError(err)
}
