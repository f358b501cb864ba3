package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/app"
)

// ownSet writes a set about the town and returns its folder.
func (d *desk) ownSet() string {
	d.t.Helper()
	d.write("mine/corpus.jsonl", `{"id":"a","title":"Harlow Bridge","text":"The Harlow Bridge is 320 metres long."}
{"id":"b","title":"Harlow Bridge","text":"The Harlow Bridge was opened in 1932 by the mayor."}
{"id":"c","title":"Boiler","text":"The boiler pressure must be 1.5 bar."}`)
	d.write("mine/queries.jsonl", `{"id":"1","text":"How long is the Harlow Bridge?","history":[],"kind":""}
{"id":"2","text":"When was it opened?","history":[{"role":"user","text":"How long is the Harlow Bridge?"},{"role":"assistant","text":"320 metres."}],"kind":"pronoun"}`)
	d.write("mine/qrels.tsv", "1\ta\t1\n2\tb\t1\n")
	return filepath.Join(d.dir, "mine")
}

func TestEval_ATableForPeople(t *testing.T) {
	d := newDesk(t)
	set := d.ownSet()
	file := filepath.Join(d.dir, "run.jsonl")
	o := d.run("eval", "own", "--sets", set, "--engines", "simple,expand,condense_context", "--retrievers", "bm25,hybrid", "--out", file)
	if o.code != exitDone {
		t.Fatalf("%+v", o)
	}
	for _, want := range []string{"own mine: a set of your own", "simple                    bm25      all              2", "condense_context          hybrid    all              2", "Nothing is decided: S5 was not measured"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in\n%s", want, o.stdout)
		}
	}
	if !strings.Contains(o.stderr, "The records of the run are in "+file) {
		t.Errorf("%q", o.stderr)
	}
	if o := d.run("eval", "own", "--sets", set, "--out", file); o.code != exitUsage || !sentence(o.stderr) || !strings.Contains(o.stderr, "is there already. Go on with it by --resume") {
		t.Errorf("the same file again: %+v", o)
	}
}

func TestEval_JSONIsTheRunItself(t *testing.T) {
	d := newDesk(t)
	set := d.ownSet()
	stdout := d.ok("eval", "own", "--sets", set, "--engines", "simple,expand", "--retrievers", "bm25", "--json", "--quiet")
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != 2+4+1 {
		t.Fatalf("%d lines:\n%s", len(lines), stdout)
	}
	members := func(line string) (names []string) {
		var v map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for name := range v {
			names = append(names, name)
		}
		return names
	}
	for _, name := range strings.Fields("suite set query engine retriever prepared hits relevant scores ms slice") {
		if !slices.Contains(members(lines[2]), name) {
			t.Errorf("an item has no %s: %s", name, lines[2])
		}
	}
	var last struct {
		Summary []map[string]any `json:"summary"`
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || len(last.Summary) == 0 {
		t.Fatalf("%v: %s", err, lines[len(lines)-1])
	}
	for _, name := range strings.Fields("suite set engine retriever slice metric value low high n") {
		if _, ok := last.Summary[0][name]; !ok {
			t.Errorf("a figure has no %s: %v", name, last.Summary[0])
		}
	}
	// Without --out the newest run of the data folder goes on: nothing is asked
	// again.
	again := d.ok("eval", "own", "--sets", set, "--engines", "simple,expand", "--retrievers", "bm25", "--json", "--quiet", "--resume")
	if !strings.HasPrefix(again, strings.Join(lines[:6], "\n")) || len(strings.Split(again, "\n")) != 8 {
		t.Errorf("%s", again)
	}
}

func TestEval_WhatCannotBeMeasuredIsSaidInOneSentence(t *testing.T) {
	d := newDesk(t)
	set := d.ownSet()
	empty := t.TempDir()
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"eval":                            {exitUsage, "standard"},
		"eval S99":                        {exitUsage, `There is no suite "S99" to measure. There are: quick`},
		"eval quick S1":                   {exitUsage, "A preset stands alone."},
		"eval S5 --engines clever":        {exitUsage, `There is no engine "clever" to measure. There are: simple`},
		"eval S5 --retrievers magic":      {exitUsage, `There is no retriever "magic" to measure. There are: bm25`},
		"eval S1 --sets " + empty:         {exitFailed, "Nothing was measured. S1 is skipped"},
		"eval own --resume --sets " + set: {exitUsage, "There is no run to go on with."},
		"eval own --resume --out no.jsonl --sets " + set:   {exitUsage, "There is no run in "},
		"eval own --sets " + filepath.Join(set, "nowhere"): {exitUsage, "There is no file"},
	} {
		o := d.run(words(line)...)
		if o.code != want.code || !sentence(o.stderr) || !strings.Contains(o.stderr, want.text) || o.stdout != "" {
			t.Errorf("%s: %+v", line, o)
		}
	}
	if left, err := filepath.Glob(filepath.Join(d.dir, "data", "lab", "*")); err != nil || len(left) != 0 {
		t.Errorf("runs that measured nothing left %v, %v", left, err)
	}
}

