//go:build browser

package desktop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/inference/runtime/pack"
	"referent/rag"
	"referent/rag/extract"
)

// noDriver is what the pack lacks in every world.
var noDriver = &inference.Error{Kind: inference.ErrNoRuntime, Message: "No driver of NVIDIA was found on this computer, so the pack would not run here."}

// world is the whole program on the fake model behind a page in Chromium.
type world struct {
	*browser
	bridge  *bridge
	app     *app.App
	host    *fake.Host
	folder  string // of documents
	data    string
	cache   string
	address string
	close   func() // the program; more than once does nothing
}

// house is a document with facts that the stories ask for.
const house = `# Quay House

## Laundry

The laundry of Quay House is open from 6 in the morning to 10 in the evening. A wash costs 2.10 euros and a drying costs 1.50 euros.

## Lift

The lift of Quay House carries four persons or 320 kilograms. Harbour Lift Service maintains it.

## Parking

A parking place in the ramp garage of Quay House costs 62 euros a month.
`

// openWorld begins with an empty library; set values are stored settings.
func openWorld(t *testing.T, host *fake.Host, set map[string]string) *world {
	t.Helper()
	w := &world{folder: filepath.Join(t.TempDir(), "Documents with spaces, é and %"), data: filepath.Join(t.TempDir(), "data")}
	if err := os.MkdirAll(w.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	w.write(t, "quay-house.md", house)
	for key, value := range set {
		t.Setenv("REFERENT_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_")), value)
	}
	if host == nil {
		host = fake.New(fake.Config{})
	}
	w.host, w.cache = host, t.TempDir()
	for _, role := range []inference.Role{inference.RoleAnswer, inference.RoleEmbed} {
		emptyModel(t, filepath.Join(w.cache, "models"), role)
	}
	w.start(t)
	return w
}

// start opens the data folder and a page on it.
func (w *world) start(t *testing.T) {
	t.Helper()
	a, err := app.Open(t.Context(), app.Config{DataDir: w.data, CacheDir: w.cache, Version: "test", Window: true, Host: calibrated{w.host},
		Extract: func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
			return extract.File(ctx, path, extract.Options{Encoding: file.Encoding})
		},
		Driver: func(context.Context, pack.Pack) error { return noDriver }})
	if err != nil {
		t.Fatal(err)
	}
	w.app = a
	w.bridge, w.address = serve(t, NewWindow(a, nil, func(s string) { t.Log(s) }))
	w.bridge.picks = []string{w.folder}
	closed := false
	w.close = func() {
		if closed {
			return
		}
		closed = true
		w.bridge.window.stop()
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(w.close)
	w.browser = openBrowser(t, w.address)
	w.SeeRole("contentinfo", "Status")
}

// Restart closes the program and its page, and starts both on the same folders.
func (w *world) Restart() {
	w.t.Helper()
	w.do("end", element{}, nil)
	w.close()
	w.start(w.t)
}

// calibrated is the fake behind the names of the catalogue, with the floor that
// suits its vectors.
type calibrated struct{ *fake.Host }

func (c calibrated) Load(ctx context.Context, spec inference.LoadSpec, progress func(float64)) (inference.ModelInfo, error) {
	spec.Profile.FloorCosine = fake.FloorCosine
	return c.Host.Load(ctx, spec, progress)
}

