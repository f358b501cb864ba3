package desktop

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
	"referent/storage"
)

// damagedFolder makes a data folder that does not open, and returns why.
func damagedFolder(t *testing.T, names ...string) (dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat("this is no database ", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err = app.Open(t.Context(), app.Config{DataDir: dir, CacheDir: t.TempDir(), Version: "test", Host: fake.New(fake.Config{})})
	if err == nil {
		t.Fatal("the damaged folder opens")
	}
	return dir, err
}

// textsOf is the part of the page in one language, unescaped.
func textsOf(t *testing.T, trouble *Trouble, language string) string {
	t.Helper()
	answer := httptest.NewRecorder()
	trouble.ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
	_, after, found := strings.Cut(answer.Body.String(), `<main lang="`+language+`"`)
	texts, _, closed := strings.Cut(after, "</main>")
	if !found || !closed {
		t.Fatalf("the page has no %s", language)
	}
	return texts
}

func TestTrouble_ThePageHasTheSentenceAndTheWaysOutInBothLanguages(t *testing.T) {
	full := &storage.Error{Kind: storage.ErrDiskFull, Message: "The disk is full. What was stored before is safe.", Hint: "Free some space, then try again."}
	for _, test := range []struct {
		name             string
		err              error
		english, italian []string
		not              string
	}{
		{"a full disk", full, []string{full.Message, full.Hint, `data-way="retry"`, `data-way="elsewhere"`, "/home/ada/data", "Try again"},
			[]string{"Il disco è pieno.", "Riprova", "Scegli un&#39;altra cartella dei dati", "/home/ada/data"}, `data-way="set_aside"`},
		{"another process", &rag.Error{Code: rag.CodeLibraryBusy, Message: "Another <b>Referent</b> holds it.", Hint: "Close it."},
			[]string{"Another &lt;b&gt;Referent&lt;/b&gt; holds it.", "Close it."}, []string{"Riprova"}, "<b>"},
		{"something else", errors.New("odd"), []string{"Referent cannot start: odd."}, []string{"Referent non può aprire la tua libreria"}, "restore"},
	} {
		trouble := NewTrouble(test.err, "/home/ada/data")
		for language, wants := range map[string][]string{"en": test.english, "it": test.italian} {
			body := textsOf(t, trouble, language)
			for _, want := range wants {
				if !strings.Contains(body, want) {
					t.Errorf("%s: the page in %s lacks %q:\n%s", test.name, language, want, body)
				}
			}
			if strings.Contains(body, test.not) {
				t.Errorf("%s: the page in %s holds %q", test.name, language, test.not)
			}
		}
	}
}

func TestTrouble_ADamagedFileHasThreeWaysOutThatAsk(t *testing.T) {
	for _, test := range []struct {
		names            []string
		english, italian []string
		not              string
	}{
		{[]string{"index.db"}, []string{"Begin with a new index", "Your conversations stay.", "list of your folders"}, []string{"Comincia con un indice nuovo", "Le tue conversazioni restano."}, "default"},
		{[]string{"chats.db"}, []string{"Begin without conversations", "every setting has its default"}, []string{"Comincia senza conversazioni", "ogni impostazione"}, "collections"},
		{[]string{"chats.db", "index.db"}, []string{"Begin anew", "every setting has its default", "until you add them again"}, []string{"Comincia da capo", "finché non le aggiungi"}, "conversations stay"},
	} {
		dir, err := damagedFolder(t, test.names...)
		for language, wants := range map[string][]string{"en": test.english, "it": test.italian} {
			body := textsOf(t, NewTrouble(err, dir), language)
			for _, want := range append(wants, `data-asks="set_aside"`, `data-asks="restore"`, `<dialog data-of="set_aside"`, `<dialog data-of="restore"`) {
				if !strings.Contains(body, want) {
					t.Errorf("%q: the page in %s lacks %q:\n%s", test.names, language, want, body)
				}
			}
			if strings.Contains(body, test.not) || strings.Contains(body, "go_back") {
				t.Errorf("%q: the page in %s offers what is not there:\n%s", test.names, language, body)
			}
		}
		backup := filepath.Join(dir, "backup")
		if err := os.MkdirAll(backup, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range test.names {
			path := filepath.Join(backup, strings.TrimSuffix(name, ".db")+"-20260101-120000.000000000.db")
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if body := textsOf(t, NewTrouble(err, dir), "it"); !strings.Contains(body, `data-asks="go_back"`) || !strings.Contains(body, "Torna a una copia") {
			t.Errorf("%q: no copy is offered:\n%s", test.names, body)
		}
	}
}

// An empty file opens as a whole database, one that is no database does not.
func TestTrouble_TheCopyThatIsNamedIsTaken(t *testing.T) {
	dir, damaged := damagedFolder(t, "chats.db")
	backup := filepath.Join(dir, "backup")
	newest, whole := filepath.Join(backup, "chats-20260301-120000.000000000.db"), filepath.Join(backup, "chats-20260101-120000.000000000.db")
	if err := errors.Join(os.MkdirAll(backup, 0o700), os.WriteFile(newest, []byte("no database"), 0o600), os.WriteFile(whole, nil, 0o600),
		os.Chtimes(whole, time.Time{}, time.Date(2026, 5, 3, 9, 0, 0, 0, time.UTC))); err != nil {
		t.Fatal(err)
	}
	trouble := NewTrouble(damaged, dir)
	if taken, err := trouble.take(t.Context(), WayGoBack, nil); taken || err != nil {
		t.Errorf("a copy is taken that was not named: %v, %v", taken, err)
	}
	found, err := trouble.find(t.Context())
	if err != nil || found.At != "2026-05-03T09:00:00Z" || len(found.Names) != 1 || found.Names[0] != filepath.Base(whole) {
		t.Fatalf("%+v, %v", found, err)
	}
	if taken, err := trouble.take(t.Context(), WayGoBack, nil); !taken || err != nil || trouble.way != WayGoBack {
		t.Errorf("%v, %v, %s", taken, err, trouble.way)
	}
}

// Every text of the page is said, and none stands in it in one language only.
func TestTrouble_ThePageSaysAllItsTexts(t *testing.T) {
	text := regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<title>.*?</title>|\{\{.*?\}\}|<[^>]*>`).ReplaceAllString(troublePage, " ")
	for _, word := range strings.Fields(text) {
		if word != "." {
			t.Errorf("trouble.html says %q in every language", word)
		}
	}
}

// picked is a page on which a person picks a file.
type picked struct {
	page
	path string
}

func (p *picked) PickFiles(context.Context) ([]string, error) { return []string{p.path}, nil }
func (p *picked) PickFolder(context.Context) (string, error)  { return "", nil }

func TestTrouble_AWayIsTakenOnceItIsOfferedAndDone(t *testing.T) {
	dir, damaged := damagedFolder(t, "chats.db")
	for _, test := range []struct {
		name   string
		err    error
		way    Way
		taken  bool
		failed bool
		want   Way
	}{
		{"again", errors.New("odd"), WayRetry, true, false, WayRetry},
		{"a dialog that was closed", errors.New("odd"), WayElsewhere, false, false, WayClose},
		{"no damage", errors.New("odd"), WaySetAside, false, false, WayClose},
		{"no copy", damaged, WayGoBack, false, false, WayClose},
		{"unknown", damaged, "rm -rf", false, false, WayClose},
		{"no backup", damaged, WayRestore, false, true, WayClose},
		{"aside", damaged, WaySetAside, true, false, WaySetAside},
	} {
		trouble := NewTrouble(test.err, dir)
		taken, err := trouble.take(t.Context(), test.way, &picked{path: filepath.Join(dir, "chats.db")})
		if taken != test.taken || (err != nil) != test.failed || trouble.way != test.want {
			t.Errorf("%s: %v, %v, %s", test.name, taken, err, trouble.way)
		}
		if test.failed {
			trouble.language = "it"
			if said := trouble.formatError(err).(PageError); !strings.Contains(said.Message+said.Hint, "Non è cambiato nulla") {
				t.Errorf("%s: the page says %+v", test.name, said)
			}
		}
	}
	a, err := app.Open(t.Context(), app.Config{DataDir: dir, CacheDir: t.TempDir(), Version: "test", Host: fake.New(fake.Config{})})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// ready is use cases of which the page can be told the state.
type ready struct{ cases }

func (*ready) Status(context.Context) (app.Status, error) { return app.Status{}, nil }

func TestWindow_DoesOnceWhatItWasStartedFor(t *testing.T) {
	w, p := NewWindow(&ready{}, nil, func(string) {}), &page{}
	Begin(w, app.ShowRequest{Paths: []string{"/docs/a.pdf"}, Action: app.ActionAddFiles})
	w.start(p)
	defer w.stop()
	for range 2 { // a page that is loaded again is not started again
		if err := w.WindowReady(); err != nil {
			t.Fatal(err)
		}
	}
	var paths, actions []any
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		switch e.name {
		case "open_paths":
			paths = append(paths, e.data)
		case "open_action":
			actions = append(actions, e.data)
		}
	}
	if len(paths) != 1 || paths[0].([]string)[0] != "/docs/a.pdf" || len(actions) != 1 || actions[0] != app.ActionAddFiles {
		t.Errorf("paths %v, actions %v", paths, actions)
	}
}
