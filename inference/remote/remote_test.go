package remote

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/fake"
	"referent/inference/outbound"
)

// spec is a model of a server in roles.
func spec(address string, roles ...inference.Role) inference.LoadSpec {
	return inference.LoadSpec{Roles: roles, Path: address, Profile: inference.Profile{ID: "m", Name: "M"}}
}

// says is a server that answers everything the same.
func says(t *testing.T, status int, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func quick(c *http.Client) *Host {
	return New(Config{Client: c, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, Patience: time.Second, Now: ticking()})
}

// ticking is a clock on which a tenth of a second passes with every look.
func ticking() func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time { now = now.Add(100 * time.Millisecond); return now }
}

func generate(t *testing.T, h *Host, address string) (inference.GenerateResult, error) {
	t.Helper()
	if _, err := h.Load(t.Context(), spec(address, inference.RoleAnswer), nil); err != nil {
		t.Fatal(err)
	}
	g, err := h.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	return g.Generate(t.Context(), inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: "hi"}}, Stop: []string{"END"}}, nil)
}

func TestGenerate_ReadsEveryKindOfStream(t *testing.T) {
	for _, c := range []struct {
		name, body, text, reasoning string
		stop                        inference.StopReason
	}{
		{"plain", "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", "Hello", "", inference.StopEnd},
		{"without the last mark", "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"length\"}]}\n\n", "Hello", "", inference.StopLength},
		{"without a finish", "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\ndata: [DONE]\n\n", "Hello", "", inference.StopEnd},
		{"think tags in the text", "data: {\"choices\":[{\"delta\":{\"content\":\"<thi\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"nk>hm</think>\\n\\nYes\"},\"finish_reason\":\"stop\"}]}\n\n", "Yes", "hm", inference.StopEnd},
		{"reasoning of another name", "data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"Yes\"},\"finish_reason\":\"stop\"}]}\n\n", "Yes", "hm", inference.StopEnd},
		{"a stop string over two events", "data: {\"choices\":[{\"delta\":{\"content\":\"a E\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"ND b\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"never\"}}]}\n\n", "a ", "", inference.StopString},
		{"comments, other fields, no space, CRLF", ": ping\r\nevent: message\r\nid: 1\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\r\n\r\n", "Hello", "", inference.StopEnd},
		{"one event on two lines", "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n\n", "Hello", "", inference.StopEnd},
		{"an empty reply", "data: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"stop\"}]}\n\n", "", "", inference.StopEnd},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := generate(t, quick(client()), says(t, 200, c.body))
			if err != nil || res.Text != c.text || res.Reasoning != c.reasoning || res.Stop != c.stop {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
}

// The reasons that a failed rewrite shows come from these.
func TestGenerate_FailsWithItsReason(t *testing.T) {
	const refused = "http://127.0.0.1:1" // a port that another test cannot be given
	for _, c := range []struct {
		name, url string
		kind      error
		status    int
		timeout   bool
	}{
		{"nobody listens", refused, inference.ErrRemote, 0, true},
		{"401", says(t, 401, ""), inference.ErrRemote, 401, false},
		{"404", says(t, 404, ""), inference.ErrRemote, 404, false},
		{"429", says(t, 429, ""), inference.ErrRemote, 429, false},
		{"500", says(t, 500, "secret of the server"), inference.ErrRemote, 500, false},
		{"a redirect", says(t, 302, ""), inference.ErrRemote, 302, false},
		{"the context", says(t, 400, `{"error":{"message":"This model's maximum context length is 4096 tokens"}}`), inference.ErrContextOverflow, 0, false},
		{"no stream at all", says(t, 200, `{"object":"list"}`), inference.ErrMissingField, 0, false},
		{"a page", says(t, 200, "<html>hello</html>"), inference.ErrMissingField, 0, false},
		{"an end at once", says(t, 200, "data: [DONE]\n\n"), inference.ErrMissingField, 0, false},
		{"an event that is no JSON", says(t, 200, "data: {\n\n"), inference.ErrBadBody, 0, false},
		{"an event of another shape", says(t, 200, "data: {\"choices\":7}\n\n"), inference.ErrBadBody, 0, false},
		{"an error in the stream", says(t, 200, "data: {\"error\":{\"message\":\"out of memory\"}}\n\n"), inference.ErrRemote, 500, false},
		{"cut off", says(t, 200, "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n"), inference.ErrRemote, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := generate(t, quick(client()), c.url)
			var e *inference.Error
			if !errors.Is(err, c.kind) || !errors.As(err, &e) || !strings.HasSuffix(e.Message, ".") && !strings.HasSuffix(e.Message, "?") || strings.Contains(e.Message, "secret") {
				t.Errorf("%v", err)
			}
			var told *callError
			if errors.As(err, &told) != (c.kind != inference.ErrContextOverflow) {
				t.Fatalf("%T", err)
			}
			if told != nil && (told.HTTPStatus() != c.status || told.Timeout() != c.timeout) {
				t.Errorf("status %d, timeout %v", told.HTTPStatus(), told.Timeout())
			}
		})
	}
}

func TestGenerate_WhatFailsInPassingIsTriedAgain(t *testing.T) {
	tries := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tries++
		if got := r.Header.Get("Authorization"); got != "Bearer answer-key" {
			t.Errorf("the key is %q", got)
		}
		if tries < 4 {
			w.WriteHeader([]int{429, 503, 408}[tries-1])
			return
		}
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n\n")
	}))
	t.Cleanup(s.Close)
	h := quick(client())
	h.cfg.Patience = time.Hour
	h.cfg.Key = func(role inference.Role) (string, error) { return string(role) + "-key", nil }
	if res, err := generate(t, h, s.URL); err != nil || res.Text != "Hello" || tries != 4 {
		t.Errorf("%+v, %v after %d tries", res, err, tries)
	}
}

