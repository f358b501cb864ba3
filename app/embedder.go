package app

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"time"

	"referent/app/setting"
	"referent/inference"
	"referent/rag"
	"referent/rag/library"
)

// Another search model needs another index: vectors of two models cannot be
// compared. A change of the setting alone therefore starts nothing. The old
// model and its index go on serving; PlanEmbedder says what a new index would
// cost; BuildEmbedder, which a person confirms, makes its vectors beside the old
// ones in a process of its own, and what is made survives every end of the
// program. When nothing is missing, the new index takes over in one step.

// Keys of the library's notes.
const (
	metaServing   = "serving_embedder"   // JSON: the settings of the model that the index was made with
	metaConfirmed = "confirmed_embedder" // the key of the model whose index was ordered
)

// embedderKeys are the settings that choose the search model.
var embedderKeys = []string{"model.embed", "remote.embed.url", "remote.embed.model"}

// EmbedPlan is what stands between the search model that the settings name and
// its use.
type EmbedPlan struct {
	From Optional `json:"from"` // the model that serves
	To   Optional `json:"to"`   // the model that the settings name; absent: the same
	// Passages need a vector of it, Done of them have one.
	Passages int `json:"passages"`
	Done     int `json:"done"`
	// Seconds is how long the rest would take, by what was measured here; 0: not
	// known before it has begun.
	Seconds  float64  `json:"seconds"`
	Building bool     `json:"building"`
	Sentence Optional `json:"sentence"`
}

// embedders is the state of a change of the search model.
type embedders struct {
	mu      sync.Mutex
	serving map[string]string
	beside  inference.Host // while an index is built
	stop    context.CancelFunc
	began   time.Time
	first   int // passages done when the build began
	failed  string
}

func (e *embedders) settings() map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.serving)
}

func embedderSettings(values setting.Values) map[string]string {
	out := map[string]string{}
	for _, key := range embedderKeys {
		out[key] = values.Text(key)
	}
	return out
}

// openEmbedders finds out which model the index was made with. Where nothing is
// noted, or nothing was made, it is the one of the settings.
func (a *App) openEmbedders(ctx context.Context) error {
	a.roles.serving = a.embedders.settings
	noted, err := a.index.Meta(ctx, metaServing)
	if err != nil {
		return storageError(err)
	}
	serving := map[string]string{}
	if noted != "" && json.Unmarshal([]byte(noted), &serving) == nil {
		a.embedders.serving = serving
	}
	return a.followSettings(ctx)
}

// followSettings lets the model of the settings serve where that costs nothing:
// no index was made with another one.
func (a *App) followSettings(ctx context.Context) error {
	now := embedderSettings(a.settings())
	if noted := a.embedders.settings(); len(noted) > 0 {
		if maps.Equal(noted, now) {
			return nil
		}
		done, _, err := a.index.VectorProgress(ctx, a.embedModel())
		if err != nil {
			return storageError(err)
		}
		next, err := a.roles.choose(inference.RoleEmbed, a.settings())
		if done > 0 && (err != nil || next.entry.SHA256 != a.embedModel()) {
			return nil
		}
	}
	return a.noteServing(ctx, now)
}

func (a *App) noteServing(ctx context.Context, settings map[string]string) error {
	text, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	if err := a.index.SetMeta(ctx, metaServing, string(text)); err != nil {
		return storageError(err)
	}
	a.embedders.mu.Lock()
	a.embedders.serving = settings
	a.embedders.mu.Unlock()
	return nil
}

// embedderChanged is told after a change of the settings of the search model.
func (a *App) embedderChanged(ctx context.Context) error {
	before := a.embedModel()
	if err := a.followSettings(ctx); err != nil {
		return err
	}
	if model := a.embedModel(); model != before {
		return storageError(a.library.Switch(ctx, model, func() error { return a.segment.UseModel(ctx, a.index, model) }))
	}
	return nil
}

