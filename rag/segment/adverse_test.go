package segment

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/rag/lexical"
	"referent/storage"
	"referent/storage/index"
)

// A story is told by a process of its own: it limits what its process may do.
const (
	storyEnv    = "REFERENT_TEST_SEGMENT_STORY"
	storyDirEnv = "REFERENT_TEST_SEGMENT_STORY_DIR"
)

// ledger stores documents of which each has a word of its own.
type ledger struct {
	store  *index.Store
	x      *Index
	folder int64
	stored int
	said   []string // notices
}

func openLedger(dir string) (*ledger, error) {
	l := &ledger{}
	var err error
	if l.store, err = index.Open(context.Background(), dir); err != nil {
		return nil, err
	}
	l.x, err = OpenStored(context.Background(), l.store, "m", Files{Dir: filepath.Join(dir, "index"), Manifest: l.store, SealFrom: 60,
		Notice: func(n string) { l.said = append(l.said, n) }})
	if err != nil {
		return nil, errors.Join(err, l.store.Close())
	}
	f, err := l.store.AddFolder(context.Background(), index.Folder{Path: "/docs"})
	l.folder = f.ID
	return l, err
}

func (l *ledger) close() error { return errors.Join(l.x.Close(), l.store.Close()) }

// add stores one more document and shows it to the index.
func (l *ledger) add() error {
	ctx := context.Background()
	path := fmt.Sprintf("/docs/%d", l.stored+1)
	if _, err := l.store.Found(ctx, []index.FileSeen{{Folder: l.folder, Path: path, Size: int64(l.stored + 1), ModTime: someDay}}); err != nil {
		return err
	}
	d, ok, err := l.store.NextWaiting(ctx)
	if err != nil || !ok {
		return errors.Join(err, fmt.Errorf("something waits: %v", ok))
	}
	c := index.DocumentContent{Document: d.ID, Status: "indexed", Kind: "text", Language: "pl", Class: "fact", Text: "text"}
	for i := range 30 {
		text := fmt.Sprintf("%s part%d %s", versionWord(l.stored+1), i, strings.Repeat("pump ", 40))
		c.Chunks = append(c.Chunks, index.StoredChunk{Ordinal: i, Parent: -1, ContentHash: text, Text: text, Locator: "{}", Tokens: 1})
	}
	chunks, _, err := l.store.Replace(ctx, c)
	if err != nil {
		return err
	}
	l.stored++
	cols, _, err := l.store.Columns(ctx, d.ID)
	if err == nil {
		l.x.Add(cols, chunks)
	}
	return err
}

// check finds every stored document, whole.
func (l *ledger) check() error {
	for n := 1; n <= l.stored; n++ {
		hits, err := l.x.Snapshot().Lexical().Search(context.Background(), lexical.NewQuery(versionWord(n), []string{"pl"}), nil, 100)
		if err != nil || len(hits) != 30 {
			return fmt.Errorf("document %d of %d: %d passages are found, %w", n, l.stored, len(hits), err)
		}
	}
	wrong, err := l.x.Verify(context.Background(), l.store)
	if len(wrong) > 0 {
		err = errors.Join(err, errors.New(strings.Join(wrong, " ")))
	}
	return err
}

// fillUp adds documents until there is no room, then expects a sentence of one
// of the two kinds, that all that was stored is found, also after a restart,
// and that it goes on once there is room.
func fillUp(dir string, room func() error) error {
	l, err := openLedger(dir)
	if err != nil {
		return err
	}
	var full error
	for l.stored < 5000 && full == nil {
		full = l.add()
	}
	sentence := fmt.Sprint(full)
	if !errors.Is(full, storage.ErrDiskFull) || !strings.Contains(sentence, "What was stored before is safe. Free some space, then try again.") {
		return fmt.Errorf("after %d documents: %w", l.stored, full)
	}
	if l.stored < 5 {
		return fmt.Errorf("only %d documents fitted, so the story shows nothing", l.stored)
	}
	_ = l.x.Settle(context.Background()) // segments may have no room either
	if err := l.check(); err != nil {
		return fmt.Errorf("while it is full: %w", err)
	}
	for _, n := range l.said {
		if !strings.Contains(n, "Search works; the next start takes longer.") {
			return fmt.Errorf("the notice %q", n)
		}
	}
	if err := l.close(); err != nil && !errors.Is(err, storage.ErrDiskFull) {
		return err
	}
	if err := room(); err != nil {
		return err
	}
	stored := l.stored
	if l, err = openLedger(dir); err != nil {
		return err
	}
	defer l.close()
	l.stored = stored
	if _, err := l.store.RequeueInterrupted(context.Background()); err != nil {
		return err
	}
	if err := l.check(); err != nil {
		return fmt.Errorf("after a restart: %w", err)
	}
	for range 3 { // the first of them was under way
		if err := l.add(); err != nil {
			return fmt.Errorf("with room again: %w", err)
		}
	}
	if err := l.x.Settle(context.Background()); err != nil {
		return err
	}
	return l.check()
}

// hashesBelow are the files of a folder with what is in them.
func hashesBelow(dir string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	return out, err
}

// refuseReadOnly expects that a data folder that cannot be written is refused
// with a sentence and stays as it is.
func refuseReadOnly(dir string) error {
	before, err := hashesBelow(dir)
	if err != nil {
		return err
	}
	_, err = openLedger(dir)
	if want := "The data folder cannot be written. Check that the folder belongs to you and that the disk is not read-only."; !errors.Is(err, storage.ErrReadOnly) || err.Error() != want {
		return fmt.Errorf("it says: %w", err)
	}
	after, err := hashesBelow(dir)
	if err == nil && (len(before) == 0 || !maps.Equal(before, after)) {
		err = fmt.Errorf("before %v, after %v", before, after)
	}
	return err
}

// written is a folder with five documents in segments.
func written(t *testing.T, dir string) {
	t.Helper()
	l, err := openLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := l.add(); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(l.x.Settle(t.Context()), l.check(), l.close()); err != nil {
		t.Fatal(err)
	}
}
