package library

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/storage/index"
)

func TestR057_CleanPath(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"/home/a/My Files", "/home/a/My Files"},
		{"/home/a/Käse/日本語.txt", "/home/a/Käse/日本語.txt"},
		{"/home/a/100%/50%20off", "/home/a/100%/50%20off"}, // a plain path is not decoded
		{"file:///home/a/My%20Files/K%C3%A4se.txt", "/home/a/My Files/Käse.txt"},
		{"file://localhost/home/a", "/home/a"},
		{"FILE:///home/a/100%25", "/home/a/100%"},
		{"file:///home/%E6%97%A5%E6%9C%AC", "/home/日本"},
		{"/home/a/b/../c//d/", "/home/a/c/d"},
		{"/home/a/#1?x=y", "/home/a/#1?x=y"},
		{"/home/a/list.txt\r\n", "/home/a/list.txt"},
	} {
		if got, err := CleanPath(c.in); err != nil || got != c.want {
			t.Errorf("%q became %q (%v), want %q", c.in, got, err, c.want)
		}
	}
	for in, want := range map[string]string{
		"":                      "No path was given. Give the path of a file or a folder.",
		"https://example.org/a": `"https://example.org/a" is a web address, not a file. Give the path of a file or a folder.`,
		"file://server/share":   `"file://server/share" is on another computer. Give the path of a file or a folder.`,
		"file:///a%zz":          `"file:///a%zz" is not a valid file address. Give the path of a file or a folder.`,
		"a\x00b":                "The path holds a sign that no path can hold. Give the path of a file or a folder.",
	} {
		if _, err := CleanPath(in); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownDocument}) || err.Error() != want {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestR057_OddNamesAreAdded(t *testing.T) {
	s := newShelf(t)
	for i, name := range []string{"My Files", "Käse & Öl", "日本語", "100%", "a#b?c", "it's", "[x]"} {
		s.write(name+"/a.txt", "The boiler.\n")
		text := s.path(name)
		if i%2 == 1 {
			text = "file://" + strings.NewReplacer("%", "%25", " ", "%20", "#", "%23", "?", "%3F").Replace(text)
		}
		if f, err := s.AddFolder(t.Context(), text, AddOptions{}); err != nil || f.Path != s.path(name) {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
	}
	s.sync()
	if got := len(s.states()); got != 7 {
		t.Errorf("%v", s.states())
	}
}

func TestWhatIsIgnored(t *testing.T) {
	s := newShelf(t)
	s.write("keep.txt", "The boiler.\n")
	s.write("sub/keep.log.txt", "The boiler.\n")
	for _, name := range []string{"node_modules/x/a.txt", ".git/config", ".hidden", "~$letter.docx", "movie.part", "a.txt~", "Thumbs.db",
		"build/out.txt", "sub/secret.key", "sub/deep/a.log", "private/a.txt", "excluded.csv"} {
		s.write(name, "The boiler.\n")
	}
	s.write(".gitignore", "# a comment\nbuild/\n*.log\n!sub/keep.log.txt\n")
	s.write("sub/.gitignore", "/secret.key\n")
	s.write(".referentignore", "private\n")
	_, err := s.AddFolder(t.Context(), s.path(""), AddOptions{Exclude: []string{"*.csv"}})
	s.ok(err)
	s.sync()
	if got := s.states(); !reflect.DeepEqual(got, map[string]string{"keep.txt": "indexed", "sub/keep.log.txt": "indexed"}) {
		t.Errorf("%v", got)
	}
	for name, want := range map[string]string{
		"excluded.csv": "It is excluded by a pattern of this folder.", ".hidden": "Hidden files and folders are left out.",
		"node_modules/x/a.txt": "Files and folders of this name are left out.", "movie.part": "Temporary and unfinished files are left out.",
		"build/out.txt": "It is left out by a .gitignore or .referentignore file.", "private/a.txt": "It is left out by a .gitignore or .referentignore file.",
		"sub/secret.key": "It is left out by a .gitignore or .referentignore file.", "keep.txt": "It is in the library and can be found.",
		"none.txt": "There is no such file.", "../elsewhere": "It is in no folder of the library.",
	} {
		if why, err := s.Why(t.Context(), s.path(name)); err != nil || why != want {
			t.Errorf("%s: %q, %v", name, why, err)
		}
	}
	st, err := s.Status(t.Context())
	s.ok(err)
	if f := st.Folders[0]; f.Indexed != 2 || f.Ignored == 0 || f.State != "watching" {
		t.Errorf("%+v", f)
	}
	// A new rule takes effect at once, in both directions.
	s.write(".referentignore", "keep.txt\n")
	s.until("the rules are followed", func() bool {
		got := s.states()
		return len(got) == 2 && got["private/a.txt"] == "indexed" && got["sub/keep.log.txt"] == "indexed"
	})
}

func TestLinksAndDevicesAreNotFollowed(t *testing.T) {
	s := newShelf(t)
	outside := t.TempDir()
	s.ok(os.WriteFile(filepath.Join(outside, "out.txt"), []byte("The boiler outside.\n"), 0o600))
	s.write("docs/in.txt", "The boiler inside.\n")
	s.ok(os.Symlink(outside, s.path("docs/link")))
	s.ok(os.Symlink(filepath.Join(outside, "out.txt"), s.path("docs/file-link.txt")))
	s.ok(os.Symlink(s.path("docs"), s.path("docs/loop")))
	s.ok(syscall.Mkfifo(s.path("docs/pipe"), 0o600))
	s.ok(os.Symlink(s.path("docs"), s.path("entrance"))) // a root that is a link is resolved
	if f, err := s.AddFolder(t.Context(), s.path("entrance"), AddOptions{}); err != nil || f.Path != s.path("docs") {
		t.Errorf("%+v, %v", f, err)
	}
	s.sync()
	if got := s.states(); !reflect.DeepEqual(got, map[string]string{"docs/in.txt": "indexed"}) {
		t.Errorf("%v", got)
	}
	for name, want := range map[string]string{"docs/pipe": "It is neither a file nor a folder.", "docs/loop/in.txt": "It is in the library and can be found."} {
		if why, err := s.Why(t.Context(), s.path(name)); err != nil || why != want {
			t.Errorf("%s: %q, %v", name, why, err)
		}
	}
}

func TestAddingWhatIsNotThere(t *testing.T) {
	s := newShelf(t)
	_, err := s.AddFolder(t.Context(), s.path("none"), AddOptions{})
	if want := "There is no file or folder " + s.path("none") + ". Check the path."; !errors.Is(err, &rag.Error{Code: rag.CodeUnknownDocument}) || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestSingleFile(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler.\n")
	s.write("b.txt", "The boiler.\n")
	f, err := s.AddFile(t.Context(), s.path("a.txt"), AddOptions{Restricted: true})
	s.ok(err)
	s.sync()
	if got := s.states(); !f.SingleFile || !reflect.DeepEqual(got, map[string]string{"a.txt": "indexed"}) || len(s.finds("boiler")) != 0 {
		t.Errorf("%+v %v %v", f, got, s.finds("boiler"))
	}
	_, err = s.SetDocumentLabel(t.Context(), s.document("a.txt").ID, rag.LabelPublic)
	s.ok(err)
	if len(s.finds("boiler")) != 0 { // its root is restricted still
		t.Error("the stricter label was overruled")
	}
	_, err = s.SetFolderLabel(t.Context(), f.ID, rag.LabelPublic)
	s.ok(err)
	s.write("a.txt", "The kettle.\n")
	s.until("an edit is seen", s.finding("kettle", "a.txt"))
	s.remove("a.txt")
	s.until("the delete is seen", func() bool { return len(s.states()) == 0 && len(s.finds("kettle")) == 0 })
}

// Without watches a folder is polled, and says so.
func TestPollingWhenNothingCanBeWatched(t *testing.T) {
	s := newShelf(t)
	s.ok(s.watch.notify.Close())
	s.write("a.txt", "The boiler.\n")
	s.add("")
	s.sync()
	st, err := s.Status(t.Context())
	s.ok(err)
	if f := st.Folders[0]; f.State != "polling" || f.Reason != "Live updates are off for this folder. It is checked every 5 minutes." {
		t.Errorf("%s: %s", f.State, f.Reason)
	}
	s.write("b.txt", "The kettle.\n")
	s.clock.advance(pollAge)
	s.until("it is found by polling", s.finding("kettle", "b.txt"))
	if got := watchReason(syscall.ENOSPC); got != "Live updates are off for this folder: the system watches no more folders. It is checked every 5 minutes." {
		t.Error(got)
	}
}

// Lost events cost nothing: an overflow compares everything.
func TestOverflow(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler.\n")
	s.add("")
	s.sync()
	for _, dir := range s.watch.notify.WatchList() { // deaf
		s.ok(s.watch.notify.Remove(dir))
	}
	s.write("a.txt", "The kettle is new.\n")
	s.watch.reconcileAll() // what drain does on an overflow
	s.until("the change is found", s.finding("kettle", "a.txt"))
}

func TestMeasured_NotesWithNothingInThemAddUp(t *testing.T) {
	some := measured{Kinds: map[string]KindRate{"pdf": {Files: 1, Seconds: 2}}, Models: map[string]ModelRate{"e5": {Passages: 3, Seconds: 4}}}
	for _, pair := range [][2]measured{{{}, some}, {some, {}}} {
		if sum := pair[0].plus(pair[1]); !reflect.DeepEqual(sum, some) {
			t.Errorf("%+v", sum)
		}
	}
	if twice := some.plus(some); twice.Kinds["pdf"].Files != 2 || twice.Models["e5"].Passages != 6 || some.Kinds["pdf"].Files != 1 {
		t.Errorf("%+v of %+v", twice, some)
	}
}

func TestRate(t *testing.T) {
	now := time.Unix(1000, 0)
	var c tally
	if r, d := c.rate(5, now); r != 0 || d != 0 {
		t.Errorf("nothing done: %v %v", r, d)
	}
	c.add(2, now)
	c.add(2, now.Add(time.Second))
	if r, d := c.rate(6, now.Add(2*time.Second)); r != 2 || d != 3*time.Second {
		t.Errorf("4 in 2 s, 6 left: %v a second, %v", r, d)
	}
}

func TestEmbedText(t *testing.T) {
	if got := EmbedText(index.Chunk{Header: "T > H", Text: "x"}); got != "T > H\nx" {
		t.Errorf("%q", got)
	}
	if got := EmbedText(index.Chunk{Text: "x"}); got != "x" {
		t.Errorf("%q", got)
	}
	if got := VectorKey(inference.ModelInfo{Hash: "h"}); got != "h" {
		t.Errorf("%q", got)
	}
}
