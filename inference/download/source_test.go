package download

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/outbound"
)

// source is a server with one file. Its requests are kept; misbehave, when set,
// sees each before it is answered and returns true when it has answered itself.
type source struct {
	*httptest.Server
	mu        sync.Mutex
	content   []byte
	header    http.Header // of every answer
	misbehave misbehaviour
	ranges    []string // of each request
}

// misbehaviour answers request n itself, or leaves it to the server.
type misbehaviour func(n int, w http.ResponseWriter, r *http.Request) bool

func serve(t *testing.T, content []byte) *source {
	s := &source{content: content, header: http.Header{"Etag": {`"v1"`}, "X-Linked-Etag": {`"` + hashOf(content) + `"`}}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *source) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.ranges)
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	content, header, misbehave := s.content, s.header.Clone(), s.misbehave
	s.mu.Unlock()
	for k, v := range header {
		w.Header()[k] = v
	}
	if misbehave == nil || !misbehave(n, w, r) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

// change puts another version in place.
func (s *source) change(content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.content = content
	s.header.Set("Etag", `"v2"`)
	s.header.Set("X-Linked-Etag", `"`+hashOf(content)+`"`)
}

func (s *source) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.ranges...)
}

// cut answers with the right header and breaks the connection after n bytes.
func cut(w http.ResponseWriter, content []byte, n int) bool {
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(content[:n])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// noise is bytes that no two places of share.
func noise(seed uint64, n int) []byte {
	r := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})
	b := make([]byte, n)
	_, _ = r.Read(b)
	return b
}

// hand is a clock on which a second passes with every look. Waits are over at
// once; only the stall limit is in the test's hand.
type hand struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
	stall func()
}

func (h *hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(time.Second)
	return h.now
}

func (h *hand) AfterFunc(d time.Duration, f func()) Timer {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d == handStall {
		h.stall = f
	} else {
		h.waits = append(h.waits, d)
		go f()
	}
	return still{}
}

// handStall is no wait that the program makes.
const handStall = 29 * time.Second

// still is a timer that goes off only by hand.
type still struct{}

func (still) Stop() bool               { return true }
func (still) Reset(time.Duration) bool { return true }

// goneBy makes the stall limit pass.
func (h *hand) goneBy() {
	h.mu.Lock()
	f := h.stall
	h.mu.Unlock()
	f()
}

func downloader(clock Clock) *Downloader {
	return &Downloader{Stall: handStall, Client: outbound.New(nil).Client("download"), Clock: clock, Free: func(string) (int64, error) { return 1 << 50, nil }}
}

func path(t *testing.T) string { return filepath.Join(t.TempDir(), "models", "m.gguf") }

// expectFile makes sure that the file is there, whole, and nothing beside it.
func expectFile(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v; want the %d of the source", len(got), err, len(want))
	}
	expectAlone(t, path, 1)
}

// expectAlone counts what lies in the folder of a download.
func expectAlone(t *testing.T, path string, want int) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != want {
		t.Errorf("%v lie in the folder, %v; want %d", entries, err, want)
	}
}

// expectRefused makes sure of the kind, of a sentence, and that there is no file.
func expectRefused(t *testing.T, path string, err, kind error) {
	t.Helper()
	var e *inference.Error
	if !errors.Is(err, kind) || !errors.As(err, &e) || len(e.Message) < 20 || e.Message[len(e.Message)-1] != '.' {
		t.Errorf("got %v, want %v with a sentence", err, kind)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is there nevertheless")
	}
}
