package download

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"referent/inference/outbound"
)

const size = 1<<20 + 13

func TestFetch_ComparesWithTheCatalogueOrTheServer(t *testing.T) {
	content := noise(1, size)
	s := serve(t, content)
	for _, c := range []struct {
		name  string
		req   Request
		proof Proof
	}{
		{"catalogue", Request{SHA256: strings.ToUpper(hashOf(content)), Bytes: size}, ProofCatalogue},
		{"server", Request{}, ProofServer},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.req.URL, c.req.Path = s.URL, path(t)
			var seen []Progress
			res, err := downloader(&hand{}).Fetch(t.Context(), c.req, func(p Progress) { seen = append(seen, p) })
			if err != nil || res != (Result{Path: c.req.Path, Bytes: size, SHA256: hashOf(content), Proof: c.proof}) {
				t.Fatalf("%+v, %v", res, err)
			}
			expectFile(t, c.req.Path, content)
			last := seen[len(seen)-1]
			if seen[0].Phase != PhaseConnecting || last.Phase != PhaseVerifying || last.Done != size || last.Total != size {
				t.Errorf("progress from %+v to %+v", seen[0], last)
			}
			if !slices.ContainsFunc(seen, func(p Progress) bool { return p.Phase == PhaseReceiving && p.Rate > 0 }) {
				t.Error("no rate was reported")
			}
		})
	}
}

// The ETag of the last server is no hash; the redirecting one names it.
func TestFetch_FollowsRedirectsAndKeepsWhatTheFirstServerSaid(t *testing.T) {
	content := noise(2, size)
	files := serve(t, content)
	files.header.Del("X-Linked-Etag")
	hub := serve(t, nil)
	hub.header = http.Header{"X-Linked-Etag": {`"` + hashOf(content) + `"`}, "X-Linked-Size": {strconv.Itoa(size)}}
	hub.misbehave = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, files.URL+"/signed?x=1", http.StatusFound)
		return true
	}
	p := path(t)
	res, err := downloader(&hand{}).Fetch(t.Context(), Request{URL: hub.URL, Path: p}, nil)
	if err != nil || res.Proof != ProofServer {
		t.Fatalf("%+v, %v", res, err)
	}
	expectFile(t, p, content)
}

type byHand func(*http.Request) (*http.Response, error)

func (f byHand) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestFetch_RefusesRedirectsThatAreNoneOfOurs(t *testing.T) {
	loop := serve(t, nil)
	loop.misbehave = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, loop.URL, http.StatusFound)
		return true
	}
	away := serve(t, nil)
	away.misbehave = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, "http://models.invalid/m.gguf", http.StatusFound)
		return true
	}
	open := downloader(&hand{})
	open.Client = &http.Client{Transport: byHand(func(r *http.Request) (*http.Response, error) {
		if r.URL.Scheme != "https" {
			t.Errorf("%s was asked", r.URL)
		}
		return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {"http://models.invalid/m.gguf"}}, Body: http.NoBody, Request: r}, nil
	})}
	for _, c := range []struct {
		name string
		d    *Downloader
		url  string
		kind error
	}{
		{"a loop", downloader(&hand{}), loop.URL, ErrServer},
		{"another host without permission", downloader(&hand{}), away.URL, outbound.ErrDenied},
		{"an open connection", open, "https://models.invalid/m.gguf", ErrServer},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := path(t)
			_, err := c.d.Fetch(t.Context(), Request{URL: c.url, Path: p, SHA256: hashOf(nil)}, nil)
			expectRefused(t, p, err, c.kind)
		})
	}
}

func TestFetch_GoesOnAfterADroppedConnection(t *testing.T) {
	content := noise(3, size)
	s := serve(t, content)
	s.misbehave = func(n int, w http.ResponseWriter, _ *http.Request) bool { return n == 0 && cut(w, content, size/2) }
	p := path(t)
	if _, err := downloader(&hand{}).Fetch(t.Context(), Request{URL: s.URL, Path: p, SHA256: hashOf(content)}, nil); err != nil {
		t.Fatal(err)
	}
	expectFile(t, p, content)
	asked := s.asked()
	if len(asked) != 2 || asked[0] != "" || !strings.HasPrefix(asked[1], "bytes=") || asked[1] == "bytes=0-" {
		t.Errorf("asked for %q", asked)
	}
}