// The caller's own limit bounds the tries; then the limit is what is told.
func TestGenerate_TriesEndWithTheCallersLimit(t *testing.T) {
	var tries atomic.Int32 // the limit may pass while the server still counts
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { tries.Add(1); w.WriteHeader(503) }))
	t.Cleanup(s.Close)
	h := New(Config{Client: client(), Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	if _, err := h.Load(t.Context(), spec(s.URL, inference.RoleCondense), nil); err != nil {
		t.Fatal(err)
	}
	g, err := h.Generator(inference.RoleCondense)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), firstPause/2) // not long enough for a second try
	defer cancel()
	_, err = g.Generate(ctx, inference.GenerateRequest{Completion: "x"}, nil)
	var told *callError
	if !errors.As(err, &told) && !errors.Is(err, context.DeadlineExceeded) || tries.Load() > 1 {
		t.Errorf("%v after %d tries", err, tries.Load())
	}
}

func TestGenerate_ASilentServerIsGivenUp(t *testing.T) {
	quit := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-quit // never another word
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(quit) })
	h := quick(client())
	h.cfg.Timeout = func() time.Duration { return 50 * time.Millisecond }
	res, err := generate(t, h, s.URL)
	var told *callError
	if !errors.As(err, &told) || !told.Timeout() || !strings.Contains(err.Error(), "did not answer in time") {
		t.Errorf("%+v, %v", res, err)
	}
}

// Texts go where the person said and nowhere else.
func TestGenerate_FollowsNoRedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other server was asked") }))
	t.Cleanup(elsewhere.Close)
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	t.Cleanup(s.Close)
	if _, err := generate(t, quick(client()), s.URL); err == nil {
		t.Error("no error")
	}
}

func TestGenerate_NeedsPermission(t *testing.T) {
	_, err := generate(t, quick(client()), "https://models.invalid/v1")
	if !errors.Is(err, outbound.ErrDenied) || !errors.Is(err, inference.ErrRemote) {
		t.Errorf("%v", err)
	}
}

