package owner

import (
	"context"
	"reflect"
	"testing"

	"referent/app"
)

// shown is a house that remembers what its window was asked to show.
type shown struct {
	house
	requests []app.ShowRequest
}

func (s *shown) Show(_ context.Context, req app.ShowRequest) error {
	s.requests = append(s.requests, req)
	return nil
}

func TestOwner_ASecondStartHandsItsFilesToTheWindow(t *testing.T) {
	dir, window := t.TempDir(), &shown{}
	start := func(context.Context) (Closer, error) { return window, nil }
	first, err := Open(t.Context(), Options{Dir: dir, Version: "1", Front: FrontWindow, Start: start})
	if err != nil {
		t.Fatal(err)
	}
	second, _ := open(t, dir, FrontWindow)
	want := app.ShowRequest{Paths: []string{"/docs/lease of Ada.pdf"}, Action: app.ActionAddFiles}
	if err := second.Show(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if err := first.Close(); err != nil { // waits for the client's call
		t.Error(err)
	}
	if !reflect.DeepEqual(window.requests, []app.ShowRequest{want}) {
		t.Errorf("the window was asked for %+v", window.requests)
	}
}
