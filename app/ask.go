package app

import (
	"context"
	"errors"
	"time"

	"referent/app/setting"
	"referent/inference"
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
		Engines: engines, Retrievers: a.search, Corpus: a.search.Corpus(), Parents: a.index.Parents,
		Answer:         func() (inference.Generator, error) { return a.host.Generator(inference.RoleAnswer) },
		Condense:       func() (inference.Generator, error) { return a.host.Generator(inference.RoleCondense) },
		Tokens:         func() (inference.Tokenizer, error) { return a.host.Tokenizer(inference.RoleAnswer) },
		CondenseTokens: func() (inference.Tokenizer, error) { return a.host.Tokenizer(inference.RoleCondense) },
		Embed:          a.host.Embedder,
		StoredTokens:   a.index.TokenCounts,
		Save:           a.save,
	}
}

// retrieveDeps wires retrieval to the index.
func (a *App) retrieveDeps() retrieve.Deps {
	return retrieve.Deps{Snapshot: a.segment.Snapshot, Store: a.index, Embedder: a.host.Embedder, Reranker: a.host.Reranker,
		Collections: func(ctx context.Context) (map[string]int64, error) {
			all, err := a.index.Collections(ctx)
			ids := make(map[string]int64, len(all))
			for _, c := range all {
				ids[c.Name] = c.ID
			}
			return ids, err
		}}
}

// storeKey carries where a turn is to be stored to save.
type storeKey struct{}

// target is the place of a turn: a conversation, or a new one.
type target struct {
	conversation *int64
	stored       *chats.Turn
}

// Ask implements UseCases.
func (a *App) Ask(ctx context.Context, req AskRequest, emit func(rag.Event)) error {
	began := time.Now()
	var place *target
	if !req.NoStore && !req.GivenHistory {
		place = &target{conversation: req.Conversation}
		ctx = context.WithValue(ctx, storeKey{}, place)
	}
	t, err := a.resolve(ctx, req)
	if err == nil {
		err = a.load(ctx, t, true)
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
	t, err := a.resolve(ctx, req)
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
	t, err := a.resolve(ctx, req)
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
		LatencyMS: float64(time.Since(began).Microseconds()) / 1000, Notes: append([]string{}, found.Notes...)}
	if req.Retriever == "" && a.noReranker(a.settings()) {
		result.Notes = append(result.Notes, rerankerMissing)
	}
	return result, nil
}

// resolve turns a request into a turn: settings by their order, and the history.
func (a *App) resolve(ctx context.Context, req AskRequest) (turn.Request, error) {
	values := a.settings()
	t := turn.Request{Question: req.Question, Scope: req.Scope, Filters: req.Filters, EditedQuery: req.EditedQuery, OwnWords: req.OwnWords, History: req.History}
	mode := ""
	if req.Conversation != nil {
		c, ok, err := a.chats.Conversation(ctx, *req.Conversation)
		if err != nil {
			return t, storageError(err)
		}
		if !ok || a.isDeleted(c.ID) {
			return t, storageError(chats.ErrUnknownConversation)
		}
		t.Engine, mode = c.Engine, c.Mode
		if !req.GivenHistory {
			history, err := a.chats.History(ctx, c.ID, historyLoaded)
			if err != nil {
				return t, storageError(err)
			}
			t.History = make([]rag.Message, len(history))
			for i, m := range history {
				t.History[i] = rag.Message{Role: m.Role, Text: m.Text}
			}
		}
	}
	values, err := values.With(req.Set, setting.FromRequest)
	if err != nil {
		return t, err
	}
	t.Engine = first(req.Engine, t.Engine, values.Text("chat.engine"))
	t.Retriever = first(req.Retriever, a.storedRetriever(values))
	mode = first(req.Mode, mode, values.Text("chat.mode"))
	if mode == setting.Auto {
		mode = ""
	}
	t.Mode = rag.AnswerMode(mode)
	t.Options = options(values, t.Engine)
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
	_, err := a.host.Reranker()
	return err != nil
}

// rerankerMissing is the notice about a setting that cannot be followed.
const rerankerMissing = "The retriever reranked needs a model that judges passages, and none is loaded. hybrid is used instead."

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
	if len(t.History) == 0 || t.OwnWords || t.EditedQuery != "" || !t.Options.CondenseEnabled {
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

// save stores a turn; the runner calls it once, at its end.
func (a *App) save(ctx context.Context, out *turn.Outcome) error {
	place, ok := ctx.Value(storeKey{}).(*target)
	if !ok {
		return nil
	}
	stored, err := a.saveIn(ctx, place.conversation, turnRow(out.Request.Question, out.Prepared, out.Retrieval, out.Done))
	if err != nil {
		return err
	}
	place.stored = &stored
	out.Done.Conversation, out.Done.Turn = &stored.Conversation, &stored.ID
	return nil
}

// saveIn stores a turn in its conversation, or in a new one together with it. A
// conversation without a title gets one from the question.
func (a *App) saveIn(ctx context.Context, conversation *int64, row chats.Turn) (chats.Turn, error) {
	title := cutTitle(row.Question)
	if conversation == nil {
		return a.chats.SaveFirstTurn(ctx, chats.Conversation{Title: title}, row)
	}
	row.Conversation = *conversation
	stored, err := a.chats.SaveTurn(ctx, row)
	if err != nil {
		return stored, err
	}
	if c, ok, err := a.chats.Conversation(ctx, *conversation); err == nil && ok && c.Title == "" {
		if err := a.chats.RenameConversation(ctx, c.ID, title); err != nil {
			a.config.Log("the title of a conversation: " + err.Error()) // the turn is safe; the next one tries again
		}
	}
	return stored, nil
}

// logRun adds the turn to the run log, whatever became of it.
func (a *App) logRun(out *turn.Outcome, place *target) {
	run := chats.Run{Started: out.Started, Conversation: place.conversation, Engine: out.Prepared.Engine, Status: string(out.Prepared.Status), Reason: string(out.Prepared.Reason)}
	if run.Engine == "" {
		run.Engine = out.Request.Engine
	}
	if place.stored != nil {
		run.Conversation, run.Turn = &place.stored.Conversation, &place.stored.ID
	}
	if out.Failed != nil {
		run.Code = string(out.Failed.Code)
		if out.Failed.Reason != "" {
			run.Reason = string(out.Failed.Reason)
		}
	}
	total := 0.0
	for _, s := range out.Spans {
		run.Spans = append(run.Spans, chats.Span{Name: s.Name, Started: s.Started, DurationMS: s.DurationMS, Attributes: s.Attributes, Status: s.Status})
		total += s.DurationMS
	}
	run.Spans = append(run.Spans, chats.Span{Name: "total", Started: out.Started, DurationMS: total, Status: "ok"})
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if _, err := a.chats.SaveRun(ctx, run); err != nil {
		a.config.Log("run log: " + err.Error())
	}
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
