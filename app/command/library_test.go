package command

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"referent/app"
	"referent/rag"
)

// What takes longer than a minute is shown first, and begins when a person
// agrees.
func TestLibrary_LongWorkIsAskedFor(t *testing.T) {
	d := newDesk(t)
	long := d.write("long/huge.txt", "")
	if err := os.Truncate(long, 90<<20); err != nil { // only its size is asked for
		t.Fatal(err)
	}
	d.terminal = true
	d.Stdin = "no\n"
	o := d.run("add", d.dir+"/long")
	if o.code != exitDone || !strings.Contains(o.stderr, "1 file, 94 MB: about 2 minutes until their words can be found.") ||
		!strings.Contains(o.stderr, "Nothing was begun.") {
		t.Errorf("%+v", o)
	}
	if out := d.ok("status"); !strings.Contains(out, "The library is empty.") {
		t.Errorf("%s", out)
	}
	for _, args := range [][]string{{"add", d.dir + "/long", "--yes"}, {"add", d.docs}} {
		if o := d.run(args...); o.code != exitDone || strings.Contains(o.stderr, "Begin?") {
			t.Errorf("%v: %+v", args, o)
		}
	}
}

func TestLibrary_ReportSaysWhereTheTimeWent(t *testing.T) {
	d := newDesk(t)
	out := d.ok("add", d.docs, "--report")
	for _, want := range []string{"3 files (", " files a second.\n", "  parse ", "  chunk ", "  write ", "  embed "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if out := d.ok("sync", "--report", "--json"); !strings.Contains(out, `"files_per_second"`) {
		t.Errorf("%s", out)
	}
}

func TestLibrary_ClassOfAPassage(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	d.ok("collections", "class", "1", "transient")
	d.ok("collections", "class", d.docs+"/boiler.md", "fact")
	if o := d.run("collections", "class", "999999", "fact"); o.code == exitDone {
		t.Errorf("%+v", o)
	}
}

func TestLibrary_TheSearchModelIsUpToDate(t *testing.T) {
	d := newDesk(t)
	if o := d.run("index", "model"); o.code != exitDone || !strings.HasSuffix(o.stderr, ".\n") {
		t.Errorf("%+v", o)
	}
	if out := d.ok("index", "model", "--json"); !strings.Contains(out, `"building":false`) {
		t.Errorf("%s", out)
	}
}

// The encoding of a file can be set and taken back, and the status says both
// what it is and why.
func TestLibrary_TheEncodingOfAFileIsSet(t *testing.T) {
	d := newDesk(t)
	d.write("docs/rules.txt", "Gr\x94\xe1e und T\x81ren: der Schl\x81ssel h\x84ngt im Flur.\n") // IBM850
	marked := d.write("docs/marked.txt", "\xef\xbb\xbfDie Größe der Tür.\n")
	d.ok("add", d.docs)
	path := d.docs + "/rules.txt"
	d.ok("sync", "retry", path, "--encoding", "CP850")
	if out := d.ok("status"); !strings.Contains(out, path+"\n") || !strings.Contains(out, "It is read as ibm850, which you have set.") {
		t.Errorf("%s", out)
	}
	if out := d.ok("search", "Schlüssel", "--retriever", "bm25"); !strings.Contains(out, "Größe und Türen") {
		t.Errorf("%s", out)
	}
	if out := d.ok("status", "--json"); !strings.Contains(out, `"encoding":"ibm850","encoding_choice":"ibm850","takes_encoding":true`) {
		t.Errorf("%s", out)
	}
	d.ok("sync", "retry", marked, "--encoding", "koi8-r")
	if out := d.ok("status"); !strings.Contains(out, "It is read as utf-8, since the file itself says so; you have set koi8-r.") {
		t.Errorf("%s", out)
	}
	d.ok("sync", "retry", path, "--encoding", "auto")
	d.ok("sync", "retry", marked, "--encoding", "auto")
	if out := d.ok("status"); strings.Contains(out, "It is read as") {
		t.Errorf("%s", out)
	}
	for _, args := range [][]string{{path, "--encoding", "klingon"}, {d.dir + "/nowhere.txt", "--encoding", "utf-8"}} {
		if o := d.run(append([]string{"sync", "retry"}, args...)...); o.code == exitDone || !sentence(o.stderr) {
			t.Errorf("%v: %+v", args, o)
		}
	}
	if out := d.ok("sync", "encodings"); !strings.Contains(out, "cyrillic             windows-1251 koi8-r koi8-u ") || strings.Count(out, "\n") < 10 {
		t.Errorf("%s", out)
	}
	if out := d.ok("sync", "encodings", "--json"); !strings.Contains(out, `{"name":"big5","script":"chinese_traditional"}`) {
		t.Errorf("%s", out)
	}
}

// Every status has words of its own, which the page for users explains; and what
// is said of a file that was not wholly read is a sentence with something to do.
func TestLibrary_EveryStatusIsSaidInWords(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range rag.FileStatuses() {
		if words := statusWords[s]; words == "" || strings.Contains(words, "_") || !strings.Contains(string(page), "| "+words+" |") {
			t.Errorf("%s is said as %q, and the page for users explains it: %v", s, words, strings.Contains(string(page), "| "+words+" |"))
		}
	}
	d := newDesk(t)
	d.write("docs/half.docx", "PK\x03\x04 no archive")
	d.write("docs/old.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W\x00o\x00r\x00d\x00D\x00o\x00c\x00u\x00m\x00e\x00n\x00t\x00")
	d.write("docs/song.mp3", "ID3\x04\x00\x00\x00\x00\x00\x00")
	d.write("docs/table.csv", "a;b\n\"c;d\n")
	d.write("docs/half.json", "[1, 2, {")
	d.write("docs/archive.zip", "PK\x05\x06"+strings.Repeat("\x00", 18))
	d.write("docs/empty.txt", "")
	d.ok("add", d.docs)
	out := d.ok("status", "--files")
	lines := strings.Split(out, "\n")
	twoSentences := regexp.MustCompile(`^ +[A-Z“].*[.:,;] .*\.$`)
	told := 0
	for i, line := range lines {
		for _, words := range []string{"damaged", "not supported", "partly read", "too large"} {
			if strings.HasPrefix(line, "  "+words+" ") {
				if told++; i+1 == len(lines) || !twoSentences.MatchString(lines[i+1]) {
					t.Errorf("%s\n%s", line, lines[i+1])
				}
			}
		}
	}
	if told < 4 || strings.Contains(out, "partly_") {
		t.Errorf("%d reasons in\n%s", told, out)
	}
}

func TestLibrary_StatusTellsWhatIsFoundByMeaning(t *testing.T) {
	for want, p := range map[string]app.Progress{
		"": {VectorsDone: 40, VectorsTotal: 40},
		"What was read can be found by its words, and 10 of 40 passages by meaning; the others in about 4 min.":   {Done: 3, Total: 3, VectorsDone: 10, VectorsTotal: 40, RemainingSeconds: 240},
		"What was read can be found by its words, and 0 of 40 passages by meaning. No embedding model is loaded.": {VectorsTotal: 40, Sentence: "No embedding model is loaded."},
		"What was read can be found by its words, and 1 of 40 passages by meaning.":                               {VectorsDone: 1, VectorsTotal: 40},
	} {
		if got := meaningNote(p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// Reading that is stopped says what is kept: more than nothing.
func TestLibrary_StoppedReadingIsKept(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := d.runIn(ctx, "sync"); o.code != exitInterrupted || o.stderr != "Stopped. What was read is kept; `referent sync` goes on.\n" {
		t.Errorf("%+v", o)
	}
}

func TestLibrary_TagsNarrowASearch(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	files, err := filepath.Glob(filepath.Join(d.docs, "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	d.ok("tag", "add", files[0], "House", "to  read")
	d.ok("tag", "add", d.docs, "all")
	if out := d.ok("tag", "list", files[0]); out != "all  1\nhouse  1\nto read  1\n" {
		t.Errorf("%q", out)
	}
	if out := d.ok("tag", "list", "--json"); !strings.Contains(out, `{"name":"house","files":1}`) {
		t.Errorf("%s", out)
	}
	for tag, want := range map[string]int{"ALL": len(files), "house": 1} {
		found := map[string]bool{}
		for _, f := range files {
			name := strings.TrimSuffix(filepath.Base(f), filepath.Ext(f))
			for _, other := range files {
				if strings.Contains(d.ok("search", name, "--retriever", "bm25", "--k", "50", "--tag", tag), filepath.Base(other)) {
					found[other] = true
				}
			}
		}
		if len(found) != want || tag == "house" && !found[files[0]] {
			t.Errorf("%s finds %v, want %d", tag, found, want)
		}
	}
	d.ok("tag", "remove", files[0], "house", "to read")
	if out := d.ok("tag", "list"); out != "all  3\n" {
		t.Errorf("%q", out)
	}
	for _, args := range [][]string{{"tag", "add", d.dir + "/none.txt", "x"}, {"tag", "add", files[0], "  "}, {"tag", "add", files[0]}, {"tag", "list", "a", "b"}} {
		if o := d.run(args...); o.code == exitDone || o.stderr == "" {
			t.Errorf("%v: %+v", args, o)
		}
	}
}
