package app

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"referent/rag"
	"referent/storage/chats"
	"referent/storage/index"
)

// written makes a data folder whose one conversation has a title that is only
// in chats.db-wal, as after a crash.
func written(t *testing.T, dir, title string) {
	t.Helper()
	live := t.TempDir()
	library, err := index.Open(t.Context(), live)
	if err != nil {
		t.Fatal(err)
	}
	if err := library.Close(); err != nil {
		t.Fatal(err)
	}
	store, err := chats.Open(t.Context(), live)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.CreateConversation(t.Context(), chats.Conversation{Title: title}); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.db", "chats.db", "chats.db-wal"} { // while it is open
		body, err := os.ReadFile(filepath.Join(live, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// title reads the one conversation of a folder.
func title(t *testing.T, dir string) string {
	t.Helper()
	store, err := chats.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	all, err := store.Conversations(t.Context(), 0, 0)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d conversations, %v", len(all), err)
	}
	return all[0].Title
}

// begun is a data folder in which a swap has begun, and the swap.
func begun(t *testing.T) (string, *swap) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	written(t, dir, "old")
	written(t, filepath.Join(dir, "restore-17"), "new")
	fold := &swap{dir: filepath.Join(dir, "restore-17")}
	if err := fold.fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := &swap{dir: dir, Fresh: "restore-17", Before: "before-restore-1"}
	if err := s.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir, s
}

// steps are what finish does first, one after the other.
func steps(t *testing.T, s *swap, n int) {
	t.Helper()
	all := []func() error{
		func() error {
			return os.Rename(filepath.Join(s.dir, s.Fresh, index.FileName), filepath.Join(s.dir, index.FileName))
		},
		func() error { return remove(filepath.Join(s.dir, chats.FileName+"-wal")) },
		func() error {
			return os.Rename(filepath.Join(s.dir, s.Fresh, chats.FileName), filepath.Join(s.dir, chats.FileName))
		},
		func() error { return os.RemoveAll(filepath.Join(s.dir, indexFolder)) },
	}
	for _, step := range all[:n] {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
}

func nothingLeft(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{swapMarker, "restore-17", "chats.db-wal", indexFolder} {
		if exists(filepath.Join(dir, name)) {
			t.Errorf("%s is left", name)
		}
	}
}

func TestRestore_AKillAtAnyStepIsCompletedAtTheNextStart(t *testing.T) {
	for n := range 5 {
		dir, s := begun(t)
		if err := os.Mkdir(filepath.Join(dir, indexFolder), 0o700); err != nil {
			t.Fatal(err)
		}
		steps(t, s, n)
		for range 2 { // a second start finds nothing to do
			if err := settle(t.Context(), dir); err != nil {
				t.Fatalf("after %d steps: %v", n, err)
			}
		}
		nothingLeft(t, dir)
		if got := title(t, dir); got != "new" {
			t.Errorf("after %d steps the folder holds %q", n, got)
		}
		if got := title(t, s.before()); got != "old" {
			t.Errorf("after %d steps %q was kept", n, got)
		}
	}
}

func TestRestore_AnUndoAtAnyStepBringsTheOldBack(t *testing.T) {
	for n := range 5 {
		dir, s := begun(t)
		steps(t, s, n)
		s.Undo = true
		if err := s.write(); err != nil {
			t.Fatal(err)
		}
		if n%2 == 1 { // the undo was cut short too
			if err := os.Rename(filepath.Join(s.before(), index.FileName), filepath.Join(dir, index.FileName)); err != nil {
				t.Fatal(err)
			}
		}
		if err := settle(t.Context(), dir); err != nil {
			t.Fatalf("after %d steps: %v", n, err)
		}
		nothingLeft(t, dir)
		if got := title(t, dir); got != "old" {
			t.Errorf("after %d steps the folder holds %q", n, got)
		}
		if exists(s.before()) {
			t.Error("the copy of what is back was kept")
		}
	}
}

func TestRestore_TheNewestTurnsAreFoldedInBeforeTheOldIsKept(t *testing.T) {
	_, s := begun(t)
	kept, err := os.ReadDir(s.before())
	if err != nil || len(kept) != 2 {
		t.Errorf("kept %v, %v", kept, err)
	}
	if got := title(t, s.before()); got != "old" {
		t.Errorf("the copy holds %q", got)
	}
}

// What cannot be opened does not keep a backup from being restored.
func TestRestore_ADamagedFileIsKeptAsItIs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	written(t, dir, "old")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, chats.FileName), []byte(strings.Repeat("no database ", 999)), 0o600),
		os.Remove(filepath.Join(dir, chats.FileName+"-wal"))); err != nil {
		t.Fatal(err)
	}
	written(t, filepath.Join(dir, "restore-17"), "new")
	if err := (&swap{dir: filepath.Join(dir, "restore-17")}).fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := &swap{dir: dir, Fresh: "restore-17", Before: "before-restore-1"}
	if err := s.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, dir)
	if body, err := os.ReadFile(filepath.Join(s.before(), chats.FileName)); err != nil || !strings.HasPrefix(string(body), "no database") {
		t.Errorf("%.20q, %v", body, err)
	}
	if got := title(t, dir); got != "new" {
		t.Errorf("the folder holds %q", got)
	}
}

