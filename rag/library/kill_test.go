package library

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/extract"
	"referent/rag/segment"
	"referent/storage/index"
)

// readerEnv names the data folder of the program that
// TestKilledWhileReadingGoesOn kills, and the folder that it reads.
const readerEnv = "REFERENT_TEST_LIBRARY_READER"

// TestMain makes this binary that program.
func TestMain(m *testing.M) {
	if data, dir, ok := strings.Cut(os.Getenv(readerEnv), "|"); ok {
		if err := readAll(data, dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// readAll reads a folder and tells of each file: "opened NAME" when it is read,
// "done NAME" when it is in the library.
func readAll(data, dir string) error {
	ctx := context.Background()
	store, err := index.Open(ctx, data)
	if err != nil {
		return err
	}
	defer store.Close()
	search, err := segment.Open(ctx, store, "model")
	if err != nil {
		return err
	}
	reader := &fakeReader{}
	l := New(Deps{Store: store, Index: search,
		Extract: func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
			fmt.Println("opened", filepath.Base(path))
			return reader.extract(ctx, path, file)
		},
		Notify: func(e Event) {
			if e.Kind == EventFile && e.Status == string(rag.FileIndexed) {
				fmt.Println("done", filepath.Base(e.Path))
			}
		}})
	if err := l.Start(ctx); err != nil {
		return err
	}
	defer l.Close()
	if _, err := l.AddFolder(ctx, dir, AddOptions{}); err != nil {
		return err
	}
	return l.Sync(ctx, nil)
}

// A program that is killed at 40 % of 2,000 files goes on from there: no file
// that it had finished is read again. REFERENT_KILLS says how often it is
// killed; the kills after the first are spread over the rest.
func TestKilledWhileReadingGoesOn(t *testing.T) {
	const files = 2000
	kills := 2
	if n, err := strconv.Atoi(os.Getenv("REFERENT_KILLS")); err == nil && n > 0 {
		kills = n
	}
	dir, data := t.TempDir(), t.TempDir()
	old := time.Now().Add(-time.Hour) // a fresh file would rest first
	for i := range files {
		path := filepath.Join(dir, fmt.Sprintf("%d.txt", i))
		if err := errors.Join(os.WriteFile(path, fmt.Appendf(nil, "The anchor number %d.\n", i), 0o600), os.Chtimes(path, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	done := map[string]bool{}
	for kill := range kills {
		until := files * 2 / 5
		if kill > 0 {
			until += files * 3 / 5 * kill / kills
		}
		runReader(t, data, dir, done, until)
	}
	runReader(t, data, dir, done, files+1)
	store, err := index.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if counts, err := store.CountsByStatus(t.Context(), 0); err != nil || counts[string(rag.FileIndexed)] != files || len(counts) != 1 {
		t.Errorf("in the end %v, %v", counts, err)
	}
}

// runReader runs the program, adds what it finishes to done and kills it when
// done has so many files. Reading one of done again is an error.
func runReader(t *testing.T, data, dir string, done map[string]bool, until int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), readerEnv+"="+data+"|"+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, name, _ := strings.Cut(lines.Text(), " ")
		switch {
		case what == "opened" && done[name]:
			t.Errorf("%s was finished and is read again", name)
		case what == "done":
			done[name] = true
		}
		if len(done) >= until {
			_ = cmd.Process.Kill() // it may have ended; what it has said is still read
		}
	}
	if err := cmd.Wait(); err != nil && len(done) < until {
		t.Fatalf("the program ended by itself: %v", err)
	}
}
