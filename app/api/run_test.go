package api

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/app/owner"
	"referent/rag"
)

// lent keeps the program open for the test that owns it.
type lent struct{ *app.App }

func (lent) Close() error { return nil }

func TestRun_WorksBesideTheWindowAsAClientOfTheOwner(t *testing.T) {
	d := newProgram(t)
	open := func(front string) *owner.Handle {
		h, err := owner.Open(t.Context(), owner.Options{Dir: filepath.Join(d.dir, "socket"), Version: "1", Front: front, Log: d.note,
			Start: func(context.Context) (owner.Closer, error) { return lent{d.app}, nil }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.Close() })
		return h
	}
	window := open(owner.FrontWindow)
	beside := open(owner.FrontServe)
	if !window.Owned || beside.Owned || beside.Front != owner.FrontWindow {
		t.Fatalf("window owns: %v, serve owns: %v behind %q", window.Owned, beside.Owned, beside.Front)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	at := make(chan net.Addr, 1)
	go func() {
		ended <- Run(ctx, Config{Use: beside, Dir: d.dir, Version: "1.2.3", Log: d.note, PerSecond: 1e6, Burst: 1e6}, "127.0.0.1:0", func(a net.Addr) { at <- a })
	}()
	d.url = "http://" + (<-at).String()
	token, err := os.ReadFile(filepath.Join(d.dir, app.TokenFile)) // there before the first call
	if err != nil {
		t.Fatal(err)
	}
	d.token = strings.TrimSpace(string(token))
	for range 3 {
		o := d.expect(200, "POST", "/api/v1/ask", map[string]any{"question": howLong}).object(t)
		if o["done"].(map[string]any)["answer"] != "The Harlow Bridge is 320 metres long. [1]" {
			t.Errorf("%v", o["done"])
		}
	}
	messages := d.expect(200, "POST", "/api/v1/ask/stream", map[string]any{"question": howLong}).messages()
	if messages[len(messages)-1].name != "done" {
		t.Errorf("%+v", messages)
	}
	if calls, err := window.Calls(t.Context()); err != nil || len(calls) != 4 { // the window sees who asked
		t.Errorf("%v %+v", err, calls)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if _, err := browserless.Do(d.request(t.Context(), "GET", "/health", nil)); err == nil {
		t.Error("it still listens")
	}
}

func TestRun_ClosingStopsWhatRunsAndStoresNothing(t *testing.T) {
	d := newDesk(t, nil)
	g := d.gate()
	done := make(chan response, 1)
	go func() {
		done <- d.call("POST", "/api/v1/ask", map[string]any{"question": howLong, "store": true, "mode": "generate"})
	}()
	<-g.reached
	if err := d.server.Close(); err != nil {
		t.Fatal(err)
	}
	if r := <-done; r.status != 503 || r.code() != "cancelled" {
		t.Errorf("%d %s", r.status, r.body)
	}
	if all, err := d.app.Conversations(t.Context(), 0); err != nil || len(all) != 0 {
		t.Errorf("%v %+v", err, all)
	}
}

// failing is a listener that breaks.
type failing struct{ net.Listener }

func (failing) Accept() (net.Conn, error) { return nil, errors.New("the network is gone") }

func TestRun_EndsWithTheErrorThatEndedTheServer(t *testing.T) {
	d := newProgram(t)
	l, err := Listen(d.dir, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Use: d.app, Dir: d.dir, Log: d.note})
	s.Serve(failing{l})
	err = s.run(t.Context(), func() {})
	var e *rag.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "ended unexpectedly") || !strings.Contains(errors.Unwrap(e).Error(), "the network is gone") {
		t.Errorf("%v", err)
	}
}

// answers waits until something answers at the address, or nothing does.
func answers(t *testing.T, address string, want bool) {
	t.Helper()
	guard := time.After(20 * time.Second)
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		r, err := browserless.Do(mustRequest(t, "http://"+address+"/health"))
		if err == nil {
			_ = r.Body.Close()
		}
		if (err == nil) == want {
			return
		}
		select {
		case <-guard:
			t.Fatalf("%s answers: %v, want %v", address, err == nil, want)
		case <-again.C:
		}
	}
}

func mustRequest(t *testing.T, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSwitch_FollowsTheSettings(t *testing.T) {
	d := newProgram(t)
	free := func() string {
		l, err := Listen(d.dir, "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		return l.Addr().String()
	}
	first, second := free(), free()
	set := func(key, value string) {
		if err := d.app.SetSettings(t.Context(), map[string]string{key: value}); err != nil {
			t.Fatal(err)
		}
	}
	set(AddressKey, first)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		NewSwitch(Config{Use: d.app, Dir: d.dir, Log: d.note}).Run(ctx)
	}()
	answers(t, first, false) // off until it is asked for
	set(EnabledKey, "true")
	answers(t, first, true)
	set(AddressKey, second)
	answers(t, second, true)
	answers(t, first, false)
	set(AddressKey, "0.0.0.0:1") // refused, and said in the log
	answers(t, second, false)
	set(AddressKey, first)
	answers(t, first, true)
	set(EnabledKey, "false")
	answers(t, first, false)
	set(EnabledKey, "true")
	answers(t, first, true)
	cancel()
	<-ended
	r, err := browserless.Do(mustRequest(t, "http://"+first+"/health"))
	if err == nil {
		_ = r.Body.Close()
		t.Error("it still listens")
	}
}

func TestSetting_IsOffAndOnThisComputerByDefault(t *testing.T) {
	d := newProgram(t)
	all, err := d.app.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, s := range all {
		switch s.Key {
		case EnabledKey:
			seen++
			if s.Value != "false" {
				t.Errorf("%s is %s", s.Key, s.Value)
			}
		case AddressKey:
			seen++
			if s.Value != DefaultAddress || s.Notice != "" {
				t.Errorf("%s is %s, %q", s.Key, s.Value, s.Notice)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d of 2 settings", seen)
	}
	if _, err := loopback(DefaultAddress); err != nil {
		t.Error(err)
	}
}
