package app_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/inference/gguf/toy"
	"referent/rag"
)

// The window asks for each host; until the answer no name is looked up, and a no
// leaves nothing behind.
func TestPull_AsksForEachHostAndTakesANo(t *testing.T) {
	s := newStory(t, fake.Config{})
	redirect := httptest.NewServer(http.RedirectHandler("https://files.invalid/m.gguf", http.StatusFound))
	t.Cleanup(redirect.Close)
	for _, c := range []struct{ name, url, host string }{
		{"the address", "https://models.invalid/m.gguf", "models.invalid:443"},
		{"a redirect", redirect.URL + "/m.gguf", "files.invalid:443"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var states []string
			err := s.app.PullModel(t.Context(), app.PullRequest{URL: c.url}, func(now app.Transfer) {
				states = append(states, now.State)
				if now.Asks == "" {
					return
				}
				if string(now.Asks) != c.host {
					t.Errorf("asked for %q", now.Asks)
				}
				if err := s.app.PermitDownload(t.Context(), now.ID, string(now.Asks), false); err != nil {
					t.Error(err)
				}
			})
			var e *rag.Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, "was not allowed") {
				t.Errorf("%v", err)
			}
			if got := strings.Join(states, " "); got != "connecting asking failed" {
				t.Errorf("states: %s", got)
			}
			if left, _ := os.ReadDir(filepath.Join(s.config.DataDir, "models")); len(left) != 0 {
				t.Errorf("%v was left", left)
			}
		})
	}
	if status, err := s.app.Status(t.Context()); err != nil || status.Outbound != 0 {
		t.Errorf("%d connections, %v", status.Outbound, err)
	}
	if err := s.app.PermitDownload(t.Context(), "m", "models.invalid:443", true); err == nil {
		t.Error("a permission that nobody asks for was taken")
	}
}

// On Windows a backslash or a colon in the name would leave the models folder.
func TestPull_ANameThatLeavesTheFolderIsRefused(t *testing.T) {
	s := newStory(t, fake.Config{})
	for _, address := range []string{"https://models.invalid/..%5C..%5Cx.gguf", "https://models.invalid/C:x.gguf", "https://models.invalid/m.gguf%3Ax.gguf", "https://models.invalid/a%0Ab.gguf"} {
		err := s.app.PullModel(t.Context(), app.PullRequest{URL: address}, func(now app.Transfer) {
			t.Errorf("%s: %+v", address, now)
			if now.Asks != "" {
				_ = s.app.PermitDownload(t.Context(), now.ID, string(now.Asks), false)
			}
		})
		var e *rag.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, "no address of a model file") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestPull_AQuestionEndsWithItsDownload(t *testing.T) {
	s := newStory(t, fake.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	err := s.app.PullModel(ctx, app.PullRequest{URL: "https://models.invalid/m.gguf"}, func(now app.Transfer) {
		if now.Asks != "" {
			cancel()
		}
	})
	if err == nil {
		t.Error("no error")
	}
}

// A model that came by import is used like one of the catalogue, also after a
// restart, and an altered file is not.
func TestImport_PlaysItsRoleAfterARestart(t *testing.T) {
	s := newStory(t, fake.Config{})
	path := filepath.Join(t.TempDir(), "Mine.gguf")
	if _, err := (toy.Chat{Text: "Yes [1]."}).Write(path); err != nil {
		t.Fatal(err)
	}
	f, err := s.app.ImportModel(t.Context(), app.ImportRequest{Path: path, Role: "answer"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.app.LoadModel(t.Context(), "answer", f.ID); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	if err := s.app.LoadModel(t.Context(), "answer", f.ID); err != nil {
		t.Fatal(err)
	}
	calls := s.models.Calls()
	last := calls[len(calls)-1]
	if last.Spec.Path != f.Path || last.Spec.Hash != f.SHA256 {
		t.Errorf("loaded %s with the hash %q; want %s, compared with %s", last.Spec.Path, last.Spec.Hash, f.Path, f.SHA256)
	}
	if err := os.Truncate(f.Path, f.Bytes-1); err != nil {
		t.Fatal(err)
	}
	if err := s.app.LoadModel(t.Context(), "answer", "mine"); err != nil {
		t.Log(err) // still in memory
	}
	if err := s.app.UnloadModel(t.Context(), "answer"); err != nil {
		t.Fatal(err)
	}
	var e *rag.Error
	if err := s.app.LoadModel(t.Context(), "answer", f.ID); !errors.As(err, &e) || e.Code != rag.CodeNoModel {
		t.Errorf("a cut file was used: %v", err)
	}
}
