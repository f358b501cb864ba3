package segment

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"referent/rag/lexical"
	"referent/storage/index"
)

const writerEnv = "REFERENT_TEST_SEGMENT_WRITER"

// TestMain makes this binary the writer that TestKilledWriter kills, or the
// teller of a story that needs a process of its own.
func TestMain(m *testing.M) {
	if story := os.Getenv(storyEnv); story != "" {
		if err := stories[story](os.Getenv(storyDirEnv)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv(writerEnv); dir != "" {
		if err := writeForEver(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func openWriter(ctx context.Context, dir string) (*index.Store, *Index, error) {
	store, err := index.Open(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	x, err := OpenStored(ctx, store, "m", Files{Dir: filepath.Join(dir, "index"), Manifest: store, SealFrom: 60})
	return store, x, err
}

// writeForEver stores versions of eight documents, shows them to the index,
// which writes and merges segments meanwhile, and acknowledges each on stdout
// as "path version".
func writeForEver(dir string) error {
	ctx := context.Background()
	store, x, err := openWriter(ctx, dir)
	if err != nil {
		return err
	}
	f, err := store.AddFolder(ctx, index.Folder{Path: "/docs"})
	if err != nil {
		return err
	}
	if _, err := store.RequeueInterrupted(ctx); err != nil {
		return err
	}
	docs, err := store.Documents(ctx, index.DocumentQuery{})
	if err != nil {
		return err
	}
	version := 0
	for _, d := range docs {
		version = max(version, int(d.Size))
	}
	for {
		version++
		path := fmt.Sprintf("/docs/%d", version%8)
		if _, err := store.Found(ctx, []index.FileSeen{{Folder: f.ID, Path: path, Size: int64(version), ModTime: someDay}}); err != nil {
			return err
		}
		d, _, err := store.NextWaiting(ctx) // perhaps one that a kill interrupted
		if err != nil {
			return err
		}
		stored := int(d.Size)
		c := index.DocumentContent{Document: d.ID, Status: "indexed", Kind: "text", Language: "pl", Class: "fact", Text: "text"}
		var vectors []index.HashVector
		for i := range 20 + stored%7 {
			text := fmt.Sprintf("%s part%d", versionWord(stored), i)
			c.Chunks = append(c.Chunks, index.StoredChunk{Ordinal: i, Parent: -1, ContentHash: text, Text: text, Locator: "{}", Tokens: 1})
			vectors = append(vectors, index.HashVector{ContentHash: text, V: bagOf(text)})
		}
		chunks, _, err := store.Replace(ctx, c)
		if err != nil {
			return err
		}
		cols, _, err := store.Columns(ctx, d.ID)
		if err != nil {
			return err
		}
		x.Add(cols, chunks)
		if stored%3 > 0 {
			if err := store.PutVectors(ctx, "m", vectors); err != nil {
				return err
			}
			var shown []ChunkVector
			for i, c := range chunks {
				shown = append(shown, ChunkVector{c.ID, vectors[i].V})
			}
			if err := x.SetVectors("m", shown); err != nil {
				return err
			}
		}
		if _, err := fmt.Println(d.Path, stored); err != nil {
			return err
		}
	}
}

// versionWord is a word that only one version has.
func versionWord(version int) string {
	word := "v"
	for _, digit := range strconv.Itoa(version) {
		word += string('a' + digit - '0')
	}
	return word
}

// A writer that is killed at a random moment, also between a file and the list,
// leaves an index that agrees with the store after the next start, and every
// acknowledged document is found.
func TestKilledWriter(t *testing.T) {
	kills := 5
	if n, err := strconv.Atoi(os.Getenv("REFERENT_KILLS")); err == nil {
		kills = n
	}
	dir := t.TempDir()
	for range kills {
		acknowledged := killWriter(t, dir)
		checkIndex(t, dir, acknowledged)
	}
	segments, err := filepath.Glob(filepath.Join(dir, "index", "seg-*"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("no segment was ever written, so the test shows nothing: %v", err)
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
			timer := time.AfterFunc(time.Duration(50+rand.IntN(300))*time.Millisecond, func() { _ = cmd.Process.Kill() })
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

func checkIndex(t *testing.T, dir string, acknowledged map[string]int) {
	t.Helper()
	store, x, err := openWriter(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := x.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	wrong, err := x.Verify(t.Context(), store)
	if err != nil || len(wrong) > 0 {
		t.Fatalf("verify: %v, %v", wrong, err)
	}
	docs, err := store.Documents(t.Context(), index.DocumentQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		version := acknowledged[d.Path]
		if version == 0 || d.Status != "indexed" {
			continue // its next version was under way
		}
		hits, err := x.Snapshot().Lexical().Search(t.Context(), lexical.NewQuery(versionWord(int(d.Size)), []string{"pl"}), nil, 100)
		if err != nil || int(d.Size) < version || len(hits) != 20+int(d.Size)%7 {
			t.Errorf("%s: acknowledged version %d, stored %d, %d passages found, %v", d.Path, version, d.Size, len(hits), err)
		}
	}
}