func TestP70_AnEvaluationWhoseRewritesFailEndsWithAnError(t *testing.T) {
	d := newDesk(t)
	set := d.ownSet()
	d.fails = true
	o := d.run("eval", "own", "--sets", set, "--engines", "simple,condense_context", "--retrievers", "bm25")
	if o.code != exitFailed || !strings.Contains(o.stderr, "100.0 % of 1 rewrites failed, empty_query 100.0 %.") || !strings.Contains(o.stdout, "100.0 %") {
		t.Errorf("%+v", o)
	}
}

// What another run has written is judged anew without a model, and a run can be
// bounded to some questions of each set.
func TestEval_ReplayAndMost(t *testing.T) {
	d := newDesk(t)
	set := d.ownSet()
	file := filepath.Join(d.dir, "run.jsonl")
	d.ok("eval", "own", "--sets", set, "--engines", "condense_context", "--retrievers", "bm25", "--out", file)
	d.fails = true
	again := d.ok("eval", "own", "--sets", set, "--engines", "condense_context", "--retrievers", "bm25", "--replay", file, "--json", "--quiet")
	if lines := strings.Split(strings.TrimSuffix(again, "\n"), "\n"); len(lines) != 2+2+1 || strings.Contains(again, "empty_query") {
		t.Errorf("%d lines:\n%s", len(lines), again)
	}
	few := d.ok("eval", "own", "--sets", set, "--engines", "simple,expand", "--retrievers", "bm25", "--most", "1", "--json", "--quiet")
	if lines := strings.Split(strings.TrimSuffix(few, "\n"), "\n"); len(lines) != 2+2+1 {
		t.Errorf("%d lines:\n%s", len(lines), few)
	}
	small := d.run("eval", "own", "--sets", set, "--engines", "simple", "--retrievers", "bm25", "--passages", "2")
	if small.code != exitDone || !strings.Contains(small.stderr, "Of mine, 2 of 3 passages are searched, the right ones among them.") {
		t.Errorf("%+v", small)
	}
	for line, want := range map[string]string{"--replay " + filepath.Join(d.dir, "none.jsonl"): "There is no file", "--replay " + filepath.Join(set, "qrels.tsv"): "cannot be read. Name the file of a run with --replay."} {
		o := d.run(words("eval own --engines simple --sets " + set + " " + line)...)
		if o.code != exitUsage || !sentence(o.stderr) || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

// Whole answers decide on the answer mode, and what the rule looked at is printed.
func TestEval_TheAnswerModeIsDecided(t *testing.T) {
	d := newDesk(t)
	for name, answer := range map[string]string{"answerable": "320 metres", "unanswerable": ""} {
		d.write("sets/clapnq_dev/clapnq_dev_"+name+".jsonl", `{"id":"`+name+`","input":"How long is the Harlow Bridge?","passages":[{"title":"Harlow Bridge","text":"The Harlow Bridge is long and old."}],`+
			`"output":[{"answer":"`+answer+`","selected_sentences":[]}]}`)
	}
	o := d.run("eval", "S8", "S9", "--sets", filepath.Join(d.dir, "sets"), "--retrievers", "bm25")
	for _, want := range []string{" is chosen: ", "Provisional: only ", "By bm25, on 2 questions of S8 and S9:", "\n  generate ", "\n  strict ", "\n  quote ", "balanced accuracy"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in\n%s\n%s", want, o.stdout, o.stderr)
		}
	}
}

func TestEval_AnInterruptKeepsWhatWasMeasured(t *testing.T) {
	d := newDesk(t)
	set := d.ownSet()
	file := filepath.Join(d.dir, "run.jsonl")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err := d.app.Evaluate(ctx, app.EvalRequest{Suites: []string{"own"}, Sets: set, Engines: []string{"simple"}, Retrievers: []string{"bm25"}, Out: file},
		func(p app.EvalProgress) { stop() })
	if err == nil || exitCode(err) != exitInterrupted || !strings.Contains(err.Error(), "`--resume` goes on with it") {
		t.Errorf("%v", err)
	}
	raw, err := os.ReadFile(file)
	if err != nil || strings.Count(string(raw), "\n") != 3 {
		t.Errorf("%v: %s", err, raw)
	}
	d.ok("eval", "own", "--sets", set, "--engines", "simple", "--retrievers", "bm25", "--out", file, "--resume")
}

func TestEval_ProgressHasARateAndWhatIsLeft(t *testing.T) {
	for want, p := range map[string]app.EvalProgress{
		"3 of 40 questions: canard, expand by bm25, 12.5 a second, about 3 s left.": {Set: "canard", Engine: "expand", Retriever: "bm25", Done: 3, Total: 40, PerSecond: 12.5, RemainingSeconds: 2.96},
		"0 of 40 questions: canard, expand by bm25.":                                {Set: "canard", Engine: "expand", Retriever: "bm25", Total: 40},
		"Reading.": {Sentence: "Reading."},
	} {
		if got := evalSentence(p); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
