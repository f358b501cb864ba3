package index

import (
	"reflect"
	"testing"
	"time"
)

func (l *library) next() string {
	l.t.Helper()
	d, found, err := l.NextWaiting(l.t.Context())
	l.ok(err)
	if !found {
		return ""
	}
	if d.Status != "indexing" {
		l.t.Errorf("%s is handed out as %s", d.Path, d.Status)
	}
	return d.Path
}

func TestQueueOrder(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	_, err := l.Found(t.Context(), []FileSeen{
		{Folder: f.ID, Path: "/docs/large", Size: 50 << 20, ModTime: day.Add(time.Hour)},
		{Folder: f.ID, Path: "/docs/small-old", Size: 100, ModTime: day},
		{Folder: f.ID, Path: "/docs/medium", Size: 1 << 20, ModTime: day},
		{Folder: f.ID, Path: "/docs/small-new", Size: 200, ModTime: day.Add(time.Minute)},
	})
	l.ok(err)
	var got []string
	for p := l.next(); p != ""; p = l.next() {
		got = append(got, p)
	}
	if want := []string{"/docs/small-new", "/docs/small-old", "/docs/medium", "/docs/large"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestQueuePassesOverPausedAndOffline(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	l.see(f.ID, "/docs/a", 1)
	for _, state := range []string{"paused", "offline"} {
		l.ok(l.SetFolderState(t.Context(), f.ID, state, "A reason.", time.Time{}))
		if p := l.next(); p != "" {
			t.Errorf("%s: %s is handed out", state, p)
		}
	}
	l.ok(l.SetFolderState(t.Context(), f.ID, "polling", "", day))
	if p := l.next(); p != "/docs/a" {
		t.Errorf("got %q", p)
	}
	folders, err := l.Folders(t.Context())
	l.ok(err)
	if got := folders[0]; got.State != "polling" || !got.LastChecked.Equal(day.Truncate(time.Millisecond)) {
		t.Errorf("%+v", got)
	}
}

func TestFound(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	d := l.see(f.ID, "/docs/a", 10)
	l.next()
	l.store(d.ID, "one")
	see := func(size int64, at time.Time) []int64 {
		t.Helper()
		changed, err := l.Found(t.Context(), []FileSeen{{Folder: f.ID, Path: "/docs/a", Size: size, ModTime: at, Inode: 5}})
		l.ok(err)
		return changed
	}
	if got := see(10, day); got != nil || l.at("/docs/a").Status != "indexed" {
		t.Errorf("unchanged: %v, %s", got, l.at("/docs/a").Status)
	}
	if got := see(10, day.Add(1)); len(got) != 1 || l.at("/docs/a").Status != "waiting" {
		t.Errorf("one nanosecond later: %v", got)
	}
	if got := l.found(); !reflect.DeepEqual(got, []string{"one"}) {
		t.Errorf("the old version is not searchable while the file waits: %v", got)
	}
	l.next()
	l.ok(l.Unchanged(t.Context(), d.ID))
	if got := l.at("/docs/a"); got.Status != "indexed" || got.Attempts != 0 {
		t.Errorf("same bytes: %+v", got)
	}
}

// A file that changes while it is read waits again when that reading ends.
func TestChangedWhileBeingRead(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	for _, end := range []struct {
		name string
		fn   func(id int64) error
	}{
		{"replace", func(id int64) error { _, _, err := l.Replace(t.Context(), content(id, "one")); return err }},
		{"judged", func(id int64) error { return l.Judged(t.Context(), id, "timed_out", "Slow.", "h", 1) }},
	} {
		path := "/docs/" + end.name
		d := l.see(f.ID, path, 10)
		l.next()
		l.see(f.ID, path, 11)
		if got := l.at(path).Status; got != "indexing" {
			t.Errorf("%s: %s while it is read", end.name, got)
		}
		l.ok(end.fn(d.ID))
		if got := l.at(path).Status; got != "waiting" {
			t.Errorf("%s: %s afterwards, want waiting", end.name, got)
		}
		if p := l.next(); p != path {
			t.Errorf("%s: next is %q", end.name, p)
		}
		l.ok(end.fn(d.ID))
		if got := l.at(path).Status; got == "waiting" {
			t.Errorf("%s: still waiting", end.name)
		}
	}
}

func TestMissingIsMaskedAndPurged(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	d := l.see(f.ID, "/docs/a", 10)
	chunks := l.store(d.ID, "one")
	l.embed("m")
	gone, err := l.Missing(t.Context(), []string{"/docs/a", "/docs/none"}, day)
	l.ok(err)
	if !reflect.DeepEqual(gone, []int64{d.ID}) {
		t.Errorf("missing %v", gone)
	}
	l.nothingVisible(chunks)
	if docs, err := l.Documents(t.Context(), DocumentQuery{}); err != nil || len(docs) != 0 {
		t.Errorf("listed %v, %v", docs, err)
	}
	if purged, err := l.PurgeMissing(t.Context(), day); err != nil || len(purged) != 0 {
		t.Errorf("purged %v within the grace time, %v", purged, err)
	}
	// It comes back: everything is there.
	l.see(f.ID, "/docs/a", 10)
	if got := l.found(); len(got) != 1 || l.vectors() != 1 {
		t.Errorf("back: %v, %d vectors", got, l.vectors())
	}
	_, err = l.Missing(t.Context(), []string{"/docs/a"}, day)
	l.ok(err)
	purged, err := l.PurgeMissing(t.Context(), day.Add(time.Second))
	l.ok(err)
	if !reflect.DeepEqual(purged, []int64{d.ID}) || l.vectors() != 0 {
		t.Errorf("purged %v, %d vectors left", purged, l.vectors())
	}
	var left int
	l.ok(l.db.Read.QueryRow("SELECT (SELECT count(*) FROM chunks) + (SELECT count(*) FROM parents) + (SELECT count(*) FROM texts) + (SELECT count(*) FROM placements)").Scan(&left))
	if left != 0 {
		t.Errorf("%d rows left of a purged file", left)
	}
	// Its numbers are not used again.
	again := l.store(l.see(f.ID, "/docs/a", 10).ID, "one")
	if again[0].ID <= chunks[0].ID || again[0].Document <= d.ID {
		t.Errorf("chunk %d of document %d after %d of %d", again[0].ID, again[0].Document, chunks[0].ID, d.ID)
	}
}

// The grace time waits for a file of the same size that was not read yet.
func TestPurgeWaitsForTheOtherHalf(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	d := l.see(f.ID, "/docs/a", 10)
	l.store(d.ID, "one")
	_, err := l.Missing(t.Context(), []string{"/docs/a"}, day)
	l.ok(err)
	other := l.see(f.ID, "/docs/b", 10)
	if purged, err := l.PurgeMissing(t.Context(), day.Add(time.Hour)); err != nil || purged != nil {
		t.Errorf("purged %v, %v", purged, err)
	}
	l.store(other.ID, "different")
	if purged, err := l.PurgeMissing(t.Context(), day.Add(time.Hour)); err != nil || len(purged) != 1 {
		t.Errorf("purged %v, %v", purged, err)
	}
}

func TestRequeueInterrupted(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	d := l.see(f.ID, "/docs/a", 10)
	for i := range maxInterrupted {
		if p := l.next(); p == "" {
			t.Fatalf("nothing waits at attempt %d", i+1)
		}
		l.reopen() // the program ended
		n, err := l.RequeueInterrupted(t.Context())
		l.ok(err)
		if want := 1; i < maxInterrupted-1 && n != want {
			t.Errorf("attempt %d: %d requeued, want %d", i+1, n, want)
		}
	}
	got := l.at("/docs/a")
	if got.Status != "parked" || got.Reason != "Reading this file was interrupted several times. It is left alone until it changes or you retry it." {
		t.Errorf("%s: %s", got.Status, got.Reason)
	}
	l.ok(l.Requeue(t.Context(), d.ID))
	if l.next() == "" {
		t.Error("a retry does not queue it")
	}
}

func TestRequeueOutdated(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	unread, read, current := l.see(f.ID, "/docs/a", 10), l.see(f.ID, "/docs/b", 10), l.see(f.ID, "/docs/c", 10)
	for range 3 {
		l.next()
	}
	l.ok(l.Judged(t.Context(), unread.ID, "unsupported", "Not read.", "h1", 1))
	l.ok(l.Judged(t.Context(), read.ID, "indexed", "", "h2", 1))
	l.ok(l.Judged(t.Context(), current.ID, "unsupported", "Not read.", "h3", 2))
	if n, err := l.RequeueOutdated(t.Context(), 2); err != nil || n != 1 {
		t.Errorf("%d requeued, %v", n, err)
	}
	for path, want := range map[string]string{"/docs/a": "waiting", "/docs/b": "indexed", "/docs/c": "unsupported"} {
		if got := l.at(path); got.Status != want {
			t.Errorf("%s: %s, want %s", path, got.Status, want)
		}
	}
}

func TestJudgedKeepsTheOldVersion(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	d := l.see(f.ID, "/docs/a", 10)
	l.store(d.ID, "one")
	l.see(f.ID, "/docs/a", 11)
	l.next()
	l.ok(l.Judged(t.Context(), d.ID, "timed_out", "It took too long.", "new bytes", 3))
	got := l.at("/docs/a")
	if got.Status != "timed_out" || got.Hash != "new bytes" || got.ExtractorVersion != 3 || len(l.found()) != 1 {
		t.Errorf("%+v, found %v", got, l.found())
	}
}

func TestDropPlacement(t *testing.T) {
	l := newLibrary(t)
	outer, inner := l.folder("/docs", 0), l.folder("/docs/in", 0)
	d := l.see(outer.ID, "/docs/in/a", 10)
	l.see(inner.ID, "/docs/in/a", 10)
	if deleted, err := l.DropPlacement(t.Context(), d.ID, outer.ID); err != nil || deleted {
		t.Errorf("deleted %v, %v", deleted, err)
	}
	if got := l.at("/docs/in/a").Folder; got != inner.ID {
		t.Errorf("folder %d, want %d", got, inner.ID)
	}
	if deleted, err := l.DropPlacement(t.Context(), d.ID, inner.ID); err != nil || !deleted {
		t.Errorf("deleted %v, %v", deleted, err)
	}
}

func TestEachFile(t *testing.T) {
	l := newLibrary(t)
	f, other := l.folder("/docs", 0), l.folder("/other", 0)
	l.see(f.ID, "/docs/b", 10)
	l.see(f.ID, "/docs/a", 20)
	l.see(other.ID, "/other/c", 10)
	var got []string
	l.ok(l.EachFile(t.Context(), f.ID, func(s FileState) error {
		if !s.Placed || !s.ModTime.Equal(day) {
			t.Errorf("%+v", s)
		}
		got = append(got, s.Path)
		return nil
	}))
	if !reflect.DeepEqual(got, []string{"/docs/b", "/docs/a"}) {
		t.Errorf("got %v", got)
	}
	if s, found, err := l.File(t.Context(), f.ID, "/other/c"); err != nil || !found || s.Placed {
		t.Errorf("%+v %v %v", s, found, err)
	}
}

func TestAddFolderIsIdempotent(t *testing.T) {
	l := newLibrary(t)
	a, b := l.collection("A", "public"), l.collection("B", "public")
	first, err := l.AddFolder(t.Context(), Folder{Path: "/docs", Collection: a.ID, Exclude: []string{"*.log"}})
	l.ok(err)
	second, err := l.AddFolder(t.Context(), Folder{Path: "/docs", Collection: b.ID})
	l.ok(err)
	if second.ID != first.ID || second.Collection != a.ID || !reflect.DeepEqual(second.Collections, []int64{a.ID, b.ID}) ||
		!reflect.DeepEqual(second.Exclude, []string{"*.log"}) || second.State != "watching" || second.Label != "public" {
		t.Errorf("%+v", second)
	}
}

// Between the comparison of its bytes and the move a file may change again: the
// document goes to the new place and waits there.
func TestMoveOfAFileThatChangedMeanwhileIsReadAgain(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	from := l.see(f.ID, "/docs/a.txt", 10)
	l.store(from.ID, "The boiler is warm.")
	_, err := l.Missing(t.Context(), []string{"/docs/a.txt"}, day)
	l.ok(err)
	l.see(f.ID, "/docs/b.txt", 10)
	to, ok, err := l.NextWaiting(t.Context())
	l.ok(err)
	if !ok || to.Path != "/docs/b.txt" {
		t.Fatalf("%+v", to)
	}
	l.see(f.ID, "/docs/b.txt", 11) // it changes while it is read
	l.ok(l.Moved(t.Context(), from.ID, "/docs/b.txt"))
	if d := l.at("/docs/b.txt"); d.ID != from.ID || d.Status != "waiting" || d.Size != 11 || d.Missing {
		t.Errorf("%+v", d)
	}
}

// A verdict on a file that changed while it was read does not keep the new
// version from being read.
func TestStatusOfAFileThatChangedMeanwhile(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	l.see(f.ID, "/docs/a.txt", 10)
	d, _, err := l.NextWaiting(t.Context())
	l.ok(err)
	l.see(f.ID, "/docs/a.txt", 11)
	l.ok(l.SetStatus(t.Context(), d.ID, "no_permission", "The file may not be read."))
	if now := l.at("/docs/a.txt"); now.Status != "waiting" || now.Verdict != "no_permission" {
		t.Errorf("%+v", now)
	}
}

// Files that are named go before all others, and those that do not wait cost
// nothing.
func TestNamedFilesGoFirst(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	l.see(f.ID, "/docs/small.txt", 1)
	named := l.see(f.ID, "/docs/large.txt", 5<<20)
	for _, want := range []string{"/docs/large.txt", "/docs/small.txt"} {
		if d, ok, err := l.NextWaiting(t.Context(), 4711, named.ID); err != nil || !ok || d.Path != want {
			t.Errorf("%+v, %v, want %s", d, err, want)
		}
	}
}

// A file that was asked to be read again while it was being read is not taken
// for read when that reading ends.
func TestRequeuedWhileBeingRead(t *testing.T) {
	for name, ends := range map[string]func(*library, int64) error{
		"read": func(l *library, id int64) error {
			_, _, err := l.Replace(l.t.Context(), content(id, "one"))
			return err
		},
		"judged": func(l *library, id int64) error {
			return l.Judged(l.t.Context(), id, "timed_out", "", "bytes of [one]", 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLibrary(t)
			f := l.folder("/f", 0)
			d := l.see(f.ID, "/f/a.txt", 5)
			l.store(d.ID, "one")
			l.ok(l.SetEncoding(t.Context(), d.ID, ""))
			if _, ok, err := l.NextWaiting(t.Context()); !ok || err != nil {
				t.Fatal(ok, err)
			}
			l.ok(l.SetEncoding(t.Context(), d.ID, "koi8-r"))
			l.ok(ends(l, d.ID))
			if got := l.at("/f/a.txt"); got.Status != "waiting" || got.Hash != "" || got.EncodingChoice != "koi8-r" {
				t.Errorf("%+v", got)
			}
			if _, ok, err := l.NextWaiting(t.Context()); !ok || err != nil {
				t.Fatal(ok, err)
			}
			l.ok(ends(l, d.ID))
			if got := l.at("/f/a.txt"); got.Status == "waiting" || got.Hash != "bytes of [one]" {
				t.Errorf("%+v", got)
			}
		})
	}
}
