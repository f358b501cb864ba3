package owner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"referent/app"
	"referent/rag"
)

// house is use cases that answer from memory. Methods that a test does not
// need are absent: calling one is a nil dereference, which the server must
// survive too.
type house struct {
	app.UseCases
	closed    atomic.Bool
	cancelled chan struct{}
	started   chan struct{}
}

func (h *house) Close() error { h.closed.Store(true); return nil }

func (h *house) Ask(ctx context.Context, req app.AskRequest, emit func(rag.Event)) error {
	emit(rag.Prepared{Engine: req.Engine, OriginalQuery: req.Question, SearchQueries: []string{req.Question}})
	emit(rag.Retrieval{Hits: []rag.Hit{{Rank: 1, Chunk: 7, Text: "Three months."}}})
	if req.Question == "wait" {
		close(h.started)
		<-ctx.Done()
		close(h.cancelled)
		err := &rag.Error{Code: rag.CodeCancelled, Message: "You stopped it."}
		emit(rag.Failed{Err: err})
		return err
	}
	emit(rag.Token{Text: "Three "})
	emit(rag.Token{Text: "months."})
	emit(rag.Done{Answer: "Three months."})
	return nil
}

func (h *house) Retry(_ context.Context, path string) error {
	return &rag.Error{Code: rag.CodeUnknownDocument, Message: "There is no " + path + ".", Hint: "Look at `referent status`."}
}

func (h *house) Collections(context.Context) ([]app.Collection, error) {
	return []app.Collection{{ID: 1, Name: "Tenancy law", Label: "public"}}, nil
}

func open(t *testing.T, dir, front string) (*Handle, *house) {
	t.Helper()
	h := &house{cancelled: make(chan struct{}), started: make(chan struct{})}
	handle, err := Open(t.Context(), Options{Dir: dir, Version: "1", Front: front, Log: func(s string) { t.Log(s) },
		Start: func(context.Context) (Closer, error) { return h, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	return handle, h
}

func TestOwner_ASecondProcessIsAClientOfTheFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first, _ := open(t, dir, FrontWindow)
	second, unused := open(t, dir, FrontCommand)
	if !first.Owned || second.Owned || second.Front != FrontWindow || unused.closed.Load() {
		t.Fatalf("first owned %v, second owned %v behind %q", first.Owned, second.Owned, second.Front)
	}
	var names []string
	var answer string
	err := second.Ask(t.Context(), app.AskRequest{Question: "How long?", Engine: "simple"}, func(e rag.Event) {
		names = append(names, e.EventName())
		if d, ok := e.(rag.Done); ok {
			answer = d.Answer
		}
	})
	if err != nil || answer != "Three months." {
		t.Fatalf("answer %q, %v", answer, err)
	}
	if want := []string{"prepared", "retrieval", "token", "token", "done"}; !reflect.DeepEqual(names, want) {
		t.Errorf("events %v, want %v", names, want)
	}
	if c, err := second.Collections(t.Context()); err != nil || len(c) != 1 || c[0].Name != "Tenancy law" {
		t.Errorf("collections %v, %v", c, err)
	}
}

func TestOwner_AnErrorKeepsItsCodeAndSentences(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, FrontWindow)
	client, _ := open(t, dir, FrontCommand)
	err := client.Retry(t.Context(), "a.pdf")
	if !errors.Is(err, &rag.Error{Code: rag.CodeUnknownDocument}) || !strings.Contains(err.Error(), "There is no a.pdf. Look at") {
		t.Errorf("got %v", err)
	}
}

func TestOwner_CancellingAClientsCallReachesTheOwner(t *testing.T) {
	dir := t.TempDir()
	_, h := open(t, dir, FrontWindow)
	client, _ := open(t, dir, FrontCommand)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-h.started; cancel() }()
	err := client.Ask(ctx, app.AskRequest{Question: "wait"}, func(rag.Event) {})
	if !errors.Is(err, &rag.Error{Code: rag.CodeCancelled}) {
		t.Errorf("got %v", err)
	}
	<-h.cancelled
}

func TestOwner_AClientThatVanishesEndsItsCall(t *testing.T) {
	dir := t.TempDir()
	_, h := open(t, dir, FrontWindow)
	client, _ := open(t, dir, FrontCommand)
	ended := make(chan error)
	go func() {
		ended <- client.Ask(context.Background(), app.AskRequest{Question: "wait"}, func(rag.Event) {})
	}()
	<-h.started
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	<-h.cancelled
	if err := <-ended; !errors.Is(err, &rag.Error{Code: rag.CodeLibraryBusy}) {
		t.Errorf("got %v", err)
	}
}

func TestOwner_APanicInAUseCaseCostsOnlyItsCall(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, FrontWindow)
	client, _ := open(t, dir, FrontCommand)
	if _, err := client.Version(t.Context()); !errors.Is(err, &rag.Error{Code: rag.CodeInternal}) {
		t.Errorf("got %v", err)
	}
	if _, err := client.Collections(t.Context()); err != nil {
		t.Errorf("the next call failed: %v", err)
	}
}

func TestOwner_TheFolderPassesOnWhenTheOwnerEnds(t *testing.T) {
	dir := t.TempDir()
	first, h := open(t, dir, FrontCommand)
	if err := first.Close(); err != nil || !h.closed.Load() {
		t.Fatalf("close: %v", err)
	}
	second, _ := open(t, dir, FrontWindow)
	if !second.Owned {
		t.Error("the second process did not become the owner")
	}
}

func TestOwner_ALockWithoutAnAnswerIsASentence(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, FrontWindow)
	if err := os.Remove(filepath.Join(dir, socketName)); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Dir: dir, Patience: 60 * time.Millisecond})
	if !errors.Is(err, &rag.Error{Code: rag.CodeLibraryBusy}) || !strings.Contains(err.Error(), "Close it and try again.") {
		t.Errorf("got %v", err)
	}
}

func TestOwner_ALongFolderNameWorksAndTheSocketIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a long name/", 12), "data")
	open(t, dir, FrontWindow)
	client, _ := open(t, dir, FrontCommand)
	if client.Owned {
		t.Error("the socket was not found")
	}
	for name, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, socketName): 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestOwner_GarbageOnTheSocketCostsOnlyItsConnection(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, FrontWindow)
	client, _ := open(t, dir, FrontCommand)
	raw := client.UseCases.(*Client)
	if _, err := raw.conn.Write([]byte("{]\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Collections(t.Context()); err == nil {
		t.Error("the connection should have ended")
	}
	again, _ := open(t, dir, FrontCommand)
	if _, err := again.Collections(t.Context()); err != nil {
		t.Errorf("a new client: %v", err)
	}
}

func TestMethods_TheTableHasAMethodForEveryUseCase(t *testing.T) {
	if want, got := reflect.TypeFor[app.UseCases]().NumMethod(), len(methods); got != want {
		t.Errorf("%d methods on the wire, %d use cases", got, want)
	}
}
