package desktop

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
)

// keeper is use cases of the pages that keep the program in order.
type keeper struct {
	cases
	imported string
	rebuild  func(ctx context.Context, progress func(app.IndexProgress)) error
}

func (k *keeper) Version(context.Context) (app.Version, error) {
	return app.Version{Version: "9.9.9"}, nil
}
func (k *keeper) Doctor(context.Context) (app.Diagnosis, error) {
	return app.Diagnosis{Findings: []app.Finding{{Topic: "models", Sentence: home() + "/m.gguf"}}}, nil
}
func (k *keeper) Settings(context.Context) ([]app.Setting, error) {
	return []app.Setting{{Key: "chat.engine", Value: "blend", Default: "simple"}, {Key: "chat.mode", Value: "auto", Default: "auto"}}, nil
}
func (k *keeper) IndexSize(context.Context) (app.IndexSize, error) {
	return app.IndexSize{Library: 7}, nil
}
func (k *keeper) Runs(context.Context, int) ([]app.Run, error) {
	return []app.Run{{Engine: "blend", Status: "failed_stopped", Code: "condense_failed"}}, nil
}
func (k *keeper) Connections(context.Context) ([]app.Connection, error) {
	return []app.Connection{{Purpose: "download", Host: "a.example:443"}}, nil
}
func (k *keeper) Calls(context.Context) ([]app.Call, error) {
	return []app.Call{{Client: "notes", Via: "api", Route: "POST /api/v1/ask", Status: 200}}, nil
}
func (k *keeper) ImportConversation(_ context.Context, text string) (app.Conversation, error) {
	k.imported = text
	return app.Conversation{ID: 1}, nil
}
func (k *keeper) RebuildIndex(ctx context.Context, progress func(app.IndexProgress)) error {
	return k.rebuild(ctx, progress)
}

func home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir
}

// picking answers the dialog for files.
type picking struct {
	page
	paths []string
}

func (p *picking) PickFiles(context.Context) ([]string, error) { return p.paths, nil }

func TestDiagnostics_TellsWhatHappenedAndNotWhoThePersonIs(t *testing.T) {
	w, p := newTestWindow(t, &keeper{})
	p.save = filepath.Join(t.TempDir(), "d.txt")
	path, err := w.SaveDiagnostics()
	if err != nil || path != p.save {
		t.Fatal(path, err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Referent 9.9.9", "chat.engine = blend", "code=condense_failed", "download a.example:443", "api notes POST /api/v1/ask"} {
		if !strings.Contains(string(body), want) {
			t.Errorf("%q is missing in\n%s", want, body)
		}
	}
	if strings.Contains(string(body), "chat.mode") || len(home()) > 1 && strings.Contains(string(body), home()+"/m.gguf") {
		t.Errorf("too much is told:\n%s", body)
	}
}

func TestImport_TakesOnlyWhatThePersonPicked(t *testing.T) {
	use := &keeper{}
	p := &picking{}
	w := NewWindow(use, nil, func(string) {})
	w.start(p)
	t.Cleanup(w.stop)
	if picked, err := w.PickConversation(); err != nil || picked.Picked {
		t.Errorf("a closed dialog: %+v, %v", picked, err)
	}
	text := `{"conversation":{"title":"Lease"},"turns":[{"question":"Why?","created":"2026-01-02T10:00:00Z","prepared":{},"retrieval":{"hits":[]},"done":{"answer":"So."}}]}`
	p.paths = []string{filepath.Join(t.TempDir(), "lease.json")}
	if err := os.WriteFile(p.paths[0], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	picked, err := w.PickConversation()
	if err != nil || !picked.Picked || picked.File != "lease.json" || picked.Turns != 1 || picked.Title != "Lease" {
		t.Fatalf("%+v, %v", picked, err)
	}
	if _, err := w.ImportConversation(); err != nil || use.imported != text {
		t.Errorf("%q, %v", use.imported, err)
	}
	p.paths = []string{filepath.Join(t.TempDir(), "none.json")}
	if _, err := w.PickConversation(); err == nil || !strings.Contains(err.Error(), "could not be read") {
		t.Errorf("got %v", err)
	}
}

func TestRebuild_IsStoppedByItsName(t *testing.T) {
	began := make(chan struct{})
	w, p := newTestWindow(t, &keeper{rebuild: func(ctx context.Context, progress func(app.IndexProgress)) error {
		progress(app.IndexProgress{Done: 3, Total: 3})
		close(began)
		<-ctx.Done()
		return ctx.Err()
	}})
	ended := make(chan error)
	go func() { ended <- w.RebuildIndex("one") }()
	<-began
	w.Stop("another")
	w.Stop("one")
	if err := <-ended; FormatError(err).(PageError).Code != "cancelled" {
		t.Errorf("got %v", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	body, err := json.Marshal(p.events[len(p.events)-1].data)
	if err != nil || string(body) != `{"id":"one","done":3,"total":3}` {
		t.Errorf("told %s, %v", body, err)
	}
}

func TestRestart_ClosesTheWindowForANewStart(t *testing.T) {
	w, p := newTestWindow(t, &keeper{})
	if err := w.Restart(); err != nil || p.quit != 1 || !Lost(w) {
		t.Errorf("quit %d, lost %v, %v", p.quit, Lost(w), err)
	}
}