func TestFetch_GivesUpAStalledTransferAndGoesOn(t *testing.T) {
	content := noise(4, size)
	s := serve(t, content)
	s.misbehave = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			return false
		}
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, _ = w.Write(content[:size/2])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // until the client goes away
		return true
	}
	clock, p := &hand{}, path(t)
	waited := false
	_, err := downloader(clock).Fetch(t.Context(), Request{URL: s.URL, Path: p, SHA256: hashOf(content)}, func(now Progress) {
		if now.Done == size/2 && now.Phase == PhaseReceiving {
			clock.goneBy()
		}
		waited = waited || now.Phase == PhaseWaiting && strings.Contains(now.Problem, "stopped sending")
	})
	if err != nil {
		t.Fatal(err)
	}
	expectFile(t, p, content)
	if !waited {
		t.Error("the wait was not told")
	}
	if asked := s.asked(); !slices.Equal(asked, []string{"", fmt.Sprintf("bytes=%d-", size/2)}) {
		t.Errorf("asked for %q", asked)
	}
}

// A server that stalls before its first byte is tried a bounded number of times.
func TestFetch_EndsWhenTheServerNeverSends(t *testing.T) {
	s := serve(t, nil)
	clock := &hand{}
	s.misbehave = func(_ int, _ http.ResponseWriter, r *http.Request) bool {
		clock.goneBy()
		<-r.Context().Done()
		return true
	}
	p := path(t)
	_, err := downloader(clock).Fetch(t.Context(), Request{URL: s.URL, Path: p, SHA256: hashOf(nil)}, nil)
	expectRefused(t, p, err, ErrUnreachable)
	if n := len(s.asked()); n != DefaultTries || len(clock.waits) != DefaultTries-1 {
		t.Errorf("%d requests, waits %v", n, clock.waits)
	}
}

