package lab

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/extract"
)

// workshop runs plans on a set of one's own with fake models.
type workshop struct {
	t      *testing.T
	host   *fake.Host
	runner Runner
	path   string
	lacks  inference.Role // no such model is installed
	notes  []string
	after  func(done int) // hears of each item
}

func newWorkshop(t *testing.T, c fake.Config, engines ...string) *workshop {
	t.Helper()
	w := &workshop{t: t, host: fake.NewLoaded(c), path: filepath.Join(t.TempDir(), "run.jsonl")}
	w.runner = Runner{Plan: Plan{Suites: []string{SuiteOwn}, Engines: engines, Retrievers: []string{"bm25", "hybrid"}}, Places: Places{Sets: sets(t, own)},
		Models: w.host, Vectors: filepath.Join(t.TempDir(), "vectors"), Note: func(s string) { w.notes = append(w.notes, s) },
		Need: func(_ context.Context, role inference.Role) error {
			if role == w.lacks {
				return &rag.Error{Code: rag.CodeNoModel, Message: "No model plays the role " + string(role) + "."}
			}
			return nil
		},
		Progress: func(p Progress) {
			if w.after != nil && p.Sentence == "" {
				w.after(p.Done)
			}
		}}
	return w
}

func (w *workshop) begin() *Record {
	w.t.Helper()
	r, err := Create(w.path, NewHead("1", w.runner.Plan, map[string]string{"condense": "fake 1"}, "test"))
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *workshop) resume() *Record {
	w.t.Helper()
	r, err := Resume(w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// run carries out the plan on a record and closes it.
func (w *workshop) run(ctx context.Context, r *Record) error {
	err := w.runner.Run(ctx, r)
	return errors.Join(err, r.Close())
}

func (w *workshop) ok(r *Record) []Item {
	w.t.Helper()
	if err := w.run(w.t.Context(), r); err != nil {
		w.t.Fatal(err)
	}
	return r.Items
}

func (w *workshop) rewrites() int {
	n := 0
	for _, c := range w.host.Calls() {
		if c.Kind == "generate" && c.Role == inference.RoleCondense {
			n++
		}
	}
	return n
}

func TestP70_EveryEngineOnEveryRetriever(t *testing.T) {
	w := newWorkshop(t, fake.Config{}, "simple", "expand", "blend", condense, Ungated)
	items := w.ok(w.begin())
	if len(items) != 3*5*2 || len(w.notes) > 0 {
		t.Fatalf("%d items, %q", len(items), w.notes)
	}
	cells := Summarize(items)
	name := filepath.Base(w.runner.Places.Sets)
	for _, c := range []struct {
		engine, slice, metric string
		want                  float64
	}{
		{"simple", "topic_shift", "recall@1", 1},
		{"simple", "all", "model_calls", 0},
		{"expand", "pronoun", "recall@1", 1}, // "bridge" or "Harlow" is added to "opened"
		{"expand", "pronoun", "unchanged", 0},
		{condense, "topic_shift", "gated", 1}, // brings its own subject
		{condense, "topic_shift", "unchanged", 1},
		{condense, "pronoun", "gated", 0},
		{condense, "pronoun", "model_calls", 1},
		{Ungated, "topic_shift", "model_calls", 1},
		{Ungated, "topic_shift", "gated", 0},
	} {
		if got, ok := Find(cells, name, c.engine, "bm25", c.slice, c.metric); !ok || got.Value != c.want {
			t.Errorf("%s %s %s: %+v, not %v", c.engine, c.slice, c.metric, got, c.want)
		}
	}
	if m := w.runner.meter; m.done != len(items) || m.kinds[0].left != 0 || m.kinds[1].left != 0 {
		t.Errorf("the meter expected something else: %+v", m)
	}
	// Each rewrite is written once and searched by both retrievers, with the gate
	// and without: the gated engine writes one, the ungated the other.
	if got := w.rewrites(); got != 2 {
		t.Errorf("%d rewrites were written, not 2", got)
	}
	searched := map[string]string{}
	for _, i := range items {
		if i.Slice == "pronoun" && (i.Engine == condense || i.Engine == Ungated) {
			searched[i.Engine] = i.Prepared.Searched()
		}
	}
	if searched[condense] == "" || searched[condense] != searched[Ungated] {
		t.Errorf("%q", searched)
	}
	for _, i := range items {
		if i.Query == "1" && i.Engine == "simple" && i.Retriever == "bm25" && (i.Hits[0] != "a" || i.Scores["ndcg@10"] != 1 || !slices.Equal(i.Relevant, []string{"a", "b"})) {
			t.Errorf("%+v", i)
		}
	}
}

func TestP71_KeptRecallIsReportedApartFromFound(t *testing.T) {
	set := Set{Rows: []Row{{ID: "a"}}}
	got := score(set, Question{Relevant: Grades{"a": 1, "b": 1}}, rag.Prepared{}, []rag.Hit{{ContentHash: "a"}, {ContentHash: "b", PassedFloor: true}}, 10)
	if got["recall@5"] != 1 || got["kept@5"] != 0.5 {
		t.Errorf("%v", got)
	}
}

// A run that is stopped after some items goes on where it was, also when the
// last line was cut off, and ends with the same items as one that was not.
func TestRun_GoesOnAfterAKill(t *testing.T) {
	whole := newWorkshop(t, fake.Config{}, "simple", condense)
	want := whole.ok(whole.begin())

	w := newWorkshop(t, fake.Config{}, "simple", condense)
	w.runner.Places = whole.runner.Places
	ctx, stop := context.WithCancel(t.Context())
	w.after = func(done int) {
		if done == 7 {
			stop()
		}
	}
	if err := w.run(ctx, w.begin()); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	f, err := os.OpenFile(w.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"suite":"own","set":"cut o`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	w.after = nil
	record := w.resume()
	if len(record.Items) != 7 {
		t.Errorf("%d items were kept, not 7", len(record.Items))
	}
	got := w.ok(record)
	if len(got) != len(want) {
		t.Fatalf("%d items, not %d", len(got), len(want))
	}
	for i := range got {
		if got[i].key() != want[i].key() || !slices.Equal(got[i].Hits, want[i].Hits) || !slices.Equal(got[i].Prepared.SearchQueries, want[i].Prepared.SearchQueries) {
			t.Errorf("item %d: %+v, not %+v", i, got[i], want[i])
		}
	}
}

// Stored rewrites are searched by one more retriever although no model is there.
func TestRun_ReplaysRewritesWithoutAModel(t *testing.T) {
	w := newWorkshop(t, fake.Config{}, condense)
	w.runner.Plan.Retrievers = []string{"bm25"}
	first := w.ok(w.begin())
	w.lacks = inference.RoleCondense
	w.runner.Plan.Retrievers = []string{"bm25", "hybrid"}
	again := w.ok(w.resume())
	if len(again) != 2*len(first) || len(w.notes) > 0 || w.rewrites() != 1 {
		t.Fatalf("%d items, %q, %d rewrites", len(again), w.notes, w.rewrites())
	}
	for i, a := range first {
		b := again[len(first)+i]
		if !slices.Equal(a.Prepared.SearchQueries, b.Prepared.SearchQueries) || a.MS["prepare"] != b.MS["prepare"] || b.Retriever != "hybrid" {
			t.Errorf("%+v\n%+v", a, b)
		}
	}
}

func TestP70_WhatIsNotInstalledIsSaidAndNeverReplaced(t *testing.T) {
	w := newWorkshop(t, fake.Config{}, "simple", condense)
	w.lacks = inference.RoleCondense
	for _, i := range w.ok(w.begin()) {
		if i.Engine != "simple" {
			t.Errorf("%+v", i)
		}
	}
	if m := w.runner.meter; m.total() != 6 || m.remaining() != 0 {
		t.Errorf("what is not installed is still waited for: %+v", m)
	}
	if len(w.notes) != 2 || !strings.Contains(w.notes[0], "condense_context by bm25") || !strings.Contains(w.notes[0], "not available. No model plays the role condense.") {
		t.Errorf("%q", w.notes)
	}
	w = newWorkshop(t, fake.Config{}, "simple")
	w.runner.Plan.Suites = []string{"S1", SuiteOwn}
	if items := w.ok(w.begin()); len(items) != 6 || len(w.notes) != 1 || !strings.HasPrefix(w.notes[0], "S1 is skipped: the set is not there") {
		t.Errorf("%d items, %q", len(items), w.notes)
	}
}

func TestP70_ARunWithTooManyFailedRewritesHasFailed(t *testing.T) {
	w := newWorkshop(t, fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Text: " "}, role == inference.RoleCondense
	}}, "simple", condense)
	w.runner.Plan.Retrievers = []string{"bm25"}
	got := FailedRewrites(Summarize(w.ok(w.begin())))
	if len(got) != 1 || !strings.Contains(got[0], "condense_context by bm25") || !strings.Contains(got[0], "100.0 % of 1 rewrites failed, empty_query 100.0 %.") {
		t.Errorf("%q", got)
	}
}

