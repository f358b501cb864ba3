package desktop

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"referent/app"
	"referent/app/sentence"
	"referent/rag"
	"referent/storage"
)

// Way is what a person chose on the page of a start that failed.
type Way string

// The ways out. Those of a damaged data folder ask first, delete nothing, and the
// start is tried again after them.
const (
	WayClose     Way = "close"
	WayRetry     Way = "retry"
	WayElsewhere Way = "elsewhere" // with another data folder
	WaySetAside  Way = "set_aside" // with new files; the damaged ones are kept
	WayGoBack    Way = "go_back"   // with the copy that the page has named
	WayRestore   Way = "restore"   // with a backup that the person chooses
)

// Trouble is the page that is shown where a data folder does not open. Its
// method Choose is what the page calls.
type Trouble struct {
	message, hint, dir string
	damage             app.Damage
	copied             bool // there are copies, whole or not

	mu       sync.Mutex
	ctx      context.Context
	language string    // that the page showed when it chose
	found    *app.Copy // that the page has named; nil: none yet
	way      Way
	at       string
}

// NewTrouble makes the page for the error with which a data folder did not open.
func NewTrouble(err error, dir string) *Trouble {
	t := &Trouble{dir: dir, damage: app.DamageOf(err), way: WayClose}
	t.copied = app.HasCopies(dir, t.damage)
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

// troubleLanguages are those that the page brings along. It shows that of the
// system: a stored choice lies in the data folder, which did not open.
var troubleLanguages = []string{"en", "it"}

var troubleTemplate = template.Must(template.New("trouble").Funcs(template.FuncMap{"say": (*sentence.Speaker)(nil).Say}).Parse(troublePage))

// page renders the page; everything in it is escaped.
func (t *Trouble) page() ([]byte, error) {
	var texts []template.HTML
	for _, language := range troubleLanguages {
		in := template.Must(troubleTemplate.Clone()).Funcs(template.FuncMap{"say": sentence.For(language).Say})
		var out bytes.Buffer
		if err := in.ExecuteTemplate(&out, "texts", map[string]any{"Language": language, "Message": t.message, "Hint": t.hint, "Dir": t.dir,
			"Damage": t.damage, "Damaged": t.damage.Any(), "Copied": t.copied}); err != nil {
			return nil, err
		}
		texts = append(texts, template.HTML(out.String())) // escaped by its own template
	}
	var out bytes.Buffer
	err := template.Must(troubleTemplate.Clone()).Execute(&out, texts) // what has run cannot be cloned
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

// Found is the copy that the page names before it is taken.
type Found struct {
	At    string   `json:"at"`    // RFC 3339
	Names []string `json:"names"` // in the folder "backup"
}

// FindCopy looks for the newest whole copy, which may take a while. WayGoBack takes
// that one and no other.
func (t *Trouble) FindCopy(language string) (Found, error) {
	t.mu.Lock()
	ctx := t.ctx
	t.language = language
	t.mu.Unlock()
	return guarded(app.Log, func() (Found, error) { return t.find(ctx) })
}

func (t *Trouble) find(ctx context.Context) (Found, error) {
	found, err := app.FindCopy(ctx, t.dir, t.damage)
	if err != nil {
		return Found{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.found = &found
	return Found{At: found.At.UTC().Format(time.RFC3339), Names: found.Names()}, nil
}

// Choose ends the page with a way out. Where it fails, the page stays and shows
// why, in its language. chosen is false where a dialog was closed.
func (t *Trouble) Choose(way, language string) (chosen bool, err error) {
	t.mu.Lock()
	ctx := t.ctx
	t.language = language
	t.mu.Unlock()
	chosen, err = guarded(app.Log, func() (bool, error) { return t.take(ctx, Way(way), wailsPlatform{ctx, sentence.For(language).Say}) })
	if err == nil && chosen {
		runtime.Quit(ctx)
	}
	return chosen, err
}

// formatError is FormatError in the language of the page.
func (t *Trouble) formatError(err error) any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return said(sentence.For(t.language), FormatError(err).(PageError))
}

// take does what a way needs, and keeps it.
func (t *Trouble) take(ctx context.Context, way Way, pick Platform) (bool, error) {
	if !t.offers(way) {
		return false, nil
	}
	at := ""
	switch way {
	case WayElsewhere:
		var err error
		if at, err = pick.PickFolder(ctx); err != nil || at == "" {
			return false, err
		}
	case WaySetAside:
		if err := app.SetAside(t.dir, t.damage); err != nil {
			return false, err
		}
	case WayGoBack:
		if err := app.GoBack(ctx, t.dir, t.damage, *t.named()); err != nil {
			return false, err
		}
	case WayRestore:
		paths, err := pick.PickFiles(ctx)
		if err != nil || len(paths) == 0 {
			return false, err
		}
		if _, err := app.Restore(ctx, t.dir, paths[0]); err != nil {
			return false, err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.way, t.at = way, at
	return true, nil
}

// offers tells whether the page offers a way.
func (t *Trouble) offers(way Way) bool {
	switch way {
	case WayRetry, WayElsewhere:
		return true
	case WaySetAside, WayRestore:
		return t.damage.Any()
	case WayGoBack:
		return t.named() != nil
	}
	return false
}

// named is the copy that the page has named; nil: none.
func (t *Trouble) named() *app.Copy {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.found
}

// RunTrouble shows the page until a way is chosen or the window is closed. at
// is the chosen folder of WayElsewhere.
func RunTrouble(t *Trouble) (way Way, at string, err error) {
	if !hasDisplay() {
		return WayClose, "", ErrNoDisplay
	}
	err = wails.Run(&options.App{
		Title: "Referent", Width: 760, Height: 560,
		AssetServer:        &assetserver.Options{Handler: t},
		LogLevelProduction: logger.ERROR,
		Bind:               []any{t},
		ErrorFormatter:     t.formatError,
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
