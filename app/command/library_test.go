package command

import (
	"os"
	"strings"
	"testing"
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
