package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"referent/app/setting"
	"referent/inference"
	"referent/inference/runtime"
	"referent/inference/selftest"
	"referent/inference/worker"
	"referent/rag"
)

const runtimeKey = "model.runtime"

// restarting is a host whose libraries can be changed while it runs.
type restarting interface {
	Restart(ctx context.Context, runtimes ...worker.Runtime) error
	Runtime() string // the folder in use
}

// found lists the verified runtimes in the order of trial.
func (a *App) found(ctx context.Context) ([]runtime.Info, error) {
	found, err := runtime.Find(places(a.config.CacheDir)...)
	return a.machine.order(ctx, found, a.settings().Text(runtimeKey)).list, err
}

// runtimes is what the worker tries, in this order.
func (a *App) runtimes() []worker.Runtime {
	found, _ := a.found(a.ctx) // the doctor and the load tell what is wrong
	if len(found) == 0 {
		return []worker.Runtime{{Dir: runtime.Folder(a.config.CacheDir, "cpu")}}
	}
	out := make([]worker.Runtime, len(found))
	for i, f := range found {
		out[i] = worker.Runtime{Dir: f.Dir, Hash: f.Hash}
	}
	return out
}

// switchRuntime puts the libraries that the settings name into use, with the
// models that are loaded. Where that fails, the ones from before serve on, and
// the setting is theirs again.
func (a *App) switchRuntime(ctx context.Context, before setting.Values) error {
	wanted := a.settings().Text(runtimeKey)
	a.machine.forget()
	err := a.tryRuntime(ctx, wanted)
	if err == nil {
		return nil
	}
	old := map[string]string{runtimeKey: before.Text(runtimeKey)}
	undone := context.WithoutCancel(ctx)
	if stored := a.chats.SetSettings(undone, old); stored != nil {
		return errors.Join(err, storageError(stored))
	}
	a.mu.Lock()
	if values, bad := a.values.With(old, setting.FromStored); bad == nil {
		a.values = values
	}
	a.mu.Unlock()
	a.machine.forget()
	if host, ok := a.local.(restarting); ok && host.Runtime() != a.runtimes()[0].Dir {
		if again := host.Restart(undone, a.runtimes()...); again != nil {
			return errors.Join(err, modelError(again))
		}
		a.showLoaded()
	}
	return err
}

// tryRuntime looks at a runtime in a child, lets it compute with a small model in
// another, and lets the worker use it.
func (a *App) tryRuntime(ctx context.Context, wanted string) error {
	found, _ := a.found(ctx)
	if wanted != runtime.Auto {
		if len(found) == 0 || found[0].Name != wanted {
			return &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("The libraries “%s” are not installed.", wanted), Hint: "`referent doctor` shows which are."}
		}
		report, err := runtime.Probe(ctx, found[0].Dir)
		if err != nil {
			return asError(ctx, modelError(err))
		}
		if why := report.Lacks(); why != "" && wanted != "cpu" {
			return &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("The libraries “%s” cannot be used on this computer: %s.", wanted, why), Hint: "What was in use before stays in use."}
		}
		if wanted != "cpu" {
			if _, err := selftest.Run(ctx, found[0].Dir, true); err != nil {
				return asError(ctx, modelError(err))
			}
		}
	}
	host, ok := a.local.(restarting)
	if !ok || len(found) == 0 {
		return nil
	}
	loaded := a.local.Loaded()
	if host.Runtime() == a.runtimes()[0].Dir {
		return nil
	}
	if err := host.Restart(ctx, a.runtimes()...); err != nil {
		return asError(ctx, modelError(err))
	}
	for _, info := range loaded {
		if len(info.Roles) == 0 {
			continue
		}
		t, err := a.local.Tokenizer(info.Roles[0])
		if err == nil {
			_, err = t.CountTokens(ctx, []string{"a"}) // waits until the model is there
		}
		if err != nil && !errors.Is(err, inference.ErrNoModel) { // unloaded meanwhile
			return asError(ctx, modelError(err))
		}
	}
	if i := slices.IndexFunc(found, func(f runtime.Info) bool { return f.Dir == host.Runtime() }); wanted != runtime.Auto && i > 0 {
		return &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("The libraries “%s” did not start with the models in use.", wanted), Hint: "What was in use before stays in use."}
	}
	a.showLoaded()
	return nil
}

// showLoaded describes the roles by what is loaded now.
func (a *App) showLoaded() {
	for _, info := range a.local.Loaded() {
		for _, role := range info.Roles {
			a.roles.show(role, info)
		}
	}
}