func TestLoad_RefusesWhatIsNoServer(t *testing.T) {
	h := quick(client())
	for _, c := range []inference.LoadSpec{
		spec("/models/x.gguf", inference.RoleAnswer), spec("ftp://host/v1", inference.RoleAnswer), spec("https://", inference.RoleAnswer), spec("https://host/v1"),
		{Roles: []inference.Role{inference.RoleAnswer}, Path: "https://host/v1", Hash: Identity("https://host/v1", "other"), Profile: inference.Profile{ID: "m"}},
	} {
		if _, err := h.Load(t.Context(), c, nil); !errors.Is(err, inference.ErrModelFile) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	right := spec("https://host/v1/", inference.RoleAnswer)
	right.Hash = Identity("https://host/v1", "m")
	info, err := h.Load(t.Context(), right, nil)
	if err != nil || !strings.Contains(info.Note, "leave this computer") || info.Hash != right.Hash || info.Context != DefaultContext {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestEmbed_RefusesWhatAreNoVectors(t *testing.T) {
	for _, c := range []struct {
		name, body string
		kind       error
	}{
		{"none", `{"data":[]}`, inference.ErrMissingField},
		{"no data", `{}`, inference.ErrMissingField},
		{"empty", `{"data":[{"index":0,"embedding":[]}]}`, inference.ErrBadBody},
		{"zero", `{"data":[{"index":0,"embedding":[0,0]}]}`, inference.ErrBadBody},
		{"another place", `{"data":[{"index":3,"embedding":[1,0]}]}`, inference.ErrBadBody},
		{"base64", `{"data":[{"index":0,"embedding":"AAAA"}]}`, inference.ErrBadBody},
		{"no JSON", `hello`, inference.ErrBadBody},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := quick(client()).Load(t.Context(), spec(says(t, 200, c.body), inference.RoleEmbed), nil); !errors.Is(err, c.kind) {
				t.Errorf("%v, want %v", err, c.kind)
			}
		})
	}
}

func TestRerank_LogitsBecomeShares(t *testing.T) {
	h := quick(client())
	if _, err := h.Load(t.Context(), spec(says(t, 200, `{"results":[{"index":1,"relevance_score":2},{"index":0,"relevance_score":-2}]}`), inference.RoleRerank), nil); err != nil {
		t.Fatal(err)
	}
	r, err := h.Reranker()
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Rerank(t.Context(), "q", []string{"a", "b"})
	if err != nil || math.Abs(float64(got[0])-0.119203) > 1e-5 || math.Abs(float64(got[1])-0.880797) > 1e-5 { // 1/(1+e^2) and 1/(1+e^-2)
		t.Errorf("%v, %v", got, err)
	}
	for body, kind := range map[string]error{`{"results":[]}`: inference.ErrMissingField, `{"results":[{"index":0},{"index":1}]}`: inference.ErrMissingField,
		`{"results":[{"index":0,"relevance_score":1},{"index":0,"relevance_score":1}]}`: inference.ErrBadBody} {
		if _, err := h.Load(t.Context(), spec(says(t, 200, body), inference.RoleRerank), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Rerank(t.Context(), "q", []string{"a", "b"}); !errors.Is(err, kind) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestEstimate(t *testing.T) {
	for text, want := range map[string]int{"": 0, " \n": 0, "cat": 1, "cats": 1, "house": 2, "a b c": 3, "It's 1932.": 5, "界人": 2, "naïve": 2, "<|im_end|>": 6 + 1} {
		if got := Estimate(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  []string
	}{
		{"", 10, []string{"."}}, {" \x00 ", 10, []string{"."}}, {"one two", 10, []string{"one two"}}, {"one two six", 2, []string{"one two", "six"}},
		{"abcdefghij", 2, []string{"abcdefgh", "ij"}}, {"界人日", 1, []string{"界", "人", "日"}}, {"a  b", 1, []string{"a", "b"}},
	} {
		if got := cut(c.text, c.limit); !slices.Equal(got, c.want) {
			t.Errorf("%q by %d: %q, want %q", c.text, c.limit, got, c.want)
		}
	}
	long := strings.Repeat("The archive keeps the minutes. 界 ", 300)
	for _, limit := range []int{1, 7, 100, 512} {
		joined := ""
		for _, p := range cut(long, limit) {
			joined += strings.Join(strings.Fields(p), "")
			if n := Estimate(p); n > limit {
				t.Errorf("a piece of %d tokens for %d", n, limit)
			}
		}
		if joined != strings.Join(strings.Fields(long), "") {
			t.Errorf("by %d something is lost", limit)
		}
	}
}

func TestIdentity(t *testing.T) {
	a := Identity("https://host/v1", "m")
	if len(a) != 64 || a != Identity("https://host/v1/", "m") || a == Identity("https://host/v1", "n") || a == Identity("https://other/v1", "m") {
		t.Error(a)
	}
	for host, want := range map[string]bool{"localhost": true, "LOCALHOST.": true, "127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true, "10.0.0.1": false, "localhost.example.org": false, "": false} {
		if Loopback(host) != want {
			t.Errorf("%q", host)
		}
	}
}

// A role moves between this computer and a server with its last load.
func TestBeside_ARoleMoves(t *testing.T) {
	s, models := newServer(t)
	local := fake.New(fake.Config{})
	h := Beside(local, New(Config{Client: client()}))
	t.Cleanup(func() { _ = h.Close() })
	where := func() string {
		t.Helper()
		g, err := h.Generator(inference.RoleAnswer)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(h.Loaded()); n != 1 {
			t.Errorf("%d models are loaded", n)
		}
		return g.Info().Runtime
	}
	load := func(spec inference.LoadSpec) {
		t.Helper()
		spec.Roles = []inference.Role{inference.RoleAnswer}
		if _, err := h.Load(t.Context(), spec, nil); err != nil {
			t.Fatal(err)
		}
	}
	load(fake.Spec())
	if got := where(); got != "cpu" {
		t.Error(got)
	}
	load(models.Chat)
	if got := where(); got != "remote" {
		t.Error(got)
	}
	s.Close()
	load(fake.Spec())
	if got := where(); got != "cpu" {
		t.Error(got)
	}
}