// searchEmbedder is the model whose vectors the search holds: the loaded one,
// or, for the moment in which a new index has taken over and its model is not
// loaded yet, the one that built it.
func (a *App) searchEmbedder() (inference.Embedder, error) {
	e, err := a.host.Embedder()
	model := a.segment.Snapshot().Model()
	if err == nil && (model == "" || library.VectorKey(e.Info()) == model) {
		return e, nil
	}
	a.embedders.mu.Lock()
	beside := a.embedders.beside
	a.embedders.mu.Unlock()
	if beside != nil {
		if b, problem := beside.Embedder(); problem == nil && library.VectorKey(b.Info()) == model {
			return b, nil
		}
	}
	if err == nil {
		err = &inference.Error{Kind: inference.ErrNoModel, Message: "The search model is being exchanged."}
	}
	return nil, err
}

// PlanEmbedder implements UseCases.
func (a *App) PlanEmbedder(ctx context.Context) (EmbedPlan, error) {
	var plan EmbedPlan
	now, next, err := a.nextEmbedder()
	plan.From = Optional(now.entry.Name)
	switch {
	case err != nil:
		plan.Sentence = Optional(err.Error())
		return plan, nil
	case next.entry.SHA256 == a.embedModel():
		return plan, nil
	}
	plan.To = Optional(next.entry.Name)
	if plan.Done, plan.Passages, err = a.index.VectorProgress(ctx, next.entry.SHA256); err != nil {
		return plan, storageError(err)
	}
	a.embedders.mu.Lock()
	plan.Building = a.embedders.stop != nil
	failed, made, began := a.embedders.failed, plan.Done-a.embedders.first, a.embedders.began
	a.embedders.mu.Unlock()
	rate, err := a.library.EmbedRate(ctx, next.entry.SHA256)
	if err != nil {
		return plan, storageError(err)
	}
	if rate == 0 { // a larger model takes longer about as its size
		if rate, err = a.library.EmbedRate(ctx, a.embedModel()); err != nil {
			return plan, storageError(err)
		}
		if now.entry.Bytes > 0 && next.entry.Bytes > 0 {
			rate *= float64(now.entry.Bytes) / float64(next.entry.Bytes)
		}
	}
	if passed := time.Since(began).Seconds(); plan.Building && made > 0 && passed > 0 {
		rate = float64(made) / passed
	}
	if rate > 0 {
		plan.Seconds = float64(plan.Passages-plan.Done) / rate
	}
	switch {
	case plan.Building:
		plan.Sentence = "A new search index is being built. The old one serves until it is complete."
	case failed != "":
		plan.Sentence = Optional("The new search index was not finished: " + failed + " The old one serves. What is made is kept; start it again when you like.")
	default:
		plan.Sentence = "The settings name another search model. The old index serves until you have a new one built."
	}
	return plan, nil
}

// nextEmbedder is the model that serves and the one that the settings name. The
// error is of the second.
func (a *App) nextEmbedder() (now, next choice, err error) {
	now, _ = a.roles.wanted(inference.RoleEmbed) // its name is all that is missing
	next, err = a.roles.choose(inference.RoleEmbed, a.settings())
	return now, next, err
}

var errBuilding = &rag.Error{Code: rag.CodeNotAvailable, Message: "A search index is being built already.", Hint: "Wait for it, or stop it."}

var errStopped = &rag.Error{Code: rag.CodeCancelled, Reason: rag.ReasonCancelled, Message: "Stopped. The old search index serves, and what was made of the new one is kept."}

// BuildEmbedder implements UseCases.
func (a *App) BuildEmbedder(ctx context.Context, progress func(EmbedPlan)) error {
	if err := a.startLibrary(ctx); err != nil {
		return err
	}
	_, next, err := a.nextEmbedder()
	if err != nil || next.entry.SHA256 == a.embedModel() {
		return err
	}
	if err := a.index.SetMeta(ctx, metaConfirmed, next.entry.SHA256); err != nil {
		return storageError(err)
	}
	err = a.buildEmbedder(ctx, next, progress)
	if a.ctx.Err() != nil {
		return asError(ctx, err) // the program ends: the next start goes on
	}
	if errors.Is(err, errBuilding) {
		return err
	}
	if problem := a.index.SetMeta(context.WithoutCancel(ctx), metaConfirmed, ""); err == nil {
		err = storageError(problem)
	}
	a.changed()
	if errors.Is(err, context.Canceled) {
		return errStopped
	}
	return asError(ctx, err)
}

