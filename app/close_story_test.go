package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// ours lists the goroutines that run code of the program.
func ours() []string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var out []string
	for g := range strings.SplitSeq(string(buf), "\n\n") {
		if strings.Contains(g, "referent/") && !strings.Contains(g, "app_test") {
			out = append(out, g)
		}
	}
	return out
}

func TestClose_LeavesNoGoroutine(t *testing.T) {
	before := len(ours())
	s := newStory(t, fake.Config{})
	s.config.Window = true // everything that runs in the background does
	s.Restart()
	s.AddFolder(town)
	watching, stop := context.WithCancel(t.Context())
	seen, ended := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		ended <- s.app.Watch(watching, func(app.Notice) {
			select {
			case seen <- struct{}{}:
			default:
			}
		})
	}()
	s.Ask(howLong)
	<-seen
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("watching ended with %v", err)
	}
	s.close()
	s.Eventually("the end of all goroutines", 5*time.Second, func() bool { return len(ours()) <= before })
	if now := ours(); len(now) > before {
		t.Errorf("left over:\n%s", strings.Join(now, "\n\n"))
	}
}

func TestClose_InTheMiddleOfATurnEndsIt(t *testing.T) {
	started := make(chan struct{})
	s := newStory(t, fake.Config{Step: func(ctx context.Context, step fake.Step) error {
		if step.Phase == fake.PhaseDecode && step.Role == "answer" && step.N == 3 {
			close(started)
			<-ctx.Done()
		}
		return ctx.Err()
	}})
	s.AddFolder(town)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.app.Ask(ctx, app.AskRequest{Question: howLong}, func(rag.Event) {}) }()
	<-started
	cancel() // as the socket's server does before the program closes
	if err := <-ended; !errors.Is(err, &rag.Error{Code: rag.CodeCancelled}) {
		t.Errorf("%v", err)
	}
	s.close()
}

func TestPrivacy_TheDataFolderIsThePersonsOnly(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	s.close()
	err := filepath.WalkDir(s.config.DataDir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode().Perm())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The log and the run log hold codes, never words of documents or questions.
func TestPrivacy_NoTextInTheLogs(t *testing.T) {
	var mu sync.Mutex
	var log []string
	s := newStory(t, brokenRewrite(fake.Reply{Err: errors.New("strange: Harlow")}))
	s.config.Log = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		log = append(log, line)
	}
	s.Restart()
	s.AddFolder(town)
	s.Ask(howLong)
	s.FollowUp("condense_context", "When was it opened?")
	s.ExpectFails(app.AskRequest{Question: howLong, Engine: "clever"}, rag.CodeUnknownChatEngine)
	runs, err := s.app.Runs(t.Context(), 10)
	if err != nil || len(runs) != 3 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	s.close()
	for _, text := range append(log, asJSON(t, runs)) {
		for _, word := range []string{"Harlow", "opened", "320", "bridge.md"} {
			if strings.Contains(text, word) {
				t.Errorf("%q is in %s", word, text)
			}
		}
	}
}
