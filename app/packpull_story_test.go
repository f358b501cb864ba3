package app_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/inference/runtime/pack"
	"referent/inference/runtime/pack/packtest"
	"referent/rag"
)

func source(s *packtest.Server) app.ArchiveSource {
	return app.ArchiveSource{URL: s.URL, SHA256: s.SHA256}
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

// Without a driver for it a pack is refused before anything is asked of a server,
// by download and from files, and the list says why before anybody tries. A person
// who wants it all the same gets it; a driver that has come is seen at once.
func TestPack_LooksForTheDriverFirst(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.close()
	none := atomic.Bool{}
	none.Store(true)
	s.config.Driver = func(context.Context, pack.Pack) error {
		if none.Load() {
			return &inference.Error{Kind: inference.ErrNoRuntime, Message: "No driver was found."}
		}
		return nil
	}
	s.open()
	server := packtest.Serve(t, false)
	pull := app.PullRuntimeRequest{Name: "cuda", From: []app.ArchiveSource{source(server)}, Accept: true, Granted: true}
	all, err := s.app.Runtimes(t.Context())
	if err != nil || all[0].Name != "cuda" || all[0].Lacks != "No driver was found." {
		t.Errorf("%+v, %v", all, err)
	}
	_, err = s.app.PullRuntime(t.Context(), pull, nil)
	expectSentence(t, err, "No driver was found.")
	_, err = s.app.InstallRuntime(t.Context(), app.InstallRuntimeRequest{Name: "cuda", Accept: true}, nil)
	expectSentence(t, err, "No driver was found.")
	if n := server.Asked.Load(); n != 0 {
		t.Errorf("%d requests before the driver was there", n)
	}
	pull.Anyway = true
	_, err = s.app.PullRuntime(t.Context(), pull, nil)
	expectSentence(t, err, "There are no model libraries") // the core that a pack stands on
	none.Store(false)
	pull.Anyway = false
	_, err = s.app.PullRuntime(t.Context(), pull, nil)
	expectSentence(t, err, "There are no model libraries")
	if all, err := s.app.Runtimes(t.Context()); err != nil || all[0].Lacks != "" {
		t.Errorf("%+v, %v", all, err)
	}
}

// The download pauses, is told as paused, goes on where it stopped, and is
// compared with the checksum that the person gave. What is no archive of the pack
// is then refused, and nothing is installed.
func TestPullRuntime_PausesAndGoesOn(t *testing.T) {
	s := newStory(t, fake.Config{})
	server := packtest.Serve(t, true)
	req := app.PullRuntimeRequest{Name: "cuda", From: []app.ArchiveSource{source(server)}, Accept: true, Granted: true}
	paused := make(chan error, 1)
	var once atomic.Bool
	_, err := s.app.PullRuntime(t.Context(), req, func(now app.Transfer) {
		if now.Done > 0 && once.CompareAndSwap(false, true) {
			go func() { paused <- s.app.PauseModel(context.WithoutCancel(t.Context()), "runtime-cuda") }()
		}
	})
	server.Release()
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
	if n := server.Asked.Load(); n != 2 || !server.WentOn.Load() {
		t.Errorf("%d requests, the second from where it stopped: %v", n, server.WentOn.Load())
	}
	archives, _ := filepath.Glob(filepath.Join(s.config.CacheDir, "packs", "cuda", "*.whl"))
	if len(archives) != 1 {
		t.Fatalf("there are %v", archives)
	}
	if body, err := os.ReadFile(archives[0]); err != nil || !bytes.Equal(body, server.Archive) {
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
	server := packtest.Serve(t, true)
	req := app.PullRuntimeRequest{Name: "cuda", From: []app.ArchiveSource{source(server)}, Accept: true, Granted: true}
	var once atomic.Bool
	_, err := s.app.PullRuntime(t.Context(), req, func(now app.Transfer) {
		if now.Done == 0 || !once.CompareAndSwap(false, true) {
			return
		}
		_, err := s.app.InstallRuntime(t.Context(), app.InstallRuntimeRequest{Name: "cuda", Accept: true}, nil)
		expectSentence(t, err, "This pack is being downloaded.")
		_, err = s.app.PullRuntime(t.Context(), req, nil)
		expectSentence(t, err, "This pack is being downloaded.")
		expectSentence(t, s.app.RemoveRuntime(t.Context(), "cuda"), "This pack is being downloaded.")
		server.Release()
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
	server := packtest.Serve(t, false)
	for _, c := range []struct{ sha256, says string }{
		{strings.Repeat("a", 64), "checksum"},
		{"", "checksum"},
		{"12", "is no SHA-256"},
	} {
		from := source(server)
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