func TestRestore_AnErrorChangesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	written(t, dir, "old")
	fresh := filepath.Join(dir, "restore-17")
	written(t, fresh, "new")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &swap{dir: dir, Fresh: "restore-17", Before: "before-restore-1"}
	if err := s.run(ctx); !errors.Is(err, context.Canceled) || exists(s.before()) || unsettled(dir) {
		t.Errorf("a cancelled swap: %v", err)
	}
	// The second file cannot be moved: a folder has taken its place.
	s = &swap{dir: dir, Fresh: "restore-17", Before: "before-restore-2"}
	if err := s.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	blocked := filepath.Join(dir, chats.FileName)
	if err := errors.Join(os.Remove(blocked), os.MkdirAll(filepath.Join(blocked, "x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := s.finish(); err == nil {
		t.Fatal("a folder was replaced")
	}
	if err := os.RemoveAll(blocked); err != nil {
		t.Fatal(err)
	}
	s.Undo = true
	if err := s.undo(); err != nil {
		t.Fatal(err)
	}
	if got := title(t, dir); got != "old" || unsettled(dir) {
		t.Errorf("the folder holds %q", got)
	}
}

func TestSettle_ARecordThatCannotBeReadIsASentence(t *testing.T) {
	for _, body := range []string{"", "{", `{"fresh":"../x","before":"before-restore-1"}`, `{"fresh":"restore-1","before":"before-restore-1/../../.."}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, swapMarker), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		var e *rag.Error
		if err := settle(t.Context(), dir); !errors.As(err, &e) || !strings.Contains(e.Hint, swapMarker) {
			t.Errorf("%q: %v", body, err)
		}
	}
	if body, err := json.Marshal(swap{Fresh: "a", Before: "b"}); err != nil || string(body) != `{"fresh":"a","before":"b","kept":null,"lab":false,"undo":false}` {
		t.Errorf("%s, %v", body, err)
	}
}

func TestSettle_WholeCopiesThatAKillLeftAreRemoved(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"backup-123", "restore-4", "backup", "backup-mine", "restore-", "models"} {
		if err := os.MkdirAll(filepath.Join(dir, name, "x"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "backup-5"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := settle(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got := strings.Join(left, " "); got != "backup backup-5 backup-mine models restore-" {
		t.Errorf("left: %s", got)
	}
}

// noLinks is a file system without links.
func noLinks(from, to string) error {
	return &os.LinkError{Op: "link", Old: from, New: to, Err: syscall.EPERM}
}

func TestPutNew_WorksWithoutLinksAndNeverReplaces(t *testing.T) {
	for name, link := range map[string]func(string, string) error{"links": os.Link, "none": noLinks} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
		for _, test := range []struct {
			body string
			want error
		}{{"first", nil}, {"second", fs.ErrExist}} {
			if err := os.WriteFile(from, []byte(test.body), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := putNew(link, from, to); !errors.Is(err, test.want) {
				t.Errorf("%s: %s: %v", name, test.body, err)
			}
			if exists(from) != (test.want != nil) {
				t.Errorf("%s: %s: the first name is there: %v", name, test.body, exists(from))
			}
		}
		if body, err := os.ReadFile(to); err != nil || string(body) != "first" {
			t.Errorf("%s: %q, %v", name, body, err)
		}
		if err := linkOrCopy(link, to, filepath.Join(dir, "second")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if body, err := os.ReadFile(filepath.Join(dir, "second")); err != nil || string(body) != "first" {
			t.Errorf("%s: %q, %v", name, body, err)
		}
		if err := linkOrCopy(link, filepath.Join(dir, "none"), filepath.Join(dir, "third")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnpack_WritesNoMoreThanThereIsRoomFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, name := range databases {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		room int64
		ok   bool
	}{{2 << 20, true}, {2<<20 - 1, false}, {1<<20 - 1, false}, {0, false}} {
		dir := t.TempDir()
		err := unpack(path, dir, func(string) (int64, error) { return test.room, nil })
		if (err == nil) != test.ok || err != nil && !strings.Contains(err.Error(), "does not fit") {
			t.Errorf("room for %d: %v", test.room, err)
		}
		var size int64
		for _, name := range databases {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
				size += info.Size()
			}
		}
		if size > test.room {
			t.Errorf("room for %d: %d were written", test.room, size)
		}
	}
}

// An archive that promises more than any disk has is not begun, whatever it holds.
func TestUnpack_APromiseBeyondTheDiskIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bomb.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, name := range databases {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, UncompressedSize64: 1 << 60}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), filepath.Join(t.TempDir(), "data"), path); err == nil || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("%v", err)
	}
}

func TestPlainName_IsOneFileOnEverySystem(t *testing.T) {
	for name, want := range map[string]bool{"m.gguf": true, "Mine v2 (q4).gguf": true, `..\..\x.gguf`: false, `a\b.gguf`: false, "C:x.gguf": false,
		"m.gguf:stream.gguf": false, "..": false, "": false, "a/b.gguf": false, "a\nb.gguf": false, "a\x00.gguf": false} {
		if plainName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