// emptyModel stands for an installed starter model: the right name and size.
func emptyModel(t *testing.T, dir string, role inference.Role) {
	t.Helper()
	e, ok := catalogue.Starter(role)
	if !ok {
		t.Fatalf("no starter model for %s", role)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, e.File))
	if err == nil {
		err = errors.Join(f.Truncate(e.Bytes), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// write makes a document that was saved a while ago: one that is being saved is
// not read before it has rested.
func (w *world) write(t *testing.T, name, body string) {
	t.Helper()
	path, saved := filepath.Join(w.folder, name), time.Now().Add(-time.Minute)
	if err := errors.Join(os.WriteFile(path, []byte(body), 0o600), os.Chtimes(path, saved, saved)); err != nil {
		t.Fatal(err)
	}
}

// AddFolder adds the folder on the first screen and goes on to the chat.
func (w *world) AddFolder() {
	w.t.Helper()
	w.Click("button", "Add folder")
	w.Click("button", "Open chat") // can be pressed once a file is read
	if err := w.app.Sync(w.t.Context(), nil); err != nil {
		w.t.Fatal(err)
	}
}

func TestBrowser_ANewPersonAddsAFolderAsksAndOpensTheCitation(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.See("Ask your own documents")
	w.picture("start")
	w.AddFolder()
	w.Becomes("the focus is in the question", `document.activeElement?.ariaLabel`, "Question")
	w.do("type", element{}, map[string]any{"text": askLaundry})
	w.Press("Enter")
	w.See("First question, no earlier messages.")
	w.See("Supported")
	w.Becomes("who does not point at it sees the way to correct the search", `getComputedStyle(document.querySelector('article [aria-label="Edit the search text"]').parentElement).opacity`, "1")
	w.See("6 in the morning")
	w.picture("answered")
	w.Click("button", "Citation 1")
	w.Press("Control+2")
	w.See("quay-house.md")
	w.See("Indexed")
	w.picture("library")
	w.Quiet()
}

func TestBrowser_AFollowUpShowsWhatWasSearchedAndCanBeSearchedInOnesOwnWords(t *testing.T) {
	w := openWorld(t, nil, map[string]string{"chat.engine": "condense_context"})
	w.AddFolder()
	w.Ask("When is the laundry of Quay House open?")
	w.See("Supported")
	w.Ask("What does it cost there?")
	w.See("condense_context, rewritten in")
	w.picture("follow-up")
	w.Click("radio", "Your words")
	w.Click("button", "Search again")
	w.See("Searched your words, as you chose.")
	w.Quiet()
}

func TestBrowser_AStoppedTurnOffersBothWaysOn(t *testing.T) {
	host := fake.New(fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Err: inference.ErrWorkerDied}, role == inference.RoleCondense
	}})
	w := openWorld(t, host, map[string]string{"chat.engine": "condense_context", "condense.on_failure": "stop"})
	w.AddFolder()
	w.Ask("When is the laundry of Quay House open?")
	w.See("Supported")
	w.Type("textbox", "Question", "And what does it cost?")
	w.Press("Enter")
	w.See("No answer: the rewrite failed (the model did not respond).")
	w.picture("stopped")
	w.ClickExact("button", "Search my words")
	w.See("Searched your words, as you chose.")
	w.Quiet()
}

func TestBrowser_StopReturnsTheQuestion(t *testing.T) {
	release := make(chan struct{})
	host := fake.New(fake.Config{Step: func(ctx context.Context, s fake.Step) error {
		if s.Role == inference.RoleAnswer && s.Phase == fake.PhaseDecode && s.N > 3 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-release:
			}
		}
		return nil
	}})
	defer close(release)
	w := openWorld(t, host, nil)
	w.AddFolder()
	w.Type("textbox", "Question", "When is the laundry of Quay House open?")
	w.Press("Enter")
	w.Click("button", "Stop")
	w.See("Nothing was stored; your question is back in the field.")
	if got := w.do("value", element{Role: "textbox", Name: "Question"}, nil); got != "When is the laundry of Quay House open?" {
		t.Errorf("the field holds %q", got)
	}
	all, err := w.app.Conversations(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Turns != 0 {
			t.Errorf("a stopped turn was stored in %q", c.Title)
		}
	}
	w.Quiet()
}

func TestBrowser_ARefusalSaysThatTheDocumentsDoNotAnswer(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Ask("Quantum chromodynamics lattice spacing?")
	w.See("No answer found")
	w.Quiet()
}

func TestBrowser_ARestrictedFolderIsShownAndNeverSearched(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	if err := w.app.SetLabel(t.Context(), w.folder, "restricted"); err != nil {
		t.Fatal(err)
	}
	w.Press("Control+2")
	w.See("estricted")
	w.Press("Control+1")
	w.Ask("When is the laundry of Quay House open?")
	w.See("No answer found")
	w.Quiet()
}

func TestBrowser_AReloadShowsTheSameTurn(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Ask("What does the lift of Quay House carry?")
	w.See("Supported")
	w.do("reload", element{}, nil) // a reload shows the same turn
	w.Press("Control+1")
	w.Click("button", "What does the lift of Quay House carry?")
	w.SeeRole("article", "What does the lift of Quay House carry?")
	w.See("Supported")
	w.Quiet()
}

func TestBrowser_SettingsAreValidatedAndKept(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.Click("button", "Skip set-up")
	w.Press("Control+5")
	w.See("Engine and GPU")
	w.picture("settings")
	if err := w.app.SetSettings(t.Context(), map[string]string{"retrieve.k": "900"}); !errors.Is(err, &rag.Error{Code: rag.CodeInvalidSetting}) {
		t.Errorf("got %v", err)
	}
	w.Press("Control+3")
	w.See("What loaded, and why")
	w.picture("models")
	w.Press("Control+4")
	w.See("No runs yet.")
	w.do("theme", element{}, map[string]any{"text": "dark"})
	w.picture("lab-dark")
	w.Quiet()
}
