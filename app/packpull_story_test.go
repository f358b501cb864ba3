package app_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// packServer has one archive with a file that no pack wants. The first request
// gets half of it and then waits, if held is set.
type packServer struct {
	*httptest.Server
	archive []byte
	held    chan struct{}
	asked   atomic.Int32
	went    atomic.Bool // a request went on where another stopped
}

func newPackServer(t *testing.T) *packServer {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "lib/other.so", Method: zip.Store})
	if err == nil {
		_, err = w.Write(bytes.Repeat([]byte("numbers "), 100_000))
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	s := &packServer{archive: b.Bytes()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first := s.asked.Add(1) == 1
		if r.Header.Get("Range") != "" {
			s.went.Store(true)
		}
		w.Header().Set("Etag", `"v1"`)
		if !first || s.held == nil {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.archive))
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(s.archive)))
		_, _ = w.Write(s.archive[:len(s.archive)/2])
		_ = http.NewResponseController(w).Flush()
		<-s.held
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *packServer) source() app.ArchiveSource {
	sum := sha256.Sum256(s.archive)
	return app.ArchiveSource{URL: s.URL + "/numbers.whl", SHA256: hex.EncodeToString(sum[:])}
}

func expectSentence(t *testing.T, err error, part string) {
	t.Helper()
	var e *rag.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, part) {
		t.Errorf("got %v, want %q", err, part)
	}
}

// A pack comes by download only with its licence, and each host is asked for; a
// no leaves nothing behind.
func TestPullRuntime_AsksForItsLicenceAndItsHosts(t *testing.T) {
	s := newStory(t, fake.Config{})
	_, err := s.app.PullRuntime(t.Context(), app.PullRuntimeRequest{Name: "cuda"}, nil)
	expectSentence(t, err, "End User License Agreement")
	_, err = s.app.PullRuntime(t.Context(), app.PullRuntimeRequest{Name: "vulkan", Accept: true}, nil)
	expectSentence(t, err, "no optional runtime")
	var asked []string
	_, err = s.app.PullRuntime(t.Context(), app.PullRuntimeRequest{Name: "cuda", Accept: true}, func(now app.Transfer) {
		if now.Asks == "" {
			return
		}
		asked = append(asked, string(now.Asks))
		if err := s.app.PermitDownload(t.Context(), now.ID, string(now.Asks), false); err != nil {
			t.Error(err)
		}
	})
	expectSentence(t, err, "was not allowed")
	if len(asked) != 1 || asked[0] != "registry.npmjs.org:443" {
		t.Errorf("asked for %v", asked)
	}
	if all, err := s.app.Runtimes(t.Context()); err != nil || all[0].Transfer != nil || len(all[0].Sources) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	if status, err := s.app.Status(t.Context()); err != nil || status.Outbound != 0 {
		t.Errorf("%d connections, %v", status.Outbound, err)
	}
}

// The download pauses, is told as paused, goes on where it stopped, and is
// compared with the checksum that the person gave. What is no archive of the pack
// is then refused, and nothing is installed.
func TestPullRuntime_PausesAndGoesOn(t *testing.T) {
	s := newStory(t, fake.Config{})
	server := newPackServer(t)
	server.held = make(chan struct{})
	req := app.PullRuntimeRequest{Name: "cuda", From: []app.ArchiveSource{server.source()}, Accept: true, Granted: true}
	paused := make(chan error, 1)
	var once atomic.Bool
	_, err := s.app.PullRuntime(t.Context(), req, func(now app.Transfer) {
		if now.Done > 0 && once.CompareAndSwap(false, true) {
			go func() { paused <- s.app.PauseModel(context.WithoutCancel(t.Context()), "runtime-cuda") }()
		}
	})
	close(server.held)
	expectSentence(t, err, "The download is paused.")
	if err := <-paused; err != nil {
		t.Error(err)
	}
	all, err := s.app.Runtimes(t.Context())
	if err != nil || all[0].Transfer == nil || all[0].Transfer.State != "paused" || all[0].Transfer.Done <= 0 {
		t.Fatalf("%+v, %v", all[0].Transfer, err)
	}
	_, err = s.app.PullRuntime(t.Context(), req, nil)
	expectSentence(t, err, "There are no model libraries") // the core that a pack stands on
	if n := server.asked.Load(); n != 2 || !server.went.Load() {
		t.Errorf("%d requests, the second from where it stopped: %v", n, server.went.Load())
	}
	archives, _ := filepath.Glob(filepath.Join(s.config.CacheDir, "packs", "cuda", "*.whl"))
	if len(archives) != 1 {
		t.Fatalf("there are %v", archives)
	}
	if body, err := os.ReadFile(archives[0]); err != nil || !bytes.Equal(body, server.archive) {
		t.Errorf("%d bytes came, %v", len(body), err)
	}
	if err := s.app.RemoveRuntime(t.Context(), "cuda"); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Join(s.config.CacheDir, "packs", "cuda")); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

// While a pack is downloaded no other call touches its folders.
func TestPullRuntime_KeepsOthersAway(t *testing.T) {
	s := newStory(t, fake.Config{})
	server := newPackServer(t)
	server.held = make(chan struct{})
	req := app.PullRuntimeRequest{Name: "cuda", From: []app.ArchiveSource{server.source()}, Accept: true, Granted: true}
	var once atomic.Bool
	_, err := s.app.PullRuntime(t.Context(), req, func(now app.Transfer) {
		if now.Done == 0 || !once.CompareAndSwap(false, true) {
			return
		}
		_, err := s.app.InstallRuntime(t.Context(), app.InstallRuntimeRequest{Name: "cuda", Accept: true}, nil)
		expectSentence(t, err, "This pack is being downloaded.")
		_, err = s.app.PullRuntime(t.Context(), req, nil)
		expectSentence(t, err, "This pack is being downloaded already.")
		expectSentence(t, s.app.RemoveRuntime(t.Context(), "cuda"), "This pack is being downloaded.")
		close(server.held)
	})
	expectSentence(t, err, "") // half of the archive came
	if !once.Load() {
		t.Error("nothing came")
	}
	if err := s.app.RemoveRuntime(t.Context(), "cuda"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// Neither other bytes than the person's checksum nor a server that announces none
// is taken.
func TestPullRuntime_ComparesWithTheChecksum(t *testing.T) {
	s := newStory(t, fake.Config{})
	server := newPackServer(t)
	for _, c := range []struct{ sha256, says string }{
		{strings.Repeat("a", 64), "checksum"},
		{"", "checksum"},
		{"12", "is no SHA-256"},
	} {
		from := server.source()
		from.SHA256 = c.sha256
		_, err := s.app.PullRuntime(t.Context(), app.PullRuntimeRequest{Name: "cuda", From: []app.ArchiveSource{from}, Accept: true, Granted: true}, nil)
		expectSentence(t, err, c.says)
		if left, _ := filepath.Glob(filepath.Join(s.config.CacheDir, "packs", "cuda", "*.whl")); len(left) != 0 {
			t.Errorf("%q: %v is there", c.sha256, left)
		}
	}
}

// A look at libraries that are not there is refused in a sentence.
func TestCheckRuntime_OfNone(t *testing.T) {
	s := newStory(t, fake.Config{})
	_, err := s.app.CheckRuntime(t.Context(), "vulkan")
	expectSentence(t, err, "are not installed")
}
