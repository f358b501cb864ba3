package app

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"referent/app/setting"
	"referent/inference"
	"referent/inference/outbound"
	"referent/inference/runtime"
	"referent/inference/runtime/pack"
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
	// Second makes a host for a search model whose index is built beside the one
	// that serves; nil: another worker of llama.cpp.
	Second func() inference.Host
	// Extract replaces the parse workers; nil: the program's own.
	Extract Extractor
	Clock   library.Clock // of the library; nil: the system's
	Battery func() bool   // whether the computer runs on battery; nil: the system says
	// Driver tells why a pack would not run on this computer; nil: its driver says.
	Driver func(context.Context, pack.Pack) error
	Log    func(string) // nil: Log
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
	local   inference.Host // of host, what runs on this computer
	roles   *roles
	dialer  *outbound.Dialer
	hub     *hub
	notices noticer
	line    line    // who may ask now
	guests  callLog // what other programs asked
	bench   bench   // the measurement under way
	outlog  *outlog // every connection to another computer

	transfers transfers  // downloads under way
	packs     sync.Mutex // held by whoever downloads, installs or removes a pack: each sweeps away what looks like the remains of another
	machine   machine
	titles    titles // of conversations, written in the background

	embedders embedders // a change of the search model

	starting sync.Mutex

	mu      sync.Mutex
	reading bool // the library watches and reads
	values  setting.Values
	deleted map[int64]bool         // conversations that are off the lists and can come back
	rate    float64                // tokens a second of the last answer
	warmed  map[inference.Role]int // the load whose constant prompt is evaluated
	events  []StatusNote           // what happened to the models
	serving Serving                // of the server beside the window

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
	a := &App{config: c, ctx: run, cancel: cancel, hub: newHub(), deleted: map[int64]bool{}, warmed: map[inference.Role]int{}}
	a.dialer = outbound.New(a.permit)
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if err = settle(ctx, c.DataDir); err != nil {
		return nil, err
	}
	// Both files before either is opened: a folder that is refused stays as it is.
	if err = errors.Join(markDamaged(chats.FileName, chats.CheckSchema(ctx, c.DataDir)), markDamaged(index.FileName, index.CheckSchema(ctx, c.DataDir))); err != nil {
		return nil, err
	}
	if a.outlog, err = openOutlog(c.DataDir, a.dialer, c.Log); err != nil {
		return nil, err
	}
	a.close = append(a.close, a.outlog.Close)
	if a.chats, err = chats.Open(ctx, c.DataDir); err != nil {
		return nil, markDamaged(chats.FileName, err)
	}
	failed := 0
	if c.Window {
		failed = beginStart(c.DataDir)
		a.close = append(a.close, func() error { return endStart(c.DataDir) })
	}
	a.close = append(a.close, a.chats.Close)
	if a.index, err = index.Open(ctx, c.DataDir); err != nil {
		return nil, markDamaged(index.FileName, err)
	}
	a.close = append(a.close, a.index.Close)
	stored, err := a.chats.Settings(ctx)
	if err != nil {
		return nil, markDamaged(chats.FileName, err)
	}
	a.values = setting.Resolve(stored, nil)
	if a.host = c.Host; a.host == nil {
		a.host = a.newHost("")
	}
	a.local, a.host = a.host, a.besideServers(a.host)
	a.close = append(a.close, a.host.Close)
	a.roles = newRoles(a.host, a.modelFolders(), a.settings, a.changed)
	a.notices.start(a)
	a.close = append(a.close, a.notices.stop)
	if err = a.openEmbedders(ctx); err != nil {
		return nil, err
	}
	if err = a.openIndex(ctx); err != nil {
		return nil, err
	}
	a.openLibrary()
	a.search = retrieve.New(a.retrieveDeps())
	a.turns = turn.New(a.turnDeps())
	if c.Window {
		if err := a.startWindow(failed); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// newHost starts nothing and looks at no library: both happen at the first
// load. Without a usable runtime every load says so.
// Its notes lie in a folder below the data folder; empty: in that itself.
func (a *App) newHost(below string) inference.Host {
	notify := a.workerEvent
	if below != "" { // it plays no role yet
		notify = func(e worker.Event) { e.Info = inference.ModelInfo{}; a.workerEvent(e) }
	}
	return worker.New(worker.Config{StateDir: filepath.Join(a.config.DataDir, below), Threads: a.values.Int("model.threads", 0), Notify: notify,
		Find: a.runtimes, Scarce: runtime.Scarce, Idle: func() time.Duration { return a.settings().Duration("model.idle", inference.DefaultIdle) }})
}

// modelFolders lists where model files may lie: the person's own, those of the
// installed program, those of the set-up.
func (a *App) modelFolders() []string {
	dirs := []string{filepath.Join(a.config.DataDir, "models")}
	for _, place := range places(a.config.CacheDir) {
		dirs = append(dirs, filepath.Join(place, "models"))
	}
	return dirs
}

// loadAhead makes the models ready while the person still reads the window.
func (a *App) loadAhead() {
	for _, role := range []inference.Role{inference.RoleEmbed, inference.RoleAnswer} {
		if c, err := a.roles.wanted(role); err == nil && remoteAddress(c.path) {
			continue // a server is asked when it is needed
		}
		err := a.roles.ensure(a.ctx, role)
		if err == nil && role == inference.RoleAnswer {
			err = a.warm(a.ctx, role)
		}
		if err != nil && a.ctx.Err() == nil {
			a.config.Log("loading " + string(role) + ": " + err.Error())
		}
	}
}

// tell adds a sentence to those at the top of the window; beyond three the oldest
// goes. a.mu is held.
func (a *App) tell(kind, sentence string) {
	a.events = append(a.events, StatusNote{Kind: kind, Sentence: sentence})
	if len(a.events) > 3 {
		a.events = a.events[1:]
	}
}

// workerEvent keeps what happened to the models, for the notice at the top.
func (a *App) workerEvent(e worker.Event) {
	if len(e.Info.Roles) > 0 {
		a.roles.follow(e)
	}
	a.mu.Lock()
	switch e.Kind {
	case worker.EventRested, worker.EventWoken: // nobody needs to do anything
	case worker.EventParked:
		a.tell("bad", e.Sentence)
	default:
		a.tell("warn", e.Sentence)
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
func (a *App) Show(_ context.Context, req ShowRequest) error {
	if !a.config.Window {
		return &rag.Error{Code: rag.CodeNotAvailable, Message: "There is no window to show.", Hint: "Start the program without a command."}
	}
	a.hub.send(Notice{Show: true, Paths: req.Paths, Action: req.Action})
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
