package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"referent/app"
	"referent/rag"
)

// page is a Platform that remembers what it was told.
type page struct {
	mu     sync.Mutex
	events []emitted
	links  []string
	opened []string
	zoomed []int
	raised int
	quit   int
	save   string // what the dialog for a new file answers
	named  string // what it was asked with
}

type emitted struct {
	name string
	data any
}

func (p *page) Emit(name string, data any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = append(p.events, emitted{name, data})
}
func (p *page) PickFiles(context.Context) ([]string, error) { return nil, nil }
func (p *page) PickFolder(context.Context) (string, error)  { return "", nil }
func (p *page) SaveFile(_ context.Context, name string) (string, error) {
	p.named = name
	return p.save, nil
}
func (p *page) OpenLink(a string) { p.links = append(p.links, a) }
func (p *page) OpenPath(path string, reveal bool) error {
	p.opened = append(p.opened, path)
	return nil
}
func (p *page) Zoom(percent int) { p.zoomed = append(p.zoomed, percent) }
func (p *page) Raise()           { p.raised++ }
func (p *page) Quit()            { p.quit++ }

// names returns the names of the turn's events in the order of the page.
func (p *page) names(t *testing.T, id string) []string {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, e := range p.events {
		batch, ok := e.data.(TurnEvents)
		if !ok || batch.ID != id {
			continue
		}
		for _, raw := range batch.Events {
			var head struct{ Event string }
			if err := json.Unmarshal(raw, &head); err != nil {
				t.Fatal(err)
			}
			out = append(out, head.Event)
		}
	}
	return out
}

// cases is use cases of which the tests set what they need; the rest panics,
// as a fault in the program would.
type cases struct {
	app.UseCases
	ask   func(ctx context.Context, req app.AskRequest, emit func(rag.Event)) error
	files []app.File
}

func (c *cases) Ask(ctx context.Context, req app.AskRequest, emit func(rag.Event)) error {
	return c.ask(ctx, req, emit)
}
func (c *cases) Watch(ctx context.Context, _ func(app.Notice)) error { <-ctx.Done(); return ctx.Err() }
func (c *cases) Library(context.Context) (app.Library, error)        { return app.Library{}, nil }
func (c *cases) Files(context.Context, app.FilesRequest) (app.Files, error) {
	return app.Files{Files: c.files}, nil
}

func newTestWindow(t *testing.T, use app.UseCases) (*Window, *page) {
	t.Helper()
	w, p := NewWindow(use, nil, func(s string) { t.Log(strings.SplitN(s, "\n", 2)[0]) }), &page{}
	w.start(p)
	t.Cleanup(w.stop)
	return w, p
}

func TestGuard_APanicInABoundMethodIsAnError(t *testing.T) {
	w, _ := newTestWindow(t, &cases{})
	for range 3 {
		_, err := w.Models() // the double has no Models: a nil dereference
		if !errors.Is(err, &rag.Error{Code: rag.CodeInternal}) {
			t.Fatalf("got %v", err)
		}
	}
	if got := FormatError(&rag.Error{Code: rag.CodeNoModel, Message: "A.", Hint: "B."}); got != (PageError{Code: "no_model", Message: "A.", Hint: "B."}) {
		t.Errorf("page error %+v", got)
	}
}

func TestAsk_EventsReachThePageInOrderAndTokensAreBatched(t *testing.T) {
	w, p := newTestWindow(t, &cases{ask: func(_ context.Context, _ app.AskRequest, emit func(rag.Event)) error {
		emit(rag.Prepared{OriginalQuery: "q"})
		emit(rag.Retrieval{})
		for i := range 500 {
			emit(rag.Token{Text: fmt.Sprint(i)})
		}
		emit(rag.Done{Answer: "a"})
		return nil
	}})
	if err := w.Ask(Question{ID: "1", Question: "q"}); err != nil {
		t.Fatal(err)
	}
	names := p.names(t, "1")
	if len(names) != 503 || names[0] != "prepared" || names[1] != "retrieval" || names[502] != "done" {
		t.Fatalf("%d events, %v … %v", len(names), names[:2], names[len(names)-1])
	}
	if len(p.events) > 100 {
		t.Errorf("%d messages for 503 events", len(p.events))
	}
}

func TestAsk_AFailureBeforeAnyEventIsTheLastEvent(t *testing.T) {
	w, p := newTestWindow(t, &cases{ask: func(context.Context, app.AskRequest, func(rag.Event)) error {
		return &rag.Error{Code: rag.CodeUnknownChatEngine, Message: "There is no engine x."}
	}})
	if err := w.Ask(Question{ID: "1", Question: "q"}); err != nil {
		t.Fatal(err)
	}
	if got := p.names(t, "1"); !slices.Equal(got, []string{"error"}) {
		t.Errorf("events %v", got)
	}
}

func TestAsk_StopEndsTheTurn(t *testing.T) {
	started := make(chan struct{})
	w, p := newTestWindow(t, &cases{ask: func(ctx context.Context, _ app.AskRequest, emit func(rag.Event)) error {
		close(started)
		<-ctx.Done()
		err := &rag.Error{Code: rag.CodeCancelled, Message: "You stopped it."}
		emit(rag.Failed{Err: err})
		return err
	}})
	ended := make(chan error)
	go func() { ended <- w.Ask(Question{ID: "a", Question: "q"}) }()
	<-started
	w.Stop("another")
	w.Stop("a")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := p.names(t, "a"); !slices.Equal(got, []string{"error"}) {
		t.Errorf("events %v", got)
	}
}

func TestOpen_OnlyWhatTheLibraryHoldsIsOpened(t *testing.T) {
	w, p := newTestWindow(t, &cases{files: []app.File{{Path: "/docs/a.pdf"}}})
	if err := w.Open("/docs/a.pdf"); err != nil || !slices.Equal(p.opened, []string{"/docs/a.pdf"}) {
		t.Errorf("%v, %v", p.opened, err)
	}
	if err := w.Open("/etc/passwd"); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownDocument}) {
		t.Errorf("got %v", err)
	}
}

func TestOpenLink_OnlyWebAndMailAddressesLeave(t *testing.T) {
	w, p := newTestWindow(t, &cases{})
	for _, bad := range []string{"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "%zz", "wails://wails/"} {
		if err := w.OpenLink(bad); err == nil {
			t.Errorf("%s was opened", bad)
		}
	}
	if err := w.OpenLink("https://example.org/a?b=c"); err != nil || len(p.links) != 1 {
		t.Errorf("%v, %v", p.links, err)
	}
}