func TestFetch_APauseIsResumed(t *testing.T) {
	content := noise(5, size)
	s := serve(t, content)
	p := path(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := downloader(&hand{}).Fetch(ctx, Request{URL: s.URL, Path: p, Bytes: size, SHA256: hashOf(content)}, func(now Progress) {
		if now.Done > size/3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	left, err := Pending(folderOf(p))
	if err != nil || len(left) != 1 || left[0].Path != p || left[0].Total != size || left[0].Done <= size/3 || left[0].URL != s.URL {
		t.Fatalf("%+v, %v", left, err)
	}
	resumed := false
	if _, err := downloader(&hand{}).Fetch(t.Context(), Request{URL: s.URL, Path: p, Bytes: size, SHA256: hashOf(content)}, func(now Progress) {
		resumed = resumed || now.Phase == PhaseResuming && now.Done > 0
	}); err != nil {
		t.Fatal(err)
	}
	expectFile(t, p, content)
	if asked := s.asked(); !resumed || asked[1] != fmt.Sprintf("bytes=%d-", left[0].Done) {
		t.Errorf("asked for %q", asked)
	}
}

func TestFetch_ANewVersionStartsOver(t *testing.T) {
	old, fresh := noise(6, size), noise(7, size)
	for _, c := range []struct {
		name      string
		misbehave func(s *source) func(int, http.ResponseWriter, *http.Request) bool
	}{
		{"the server compares", func(*source) func(int, http.ResponseWriter, *http.Request) bool { return nil }},
		{"the server sends the rest of another version", func(*source) func(int, http.ResponseWriter, *http.Request) bool {
			return func(_ int, _ http.ResponseWriter, r *http.Request) bool { r.Header.Del("If-Range"); return false }
		}},
		{"the server knows no ranges", func(s *source) func(int, http.ResponseWriter, *http.Request) bool {
			return func(_ int, w http.ResponseWriter, r *http.Request) bool { r.Header.Del("Range"); return false }
		}},
		{"the server sends another part", func(s *source) func(int, http.ResponseWriter, *http.Request) bool {
			return func(_ int, w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Range") == "" {
					return false
				}
				w.Header().Set("Content-Range", fmt.Sprintf("bytes 5-%d/%d", size-1, size))
				w.Header().Set("Etag", `"v1"`)
				w.WriteHeader(http.StatusPartialContent)
				_, _ = w.Write(fresh[5:])
				return true
			}
		}},
		{"the old file was longer", func(*source) func(int, http.ResponseWriter, *http.Request) bool { return nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, p := serve(t, old), path(t)
			ctx, cancel := context.WithCancel(t.Context())
			_, _ = downloader(&hand{}).Fetch(ctx, Request{URL: s.URL, Path: p}, func(now Progress) {
				if now.Done > size/2 {
					cancel()
				}
			})
			want := fresh
			if strings.Contains(c.name, "longer") {
				want = fresh[:1000]
			}
			s.change(want)
			s.misbehave = c.misbehave(s)
			res, err := downloader(&hand{}).Fetch(t.Context(), Request{URL: s.URL, Path: p}, nil)
			if err != nil || res.SHA256 != hashOf(want) {
				t.Fatalf("%+v, %v", res, err)
			}
			expectFile(t, p, want)
		})
	}
}

// Without a mark of its version a part proves nothing.
func TestFetch_WithoutAValidatorStartsOver(t *testing.T) {
	content := noise(8, size)
	s, p := serve(t, content), path(t)
	s.header.Del("Etag")
	s.misbehave = func(n int, w http.ResponseWriter, _ *http.Request) bool { return n == 0 && cut(w, content, size/2) }
	if _, err := downloader(&hand{}).Fetch(t.Context(), Request{URL: s.URL, Path: p, SHA256: hashOf(content)}, nil); err != nil {
		t.Fatal(err)
	}
	expectFile(t, p, content)
	if asked := s.asked(); len(asked) != 2 || asked[1] != "" {
		t.Errorf("asked for %q", asked)
	}
}

func TestR121_WhatIsNotTheFileIsRefused(t *testing.T) {
	content := noise(9, size)
	altered := slices.Clone(content)
	altered[size/2] ^= 1
	right := Request{Bytes: size, SHA256: hashOf(content)}
	for _, c := range []struct {
		name  string
		sends []byte
		req   Request
		with  func(s *source)
		kind  error
	}{
		{"one bit is another", altered, right, nil, ErrAltered},
		{"one bit is another than the server's hash", altered, Request{}, func(s *source) { s.header.Set("X-Linked-Etag", `"`+hashOf(content)+`"`) }, ErrAltered},
		{"shorter, and said so", content[:size/2], right, nil, ErrChanged},
		{"longer, and said so", append(slices.Clone(content), 1), right, nil, ErrChanged},
		{"shorter than its hash", content[:size/2], Request{SHA256: hashOf(content)}, nil, ErrAltered},
		{"longer, and not said", append(slices.Clone(content), noise(1, 1<<20)...), right, func(s *source) { s.misbehave = chunked(s) }, ErrAltered},
		{"shorter, and not said", content[:size/2], right, func(s *source) { s.header.Del("Etag"); s.misbehave = chunked(s) }, ErrUnreachable},
		{"another one, announced", content, Request{SHA256: hashOf([]byte("x"))}, nil, ErrChanged},
		{"no hash anywhere", content, Request{Bytes: size}, func(s *source) { s.header.Del("X-Linked-Etag") }, ErrNoHash},
		{"an account is wanted", content, right, func(s *source) { s.misbehave = status(http.StatusUnauthorized) }, ErrServer},
		{"the file is gone", content, right, func(s *source) { s.misbehave = status(http.StatusNotFound) }, ErrServer},
		{"an odd status", content, right, func(s *source) { s.misbehave = status(http.StatusTeapot) }, ErrServer},
		{"broken for good", content, right, func(s *source) { s.misbehave = status(http.StatusBadGateway) }, ErrServer},
		{"a part that nobody asked for", content, right, func(s *source) { s.misbehave = status(http.StatusPartialContent) }, ErrServer},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.sends)
			if c.req.SHA256 != "" && c.kind != ErrChanged {
				s.header.Del("X-Linked-Etag") // only the catalogue knows
			}
			if c.with != nil {
				c.with(s)
			}
			c.req.URL, c.req.Path = s.URL, path(t)
			_, err := downloader(&hand{}).Fetch(t.Context(), c.req, nil)
			expectRefused(t, c.req.Path, err, c.kind)
		})
	}
}

func chunked(s *source) func(int, http.ResponseWriter, *http.Request) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		for rest := s.content; len(rest) > 0; rest = rest[min(len(rest), 100_000):] {
			_, _ = w.Write(rest[:min(len(rest), 100_000)])
			_ = http.NewResponseController(w).Flush()
		}
		return true
	}
}

func status(code int) func(int, http.ResponseWriter, *http.Request) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(code); return true }
}