// resumeEmbedder goes on with an index that was ordered before the program
// ended, unless the settings name another model by now.
func (a *App) resumeEmbedder() {
	confirmed, err := a.index.Meta(a.ctx, metaConfirmed)
	if err == nil && confirmed != "" {
		if _, next, problem := a.nextEmbedder(); problem == nil && next.entry.SHA256 == confirmed {
			err = a.BuildEmbedder(a.ctx, nil)
		}
	}
	if err != nil && a.ctx.Err() == nil {
		a.config.Log("building the search index: " + err.Error())
	}
}

// StopEmbedder implements UseCases.
func (a *App) StopEmbedder(context.Context) error {
	a.embedders.mu.Lock()
	defer a.embedders.mu.Unlock()
	if a.embedders.stop != nil {
		a.embedders.stop()
	}
	return nil
}

func (a *App) buildEmbedder(ctx context.Context, next choice, progress func(EmbedPlan)) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(a.ctx, stop)()
	settings := embedderSettings(a.settings())
	done, _, err := a.index.VectorProgress(ctx, next.entry.SHA256)
	if err != nil {
		return storageError(err)
	}
	a.embedders.mu.Lock()
	if a.embedders.stop != nil {
		a.embedders.mu.Unlock()
		return errBuilding
	}
	host := a.besideServers(a.secondHost())
	a.embedders.beside, a.embedders.stop, a.embedders.began, a.embedders.first, a.embedders.failed = host, stop, time.Now(), done, ""
	a.embedders.mu.Unlock()
	defer func() {
		a.embedders.mu.Lock()
		a.embedders.beside, a.embedders.stop = nil, nil
		if err != nil && ctx.Err() == nil {
			a.embedders.failed = asError(ctx, err).Error()
		}
		a.embedders.mu.Unlock()
		if problem := host.Close(); problem != nil {
			a.config.Log("the process that built the search index: " + problem.Error())
		}
		a.changed()
	}()
	if _, err := host.Load(ctx, specOf(next, []inference.Role{inference.RoleEmbed}, a.settings()), nil); err != nil {
		return modelError(err)
	}
	embedder, err := host.Embedder()
	if err != nil {
		return modelError(err)
	}
	err = a.library.BuildVectors(ctx, embedder, func(int, int) {
		a.changed()
		if progress != nil {
			if plan, err := a.PlanEmbedder(ctx); err == nil {
				progress(plan)
			}
		}
	})
	if err != nil {
		return modelError(storageOrModel(err))
	}
	return a.takeOver(ctx, next.entry.SHA256, settings)
}

// takeOver puts the complete index in place of the old one. The note comes
// first: a program that ends here begins with the new index.
func (a *App) takeOver(ctx context.Context, model string, settings map[string]string) error {
	ctx = context.WithoutCancel(ctx)
	old := a.embedModel()
	err := a.library.Switch(ctx, model, func() error {
		if err := a.noteServing(ctx, settings); err != nil {
			return err
		}
		return a.segment.UseModel(ctx, a.index, model)
	})
	if err != nil {
		return storageError(err)
	}
	if err := a.roles.reload(ctx, inference.RoleEmbed); err != nil {
		return err
	}
	if err := a.roles.ensure(a.ctx, inference.RoleEmbed); err != nil {
		return err
	}
	return storageError(a.index.DropVectors(ctx, old))
}

// storageOrModel leaves an error of a model as it is and explains all others.
func storageOrModel(err error) error {
	var known *inference.Error
	if errors.As(err, &known) {
		return err
	}
	return storageError(err)
}

// secondHost makes a host for a model beside those that serve.
func (a *App) secondHost() inference.Host {
	if a.config.Second != nil {
		return a.config.Second()
	}
	return a.newHost("building")
}