func TestP75_ARunRecordsWhatItStoodOnAndRefusesToGoOnWithAnother(t *testing.T) {
	w := newWorkshop(t, fake.Config{}, "simple")
	w.ok(w.begin())
	r := w.resume()
	defer r.Close()
	if r.Head.Started.IsZero() || r.Head.Settings["CondenseTimeout"] != 60e9 || r.Head.Models["condense"] != "fake 1" || len(r.Sets) != 1 {
		t.Errorf("%+v, %+v", r.Head, r.Sets)
	}
	if err := r.Fits(NewHead("2", Plan{}, map[string]string{"condense": "fake 1", "embed": "fake 3"}, "")); err != nil {
		t.Errorf("one more model: %v", err)
	}
	if err := r.Fits(NewHead("1", Plan{}, nil, "")); err != nil {
		t.Errorf("no models: %v", err)
	}
	if err := r.Fits(NewHead("1", Plan{}, map[string]string{"condense": "fake 2"}, "")); !errors.Is(err, ErrChanged) {
		t.Errorf("another model: %v", err)
	}
	other := Head{Settings: map[string]any{"CondenseTimeout": 1.0}}
	if err := r.Fits(other); !errors.Is(err, ErrChanged) {
		t.Errorf("other settings: %v", err)
	}
	changed := Set{Name: filepath.Base(w.runner.Places.Sets), Rows: []Row{{ID: "a"}}}
	if err := r.Use(changed); !errors.Is(err, ErrChanged) {
		t.Errorf("another set: %v", err)
	}
	if _, err := Create(w.path, Head{}); !errors.Is(err, ErrExists) {
		t.Errorf("a second run in the same file: %v", err)
	}
	noRun := filepath.Join(t.TempDir(), "x")
	for _, body := range []string{"", "hello\n", `{"suite":"S1"}` + "\n"} {
		if err := os.WriteFile(noRun, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(noRun); err == nil || !strings.Contains(err.Error(), "is no run") {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// The lines of a run are the contract of `eval --json`.
func TestRun_TheFileIsOneRecordALine(t *testing.T) {
	w := newWorkshop(t, fake.Config{}, "simple")
	r := w.begin()
	if err := w.runner.Run(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Finish(Summarize(r.Items), Judge(r.Items)), r.Close()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(w.path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	if len(lines) != 2+6+1 {
		t.Fatalf("%d lines", len(lines))
	}
	for n, names := range map[int]string{0: "run", 1: "corpus", 2: "suite set query engine retriever prepared hits relevant scores ms slice", 8: "summary verdict"} {
		var line map[string]json.RawMessage
		if err := json.Unmarshal([]byte(lines[n]), &line); err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(names) {
			if line[name] == nil {
				t.Errorf("line %d has no %s: %s", n+1, name, lines[n])
			}
		}
	}
	again := w.resume() // the summary goes, the items stay
	if len(again.Items) != 6 {
		t.Errorf("%d items", len(again.Items))
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestS0_TheSampleLibraryIsCutAsTheProductDoes(t *testing.T) {
	root := filepath.Join("..", "..", "testdata")
	w := newWorkshop(t, fake.Config{}, "simple", "expand")
	w.runner.Plan = Plan{Suites: []string{"S0"}, Engines: []string{"simple", "expand"}, Retrievers: []string{"bm25"}}
	w.runner.Places = Places{Sample: root, Extract: func(ctx context.Context, path string) (rag.Extraction, error) {
		if filepath.Ext(path) == ".pdf" { // takes long, and a file without text has no rows
			return rag.Extraction{Status: rag.FileUnsupported}, nil
		}
		return extract.File(ctx, path, extract.Options{})
	}}
	found, follow := map[string]float64{}, map[string]int{}
	for _, i := range w.ok(w.begin()) {
		if i.Slice != "" {
			found[i.Engine] += i.Scores["recall@5"]
			follow[i.Engine]++
		}
	}
	if follow["simple"] < 30 || found["expand"] <= found["simple"] {
		t.Errorf("facts of %v follow-ups among the best five: %v", follow, found)
	}
}
