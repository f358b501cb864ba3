package desktop

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"referent/app"
	"referent/rag"
	"referent/storage"
)

func TestTrouble_ThePageHasTheSentenceAndTheWaysOut(t *testing.T) {
	for _, test := range []struct {
		name    string
		err     error
		damaged bool
		want    []string
		not     string
	}{
		{"a full disk", &storage.Error{Kind: storage.ErrDiskFull, Message: "The disk is full.", Hint: "Free some space."}, false,
			[]string{"The disk is full.", "Free some space.", `data-way="retry"`, `data-way="elsewhere"`, "/home/ada/data"}, `data-way="set_aside"`},
		{"a damaged index", &storage.Error{Message: "A file is damaged."}, true, []string{"A file is damaged.", `data-way="set_aside"`, "your conversations stay"}, "&lt;nil"},
		{"another process", &rag.Error{Code: rag.CodeLibraryBusy, Message: "Another <b>Referent</b> holds it.", Hint: "Close it."}, false,
			[]string{"Another &lt;b&gt;Referent&lt;/b&gt; holds it.", "Close it."}, "<b>"},
		{"something else", errors.New("odd"), false, []string{"Referent cannot start: odd."}, "set_aside"},
	} {
		answer := httptest.NewRecorder()
		NewTrouble(test.err, "/home/ada/data", test.damaged).ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
		body := answer.Body.String()
		for _, want := range test.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the page lacks %q", test.name, want)
			}
		}
		if strings.Contains(body, test.not) {
			t.Errorf("%s: the page holds %q", test.name, test.not)
		}
	}
}

func TestTrouble_OnlyOfferedWaysAreTaken(t *testing.T) {
	for _, test := range []struct {
		damaged bool
		way     Way
		want    Way
	}{{false, WayRetry, WayRetry}, {false, WaySetAside, WayClose}, {true, WaySetAside, WaySetAside}, {true, "rm -rf", WayClose}} {
		trouble := NewTrouble(errors.New("odd"), "", test.damaged)
		trouble.decide(test.way, "")
		if trouble.way != test.want {
			t.Errorf("%+v ends in %s", test, trouble.way)
		}
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
