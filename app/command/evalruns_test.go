package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEval_RunsAreListedComparedAndWritten(t *testing.T) {
	d := newDesk(t)
	set := d.ownSet()
	a, b := filepath.Join(d.dir, "a.jsonl"), filepath.Join(d.dir, "b.jsonl")
	d.ok("eval", "own", "--sets", set, "--engines", "simple,expand", "--retrievers", "bm25", "--out", a, "--quiet")
	d.ok("eval", "own", "--sets", set, "--engines", "simple", "--retrievers", "bm25", "--out", b, "--quiet")
	d.ok("eval", "own", "--sets", set, "--engines", "simple", "--retrievers", "bm25", "--quiet")
	list := d.ok("eval", "list")
	if strings.Count(list, "\n") != 1 || !strings.Contains(list, "finished") || !strings.Contains(list, "simple by bm25 on own") {
		t.Errorf("%q", list)
	}
	id := strings.Fields(list)[0]
	o := d.run("eval", "compare", a, b)
	if o.code != exitDone || !strings.Contains(o.stdout, "simple by bm25: 2 questions, 0 better, 0 worse, 2 equal") || !strings.Contains(o.stderr,
		"expand by bm25 on mine was measured in the earlier run only.") {
		t.Errorf("%+v", o)
	}
	if got := d.ok("eval", "compare", id, b, "--json"); !strings.HasPrefix(got, `{"before":{`) || !strings.Contains(got, `"pairs":[{"suite":"own","set":"mine"`) {
		t.Errorf("%q", got)
	}
	if csv := d.ok("eval", "export", a); !strings.HasPrefix(csv, "suite,set,engine,retriever,slice,metric,value,low,high,n\nown,mine,simple,bm25,all,") {
		t.Errorf("%q", csv)
	}
	page := filepath.Join(d.dir, "report.html")
	d.ok("eval", "report", b, "--against", a, "--out", page)
	raw, err := os.ReadFile(page)
	if err != nil || !strings.HasPrefix(string(raw), "<!doctype html>") || !strings.Contains(string(raw), "Against the run of") {
		t.Errorf("%v %.200s", err, raw)
	}
}

func TestEval_ARunThatIsNotThereIsSaidInOneSentence(t *testing.T) {
	d := newDesk(t)
	taken := filepath.Join(d.dir, "taken")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(d.dir, "a.jsonl")
	d.ok("eval", "own", "--sets", d.ownSet(), "--engines", "simple", "--retrievers", "bm25", "--out", file, "--quiet")
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"eval compare one":                             {exitUsage, "two runs, the earlier one first"},
		"eval compare no.jsonl no.jsonl":               {exitUsage, "There is no file no.jsonl."},
		"eval export 2026-01-01T000000.000":            {exitUsage, "There is no such run."},
		"eval report ..":                               {exitUsage, "There is no such run."},
		"eval report " + taken:                         {exitFailed, "is no run"},
		"eval report " + file + " --out " + taken:      {exitUsage, "Name another one."},
		"eval report " + file + " --against elsewhere": {exitUsage, "There is no such run."},
	} {
		o := d.run(words(line)...)
		if o.code != want.code || !sentence(o.stderr) || !strings.Contains(o.stderr, want.text) || o.stdout != "" {
			t.Errorf("%s: %+v", line, o)
		}
	}
}