func TestFetch_ABusyServerIsAskedAgain(t *testing.T) {
	content := noise(10, size)
	s, p, clock := serve(t, content), path(t), &hand{}
	s.misbehave = func(n int, w http.ResponseWriter, r *http.Request) bool {
		return n < 3 && status([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusRequestTimeout}[n])(n, w, r)
	}
	if _, err := downloader(clock).Fetch(t.Context(), Request{URL: s.URL, Path: p, SHA256: hashOf(content)}, nil); err != nil {
		t.Fatal(err)
	}
	expectFile(t, p, content)
	if got := fmt.Sprint(clock.waits); got != "[1s 2s 4s]" {
		t.Errorf("waits %s", got)
	}
}

func TestFetch_NeedsRoomBeforeItBegins(t *testing.T) {
	content := noise(11, size)
	s, p := serve(t, content), path(t)
	d := downloader(&hand{})
	need := int64(size + size/20 + 1<<30)
	d.Free = func(string) (int64, error) { return need - 1, nil }
	_, err := d.Fetch(t.Context(), Request{URL: s.URL, Path: p}, nil)
	expectRefused(t, p, err, ErrNoSpace)
	expectAlone(t, p, 0)
	d.Free = func(string) (int64, error) { return need, nil }
	if _, err := d.Fetch(t.Context(), Request{URL: s.URL, Path: p}, nil); err != nil {
		t.Error(err)
	}
}

func TestFetch_TheCheckHasTheLastWord(t *testing.T) {
	content := noise(12, size)
	s, p := serve(t, content), path(t)
	d := downloader(&hand{})
	d.Check = func(part string) error {
		if b, err := os.ReadFile(part); err != nil || len(b) != size {
			t.Errorf("the check sees %d bytes, %v", len(b), err)
		}
		return fail(ErrAltered, nil, "This is not a model file at all.")
	}
	_, err := d.Fetch(t.Context(), Request{URL: s.URL, Path: p}, nil)
	expectRefused(t, p, err, ErrAltered)
	expectAlone(t, p, 0)
}

// Whatever a connection does and however often the program is stopped, the file
// is whole when it is there.
func TestFetch_AnyOrderOfFaultsEndsInTheWholeFile(t *testing.T) {
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 1))
		content := noise(seed, 1+r.IntN(700_000))
		s, p := serve(t, content), path(t)
		s.misbehave = func(n int, w http.ResponseWriter, req *http.Request) bool {
			switch s.mu.Lock(); r.IntN(6) {
			case 0:
				s.mu.Unlock()
				return status(http.StatusServiceUnavailable)(n, w, req)
			case 1:
				s.mu.Unlock()
				req.Header.Del("Range")
			case 2:
				at := r.IntN(len(content))
				s.mu.Unlock()
				return cut(w, content, at)
			default:
				s.mu.Unlock()
			}
			return false
		}
		for try := 0; ; try++ {
			ctx, cancel := context.WithCancel(t.Context())
			stop := r.IntN(4) == 0
			_, err := downloader(&hand{}).Fetch(ctx, Request{URL: s.URL, Path: p, SHA256: hashOf(content)}, func(now Progress) {
				if stop && now.Phase == PhaseReceiving {
					cancel()
				}
			})
			cancel()
			if err == nil {
				break
			}
			if _, err := os.Stat(p); err == nil || try > 200 {
				t.Fatalf("seed %d: a failed try left a file, or none succeeds (%d)", seed, try)
			}
		}
		expectFile(t, p, content)
	}
}

func TestFetch_AnAddressThatIsNoneIsRefused(t *testing.T) {
	for _, u := range []string{"", "m.gguf", "file:///etc/passwd", "ftp://host/x", "https://", "::"} {
		p := path(t)
		_, err := downloader(&hand{}).Fetch(t.Context(), Request{URL: u, Path: p}, nil)
		expectRefused(t, p, err, ErrServer)
	}
}

func TestDiscard(t *testing.T) {
	content := noise(13, size)
	s, p := serve(t, content), path(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, _ = downloader(&hand{}).Fetch(ctx, Request{URL: s.URL, Path: p}, func(now Progress) {
		if now.Done > 0 {
			cancel()
		}
	})
	if err := Discard(p); err != nil {
		t.Fatal(err)
	}
	expectAlone(t, p, 0)
	if err := Discard(p); err != nil {
		t.Errorf("discarding nothing: %v", err)
	}
}
