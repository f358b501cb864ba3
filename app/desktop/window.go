package desktop

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"

	"referent/app"
	"referent/rag"
)

// Window is the object that the page calls. Methods run each in a goroutine of
// their own and may be called at any time after Start.
type Window struct {
	use      app.UseCases
	platform Platform
	log      func(string)
	samples  []string        // questions offered beside the sample library
	first    app.ShowRequest // what the page does once it listens

	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup

	mu    sync.Mutex
	turns map[string]context.CancelFunc // running questions by the page's id
	lost  bool                          // the program has to start again
	// picked is the file of a conversation that may be imported.
	picked   string
	language atomic.Pointer[string] // of the page; nil: English
}

// NewWindow wires a window. log gets faults without any document text; samples
// are the questions that the first screen offers, usually none.
func NewWindow(use app.UseCases, samples []string, log func(string)) *Window {
	ctx, cancel := context.WithCancel(context.Background())
	return &Window{use: use, log: log, samples: samples, ctx: ctx, cancel: cancel, turns: map[string]context.CancelFunc{}}
}

// Begin sets what the page of w does once it listens. It is called before Run,
// and is no method, since the page could call that.
func Begin(w *Window, first app.ShowRequest) { w.first = first }

// Lost tells whether w closed because the process behind its use cases ended, or
// because the page asked for a new start. It is no method, since the page could
// call that.
func Lost(w *Window) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

// start connects the platform and begins to deliver notices. It is called once,
// before the page can call.
func (w *Window) start(p Platform) {
	w.platform = speaking{Platform: p, window: w}
	p = w.platform
	w.wait.Go(func() {
		err := w.use.Watch(w.ctx, func(n app.Notice) {
			switch {
			case n.Library != nil:
				p.Emit("library", n.Library)
			case n.Status != nil:
				p.Emit("status", n.Status)
			case n.Evaluation != nil:
				p.Emit("evaluation", n.Evaluation)
			case n.Show:
				p.Raise()
				w.open(n.Paths, n.Action)
			}
		})
		if w.ctx.Err() != nil {
			return
		}
		w.log(fmt.Sprintf("notices ended: %v", err))
		w.mu.Lock()
		w.lost = true
		w.mu.Unlock()
		p.Quit()
	})
}

// open hands paths and an action to the page.
func (w *Window) open(paths []string, action string) {
	if len(paths) > 0 {
		w.platform.Emit("open_paths", paths)
	}
	if action != "" {
		w.platform.Emit("open_action", action)
	}
}

// stop cancels what runs and waits for it.
func (w *Window) stop() {
	w.cancel()
	w.wait.Wait()
}

// WindowReady tells that the page listens; the newest state follows as events.
func (w *Window) WindowReady() error {
	return guardDo(w, func(ctx context.Context) error {
		library, err := w.use.Library(ctx)
		if err != nil {
			return err
		}
		status, err := w.use.Status(ctx)
		if err != nil {
			return err
		}
		w.platform.Emit("library", library)
		w.platform.Emit("status", status)
		w.mu.Lock()
		first := w.first
		w.first = app.ShowRequest{}
		w.mu.Unlock()
		w.open(first.Paths, first.Action)
		return nil
	})
}

// Status returns the status strip.
func (w *Window) Status() (app.Status, error) { return guard(w, w.use.Status) }

// Version names the parts of the program.
func (w *Window) Version() (app.Version, error) { return guard(w, w.use.Version) }

// DemoInfo is what the first screen offers beside the sample library.
type DemoInfo struct {
	SampleQuestions []string `json:"sample_questions"`
}

// Demo returns the sample questions, none outside the demo.
func (w *Window) Demo() DemoInfo { return DemoInfo{SampleQuestions: append([]string{}, w.samples...)} }

// OpenLink opens an address outside. The page has asked the person before.
func (w *Window) OpenLink(address string) error {
	return guardDo(w, func(context.Context) error {
		u, err := url.Parse(address)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto") {
			return &rag.Error{Code: rag.CodeNotAvailable, Message: "This link is not opened.", Hint: "Only http, https and mailto links are."}
		}
		w.platform.OpenLink(u.String())
		return nil
	})
}

// Models returns the roles, the catalogue and the runtime.
func (w *Window) Models() (app.Models, error) { return guard(w, w.use.Models) }

// LoadModel loads a model for a role.
func (w *Window) LoadModel(role, id string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.LoadModel(ctx, role, id) })
}

// Settings returns the settings panel.
func (w *Window) Settings() ([]app.Setting, error) { return guard(w, w.panel) }

// panel reads the settings and puts in force what belongs to the window itself.
func (w *Window) panel(ctx context.Context) ([]app.Setting, error) {
	all, err := w.use.Settings(ctx)
	for _, s := range all {
		if percent, odd := strconv.Atoi(s.Value); s.Key == "window.zoom" && odd == nil {
			w.platform.Zoom(percent)
		}
	}
	return all, err
}

// SetSetting changes one setting and returns the panel.
func (w *Window) SetSetting(key, value string) ([]app.Setting, error) {
	return guard(w, func(ctx context.Context) ([]app.Setting, error) {
		if err := w.use.SetSettings(ctx, map[string]string{key: value}); err != nil {
			return nil, err
		}
		return w.panel(ctx)
	})
}

// ResetSetting goes back to the default and returns the panel.
func (w *Window) ResetSetting(key string) ([]app.Setting, error) {
	return guard(w, func(ctx context.Context) ([]app.Setting, error) {
		if err := w.use.ResetSetting(ctx, key); err != nil {
			return nil, err
		}
		return w.panel(ctx)
	})
}
