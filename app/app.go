package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"referent/app/setting"
	"referent/inference"
	"referent/inference/outbound"
	"referent/inference/runtime"
	"referent/inference/worker"
	"referent/rag"
	"referent/rag/library"
	"referent/rag/retrieve"
	"referent/rag/segment"
	"referent/rag/turn"
	"referent/storage"
	"referent/storage/chats"
	"referent/storage/index"
)

// Config says where things are. Only DataDir is needed.
type Config struct {
	DataDir  string
	CacheDir string // empty: CacheDir()
	Version  string
	// Window: folders are watched and models are loaded before they are asked
	// for. A command reads and loads only what it needs.
	Window bool
	// Host replaces the worker of llama.cpp; tests set a fake.
	Host inference.Host
	// Extract replaces the parse workers; nil: the program's own.
	Extract Extractor
	Clock   library.Clock // of the library; nil: the system's
	Log     func(string)  // nil: Log
}

// App is the owner of a data folder. All methods may be called from any
// goroutine.
type App struct {
	config  Config
	index   *index.Store
	chats   *chats.Store
	segment *segment.Index
	library *library.Library
	search  *retrieve.Set
	turns   *turn.Runner
	host    inference.Host
	roles   *roles
	dialer  *outbound.Dialer
	hub     *hub
	notices noticer

	starting sync.Mutex

	mu      sync.Mutex
	reading bool // the library watches and reads
	values  setting.Values
	deleted map[int64]bool         // conversations that are off the lists and can come back
	rate    float64                // tokens a second of the last answer
	warmed  map[inference.Role]int // the load whose constant prompt is evaluated
	events  []StatusNote           // what happened to the models

	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup
	close  []func() error // in reverse order of opening
}

// Open opens a data folder whose lock the caller holds.
func Open(ctx context.Context, c Config) (_ *App, err error) {
	if c.Log == nil {
		c.Log = Log
	}
	if c.CacheDir == "" {
		if c.CacheDir, err = CacheDir(); err != nil {
			return nil, err
		}
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	a := &App{config: c, ctx: run, cancel: cancel, hub: newHub(), deleted: map[int64]bool{}, warmed: map[inference.Role]int{}, dialer: outbound.New(nil)}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if a.chats, err = chats.Open(ctx, c.DataDir); err != nil {
		return nil, err
	}
	a.close = append(a.close, a.chats.Close)
	if a.index, err = index.Open(ctx, c.DataDir); err != nil {
		return nil, err
	}
	a.close = append(a.close, a.index.Close)
	stored, err := a.chats.Settings(ctx)
	if err != nil {
		return nil, err
	}
	a.values = setting.Resolve(stored, nil)
	if a.host = c.Host; a.host == nil {
		a.host = a.newHost()
	}
	a.close = append(a.close, a.host.Close)
	a.roles = newRoles(a.host, a.modelFolders(), a.settings, a.changed)
	a.notices.start(a)
	a.close = append(a.close, a.notices.stop)
	if a.segment, err = segment.Open(ctx, a.index, a.embedModel()); err != nil {
		return nil, err
	}
	a.openLibrary()
	a.search = retrieve.New(a.retrieveDeps())
	a.turns = turn.New(a.turnDeps())
	if c.Window {
		if err := a.startLibrary(ctx); err != nil {
			return nil, err
		}
		a.wait.Go(a.loadAhead)
	}
	return a, nil
}

// newHost starts nothing: the worker begins with the first load. Without a
// usable runtime every load says so.
func (a *App) newHost() inference.Host {
	found, _ := runtime.Find(a.config.CacheDir) // the doctor and the first load tell what is wrong
	w := worker.Config{StateDir: a.config.DataDir, Threads: a.values.Int("model.threads", 0), Notify: a.workerEvent}
	for _, f := range found {
		if w.RuntimeDir == "" {
			w.RuntimeDir, w.RuntimeHash = f.Dir, f.Hash
		} else {
			w.OtherRuntimes = append(w.OtherRuntimes, f.Dir)
		}
	}
	if w.RuntimeDir == "" {
		w.RuntimeDir = runtime.Folder(a.config.CacheDir, "cpu")
	}
	return worker.New(w)
}

// modelFolders lists where model files may lie: the person's own, those of the
// installed program, those of the set-up.
func (a *App) modelFolders() []string {
	dirs := []string{filepath.Join(a.config.DataDir, "models")}
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Join(filepath.Dir(exe), "models"), filepath.Join(filepath.Dir(exe), "..", "share", "referent", "models"))
	}
	return append(dirs, filepath.Join(a.config.CacheDir, "models"))
}

// loadAhead makes the models ready while the person still reads the window.
func (a *App) loadAhead() {
	for _, role := range []inference.Role{inference.RoleEmbed, inference.RoleAnswer} {
		err := a.roles.ensure(a.ctx, role)
		if err == nil && role == inference.RoleAnswer {
			err = a.warm(a.ctx, role)
		}
		if err != nil && a.ctx.Err() == nil {
			a.config.Log("loading " + string(role) + ": " + err.Error())
		}
	}
}

// workerEvent keeps what happened to the models, for the notice at the top.
func (a *App) workerEvent(e worker.Event) {
	a.mu.Lock()
	kind := "warn"
	if e.Kind == worker.EventParked {
		kind = "bad"
	}
	a.events = append(a.events, StatusNote{Kind: kind, Sentence: e.Sentence})
	if len(a.events) > 3 {
		a.events = a.events[1:]
	}
	if e.Kind == worker.EventDied {
		clear(a.warmed) // what was evaluated went with the worker
	}
	a.mu.Unlock()
	a.changed()
}

// settings returns the values in force.
func (a *App) settings() setting.Values {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.values
}

// changed tells the watchers that something they show is new.
func (a *App) changed() { a.notices.wake() }

// Show implements UseCases.
func (a *App) Show(_ context.Context, paths []string) error {
	if !a.config.Window {
		return &rag.Error{Code: rag.CodeNotAvailable, Message: "There is no window to show.", Hint: "Start the program without a command."}
	}
	a.hub.send(Notice{Show: true, Paths: paths})
	return nil
}

// Watch implements UseCases.
func (a *App) Watch(ctx context.Context, each func(Notice)) error {
	a.notices.wake()
	return a.hub.watch(ctx, each)
}

// closeTime bounds the wait for running work at the end.
const closeTime = 20 * time.Second

// Close ends all work and closes the data folder. What was stored stays.
func (a *App) Close() error {
	a.cancel()
	a.wait.Wait()
	var errs []error
	if a.chats != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		errs = append(errs, a.eraseDeleted(ctx))
		cancel()
	}
	for i := len(a.close) - 1; i >= 0; i-- {
		errs = append(errs, a.close[i]())
	}
	a.close = nil
	return errors.Join(errs...)
}

// storageError turns an error of storage into one that a front can show.
func storageError(err error) error {
	var stored *storage.Error
	var known *rag.Error
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, chats.ErrUnknownConversation):
		return &rag.Error{Code: rag.CodeUnknownConversation, Message: "There is no such conversation.", Hint: "`referent conversations list` shows them.", Cause: err}
	case errors.As(err, &stored):
		return &rag.Error{Code: rag.CodeStorageFailed, Message: stored.Message, Hint: stored.Hint, Cause: err}
	}
	return &rag.Error{Code: rag.CodeStorageFailed, Message: "The data could not be read or stored.", Hint: "Try again; if it stays, run `referent doctor`.", Cause: err}
}
