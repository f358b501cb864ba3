package desktop

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"sync"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"referent/rag"
	"referent/storage"
)

// Way is what a person chose on the page of a start that failed.
type Way string

// The ways out.
const (
	WayClose     Way = "close"
	WayRetry     Way = "retry"
	WayElsewhere Way = "elsewhere" // with another data folder
	WaySetAside  Way = "set_aside" // with a new index; the damaged one is kept
)

// Trouble is the page that is shown where a data folder does not open. Its
// method Choose is what the page calls.
type Trouble struct {
	message, hint, dir string
	setAside           bool

	mu  sync.Mutex
	ctx context.Context
	way Way
	at  string
}

// NewTrouble makes the page. damaged: it offers to begin with a new index.
func NewTrouble(err error, dir string, damaged bool) *Trouble {
	t := &Trouble{dir: dir, setAside: damaged, way: WayClose}
	var known *rag.Error
	var stored *storage.Error
	switch {
	case errors.As(err, &known):
		t.message, t.hint = known.Message, known.Hint
	case errors.As(err, &stored):
		t.message, t.hint = stored.Message, stored.Hint
	default:
		t.message = "Referent cannot start: " + err.Error() + "."
	}
	return t
}

//go:embed trouble.html
var troublePage string

var troubleTemplate = template.Must(template.New("trouble").Parse(troublePage))

// page renders the page; everything in it is escaped.
func (t *Trouble) page() ([]byte, error) {
	var out bytes.Buffer
	err := troubleTemplate.Execute(&out, map[string]any{"Message": t.message, "Hint": t.hint, "Dir": t.dir, "SetAside": t.setAside})
	return out.Bytes(), err
}

// ServeHTTP serves the page under every path.
func (t *Trouble) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	body, err := t.page()
	if err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(body) // a reader that is gone needs no page
}

// Choose ends the page with a way out; for another folder it asks which.
func (t *Trouble) Choose(way string) error {
	t.mu.Lock()
	ctx := t.ctx
	t.mu.Unlock()
	at := ""
	if Way(way) == WayElsewhere {
		var err error
		if at, err = (wailsPlatform{ctx}).PickFolder(ctx); err != nil || at == "" {
			return err
		}
	}
	t.decide(Way(way), at)
	runtime.Quit(ctx)
	return nil
}

// decide keeps a way that the page offers.
func (t *Trouble) decide(way Way, at string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if way == WayRetry || way == WayElsewhere || way == WaySetAside && t.setAside {
		t.way, t.at = way, at
	}
}

// RunTrouble shows the page until a way is chosen or the window is closed. at
// is the chosen folder of WayElsewhere.
func RunTrouble(t *Trouble) (way Way, at string, err error) {
	if !hasDisplay() {
		return WayClose, "", ErrNoDisplay
	}
	err = wails.Run(&options.App{
		Title: "Referent", Width: 720, Height: 460,
		AssetServer:        &assetserver.Options{Handler: t},
		LogLevelProduction: logger.ERROR,
		Bind:               []any{t},
		ErrorFormatter:     FormatError,
		OnStartup: func(ctx context.Context) {
			t.mu.Lock()
			t.ctx = ctx
			t.mu.Unlock()
		},
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.way, t.at, err
}
