package worker

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/extract"
)

func newPool(t *testing.T, c Config) *Pool {
	t.Helper()
	p := New(c)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const sample = "# Rules\n\nQuiet hours begin at 22:00. Ruhezeit für alle: 🏠.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"

func TestAWorkerReadsWhatFileReads(t *testing.T) {
	p := newPool(t, Config{Deadline: 2 * time.Minute})
	path := writeFile(t, "rules.md", sample+strings.Repeat("\nEin längerer Absatz über die Hausordnung, mit einigen Wörtern mehr, damit er mehr als einen Rahmen füllt.\n", 12_000))
	want, err := extract.File(context.Background(), path, extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second is read by the same worker
		got, err := p.Extract(context.Background(), path, extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatal("the extraction came through the pipe changed")
		}
	}
	if n := p.resting(); n != 1 {
		t.Errorf("%d workers rest, want 1", n)
	}
}

func TestAFilesOwnFaultIsAStatus(t *testing.T) {
	p := newPool(t, Config{})
	ex, err := p.Extract(context.Background(), writeFile(t, "x.pdf", "no pdf"), extract.Options{})
	if err != nil || ex.Status != rag.FileDamaged || ex.Reason == "" {
		t.Errorf("%s %q %v, want damaged with a sentence", ex.Status, ex.Reason, err)
	}
}

func TestR041_ASleepingParserTimesOutAndTheQueueGoesOn(t *testing.T) {
	p := newPool(t, Config{Role: "sleeping", Deadline: 200 * time.Millisecond})
	for range 2 {
		ex, err := p.Extract(context.Background(), writeFile(t, "a.txt", "text"), extract.Options{})
		if !errors.Is(err, ErrTimedOut) || ex.Status != rag.FileTimedOut || !strings.HasSuffix(ex.Reason, ".") {
			t.Fatalf("%s %q %v, want timed_out", ex.Status, ex.Reason, err)
		}
	}
	if n := p.resting(); n != 0 {
		t.Errorf("%d workers rest after their deadline, want 0", n)
	}
}

func TestAWorkerThatMisbehavesCostsOneFile(t *testing.T) {
	for _, c := range []struct {
		role   string
		limit  int64
		kind   error
		status rag.FileStatus
	}{
		{"dying", 0, ErrDied, rag.FileDamaged},
		{"babbling", 0, ErrDied, rag.FileDamaged},
		{"eating", 200 << 20, ErrMemory, rag.FileTooLarge},
	} {
		t.Run(c.role, func(t *testing.T) {
			p := newPool(t, Config{Role: c.role, MemoryLimit: c.limit, Deadline: time.Minute})
			ex, err := p.Extract(context.Background(), writeFile(t, "a.txt", "text"), extract.Options{})
			if !errors.Is(err, c.kind) || ex.Status != c.status || !strings.HasSuffix(ex.Reason, ".") {
				t.Errorf("%s %q %v, want %s and %v", ex.Status, ex.Reason, err, c.status, c.kind)
			}
		})
	}
}

func TestR077_AKilledWorkerIsReplaced(t *testing.T) {
	p := newPool(t, Config{})
	path := writeFile(t, "rules.md", sample)
	if _, err := p.Extract(context.Background(), path, extract.Options{}); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	child := p.idle[0].child
	p.mu.Unlock()
	child.Kill()
	<-child.Exited()
	if ex, err := p.Extract(context.Background(), path, extract.Options{}); err != nil || ex.Status != rag.FileIndexed {
		t.Errorf("after a kill: %s %v, want indexed", ex.Status, err)
	}
}

func TestCancelEndsTheFileOnly(t *testing.T) {
	p := newPool(t, Config{Role: "sleeping", Deadline: time.Minute})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	path := writeFile(t, "a.txt", "text")
	go func() {
		_, err := p.Extract(ctx, path, extract.Options{})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestCloseEndsFilesBeingRead(t *testing.T) {
	p := New(Config{Role: "sleeping", Deadline: time.Minute, Workers: 2})
	var done sync.WaitGroup
	path := writeFile(t, "a.txt", "text")
	for range 3 {
		done.Add(1)
		go func() {
			defer done.Done()
			if _, err := p.Extract(context.Background(), path, extract.Options{}); !errors.Is(err, ErrClosed) {
				t.Errorf("got %v, want ErrClosed", err)
			}
		}()
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	done.Wait()
}

func TestAnIdleWorkerIsEnded(t *testing.T) {
	p := newPool(t, Config{Idle: 50 * time.Millisecond})
	if _, err := p.Extract(context.Background(), writeFile(t, "rules.md", sample), extract.Options{}); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	idle := p.idle
	p.mu.Unlock()
	if len(idle) > 0 { // else it is ended already
		<-idle[0].child.Exited()
	}
	if n := p.resting(); n != 0 {
		t.Errorf("%d workers rest, want 0", n)
	}
}

func TestDeadlineFollowsTheSize(t *testing.T) {
	p := newPool(t, Config{})
	small, large := writeFile(t, "a.txt", "x"), writeFile(t, "b.txt", "")
	if err := os.Truncate(large, 5<<20); err != nil {
		t.Fatal(err)
	}
	huge := writeFile(t, "c.txt", "")
	if err := os.Truncate(huge, 500<<20); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]time.Duration{small: 10 * time.Second, large: 20 * time.Second, huge: 120 * time.Second} {
		if got := p.deadline(path).Round(time.Second); got != want {
			t.Errorf("%s: %v, want %v", filepath.Base(path), got, want)
		}
	}
}

func TestServeRefusesWhatIsNoRequest(t *testing.T) {
	var out bytes.Buffer
	if err := Serve(strings.NewReader("hello, worker\n"), &out); err == nil {
		t.Error("text that is no frame must end the role")
	}
	if err := Serve(strings.NewReader(""), &out); err != nil {
		t.Errorf("a closed input is the end and no error: %v", err)
	}
}

// resting counts the workers that rest.
func (p *Pool) resting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle)
}

func TestANameThatIsNoUTF8ReachesTheWorker(t *testing.T) {
	p := newPool(t, Config{})
	ex, err := p.Extract(context.Background(), writeFile(t, "na\xffme.txt", "Some words."), extract.Options{})
	if err != nil || ex.Status != rag.FileIndexed || ex.Text != "Some words." || ex.Title != "na\uFFFDme" {
		t.Errorf("%s %q %q, title %q, %v", ex.Status, ex.Reason, ex.Text, ex.Title, err)
	}
}

// TestWhatIsMadeReadyIsNoPartOfAFilesTime: the first PDF of all may wait for the
// module to be compiled; a file that hangs afterwards still ends in its own time.
func TestWhatIsMadeReadyIsNoPartOfAFilesTime(t *testing.T) {
	path := writeFile(t, "a.pdf", "text")
	p := newPool(t, Config{Role: "preparing", Deadline: 300 * time.Millisecond})
	var heard []string
	told := extract.Options{Preparing: func() { heard = append(heard, "preparing") }, Ready: func() { heard = append(heard, "ready") }}
	if ex, err := p.Extract(context.Background(), path, told); err != nil || ex.Text != "Words." || !slices.Equal(heard, []string{"preparing", "ready"}) {
		t.Errorf("%s %q %v, heard %v", ex.Status, ex.Reason, err, heard)
	}
	p, heard = newPool(t, Config{Role: "unready"}), nil
	ex, err := p.Extract(context.Background(), path, told)
	if !errors.Is(err, ErrPreparing) || !errors.Is(err, ErrDied) || !strings.Contains(ex.Reason, "The file is not to blame.") || !slices.Equal(heard, []string{"preparing", "ready"}) {
		t.Errorf("%s %q %v, heard %v", ex.Status, ex.Reason, err, heard)
	}
	p = newPool(t, Config{Role: "readying", Deadline: 300 * time.Millisecond})
	if ex, err := p.Extract(context.Background(), path, extract.Options{}); !errors.Is(err, ErrTimedOut) || ex.Status != rag.FileTimedOut {
		t.Errorf("%s %q %v, want timed_out", ex.Status, ex.Reason, err)
	}
}
