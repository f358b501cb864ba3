package index

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

const writerEnv = "REFERENT_TEST_INDEX_WRITER"

// TestMain makes this binary the writer that TestKilledWriter kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		if err := writeForEver(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeForEver stores versions of 20 documents and acknowledges each on stdout
// as "path version": version v has v%7+1 chunks, all of that version, and
// vectors for them.
func writeForEver(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, dir)
	if err != nil {
		return err
	}
	f, err := s.AddFolder(ctx, Folder{Path: "/docs"})
	if err != nil {
		return err
	}
	if _, err := s.RequeueInterrupted(ctx); err != nil {
		return err
	}
	docs, err := s.Documents(ctx, DocumentQuery{})
	if err != nil {
		return err
	}
	version := 0
	for _, d := range docs {
		version = max(version, int(d.Size))
	}
	for {
		version++
		path := fmt.Sprintf("/docs/%d", version%20)
		if _, err := s.Found(ctx, []FileSeen{{Folder: f.ID, Path: path, Size: int64(version), ModTime: day}}); err != nil {
			return err
		}
		d, _, err := s.NextWaiting(ctx)
		if err != nil {
			return err
		}
		chunks, _, err := s.Replace(ctx, content(d.ID, versionTexts(version)...))
		if err != nil {
			return err
		}
		if version%3 == 0 {
			var v []HashVector
			for _, c := range chunks {
				v = append(v, HashVector{c.ContentHash, []float32{1, 0}})
			}
			if err := s.PutVectors(ctx, "m", v); err != nil {
				return err
			}
		}
		if _, err := fmt.Println(d.Path, version); err != nil {
			return err
		}
	}
}

func versionTexts(version int) []string {
	texts := make([]string, version%7+1)
	for i := range texts {
		texts[i] = fmt.Sprintf("%d/%d", version, i)
	}
	return texts
}

// A writer that is killed at a random moment leaves every acknowledged document
// whole, and none in half.
func TestKilledWriter(t *testing.T) {
	kills := 5
	if n, err := strconv.Atoi(os.Getenv("REFERENT_KILLS")); err == nil {
		kills = n
	}
	dir := t.TempDir()
	for range kills {
		acknowledged := killWriter(t, dir)
		checkLibrary(t, dir, acknowledged)
	}
}

func killWriter(t *testing.T, dir string) map[string]int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), writerEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]int{}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if len(acknowledged) == 0 { // the clock starts when it writes
			timer := time.AfterFunc(time.Duration(rand.IntN(200))*time.Millisecond, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
		}
		path, version, _ := strings.Cut(lines.Text(), " ")
		if n, err := strconv.Atoi(version); err == nil {
			acknowledged[path] = n
		}
	}
	_ = cmd.Wait() // killed, as it should be
	if len(acknowledged) == 0 {
		t.Fatal("the writer acknowledged nothing")
	}
	return acknowledged
}

func checkLibrary(t *testing.T, dir string, acknowledged map[string]int) {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var verdict string
	if err := s.db.Read.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity: %s, %v", verdict, err)
	}
	docs, err := s.Documents(t.Context(), DocumentQuery{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, d := range docs {
		seen[d.Path] = true
		chunks, err := s.DocumentChunks(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(chunks) == 0 { // seen, not stored yet
			if acknowledged[d.Path] != 0 {
				t.Errorf("%s: acknowledged version %d is gone", d.Path, acknowledged[d.Path])
			}
			continue
		}
		number, _, _ := strings.Cut(chunks[0].Text, "/")
		version, err := strconv.Atoi(number)
		if err != nil || version < acknowledged[d.Path] && d.Status == "indexed" {
			t.Errorf("%s: holds version %q, acknowledged %d", d.Path, number, acknowledged[d.Path])
		}
		want := versionTexts(version)
		text, err := s.DocumentText(t.Context(), d.ID)
		if err != nil || text != strings.Join(want, "") || len(chunks) != len(want) || d.Chunks != len(want) {
			t.Errorf("%s: half a document: %d chunks of %d, text %q, %v", d.Path, len(chunks), len(want), text, err)
		}
		for i, c := range chunks {
			if c.Text != want[i] {
				t.Errorf("%s: chunk %d is %q, want %q", d.Path, i, c.Text, want[i])
			}
		}
	}
	for path := range acknowledged {
		if !seen[path] {
			t.Errorf("%s was acknowledged and is gone", path)
		}
	}
	var orphans int
	if err := s.db.Read.QueryRow("SELECT count(*) FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.content_hash = v.content_hash)").Scan(&orphans); err != nil || orphans > 0 {
		t.Errorf("%d vectors without a chunk, %v", orphans, err)
	}
}
