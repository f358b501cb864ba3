package lab

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"referent/rag"
)

func bridgeTests() []Test {
	return []Test{
		{ID: "1", Text: "How long is it?", History: []rag.Message{{Role: "user", Text: "Tell me of the bridge."}}, Kind: KindPronoun, Added: time.Date(2026,
			3, 2, 9, 0, 0, 0, time.UTC),
			Passages: []TestPassage{{"h1", 0, "Bridge", "It is 320 metres long.\nTwo lines."}}},
		{ID: "2", Text: "When was it opened?", History: nil, Kind: KindFirst, Added: time.Date(2026, 3, 2, 9, 1, 0, 0, time.UTC),
			Passages: []TestPassage{{"h1", 0, "Bridge", "It is 320 metres long.\nTwo lines."}, {"h2", 0, "Bridge", "Opened in 1932."}}},
	}
}

func TestTests_AreASetOfOnesOwnOnTheDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tests")
	if got, err := ReadTests(dir); err != nil || len(got) != 0 {
		t.Fatalf("no folder: %v %v", got, err)
	}
	if err := WriteTests(dir, bridgeTests()); err != nil {
		t.Fatal(err)
	}
	got, err := ReadTests(dir)
	if err != nil || !reflect.DeepEqual(got, bridgeTests()) {
		t.Fatalf("%v\n%+v\n%+v", err, got, bridgeTests())
	}
	sets, err := readOwn(dir)
	if err != nil || len(sets[0].Questions) != 2 || len(sets[0].Rows) != 2 || sets[0].Questions[0].Slice != "pronoun" {
		t.Errorf("the reader of sets: %v %+v", err, sets)
	}
	if err := WriteTests(dir, bridgeTests()[:1]); err != nil {
		t.Fatal(err)
	}
	if got, err = ReadTests(dir); err != nil || len(got) != 1 {
		t.Errorf("%v %v", err, got)
	}
	if err := WriteTests(dir, nil); err != nil {
		t.Fatal(err)
	}
	if got, err = ReadTests(dir); err != nil || len(got) != 0 {
		t.Errorf("none: %v %v", err, got)
	}
}

func TestTests_AKillLosesNone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tests")
	if err := WriteTests(dir, bridgeTests()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, beside(dir)); err != nil { // between the two renames
		t.Fatal(err)
	}
	got, err := ReadTests(dir)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v %v", err, got)
	}
	if err := WriteTests(dir, got[:1]); err != nil {
		t.Fatal(err)
	}
	if got, err = ReadTests(dir); err != nil || len(got) != 1 {
		t.Errorf("%v %v", err, got)
	}
}

func TestTests_AreAskedOnceByEveryEngine(t *testing.T) {
	system := scripted{{Chunk: 1, ContentHash: "h1", Text: "How long is it?"}, {Chunk: 2, ContentHash: "h2", Text: "When was it opened?"}}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	r, err := Create(path, NewHead("1", Plan{Suites: []string{SuiteOwn}, Engines: []string{"expand", "simple"}, Retrievers: []string{"hybrid"}}, nil, "test"))
	if err != nil {
		t.Fatal(err)
	}
	var last Progress
	if err := RunTests(t.Context(), system, bridgeTests(), r, func(p Progress) { last = p }); err != nil {
		t.Fatal(err)
	}
	if last.Done != 4 || last.Total != 4 || len(r.Items) != 4 || r.Items[0].Scores["recall@1"] != 1 || r.Items[1].Scores["recall@5"] != 1 {
		t.Errorf("%+v %+v", last, r.Items)
	}
	if err := errors.Join(RunTests(t.Context(), nil, bridgeTests(), r, nil), r.Close()); err != nil { // nothing is left to ask
		t.Error(err)
	}
	b, err := ReadBrief(path)
	if err != nil || b.Items != 4 || b.Finished || b.Head.Plan.Engines[0] != "expand" {
		t.Errorf("%v %+v", err, b)
	}
	if p := ComparePersonal(r, r); p.Equal != 2 || p.Engine != "expand" || p.Retriever != "hybrid" {
		t.Errorf("%+v", p)
	}
}

func TestRuns_AreReadWhileTheyAreWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	r, err := Create(path, NewHead("1", Plan{Suites: []string{"S4"}, Engines: []string{"simple"}, Retrievers: []string{"bm25"}}, nil, "test"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Add(judged("a", "simple", 1)), r.Add(judged("b", "simple", 0))); err != nil {
		t.Fatal(err)
	}
	half := `{"suite":"S4","set":"ta`
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(half); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := ReadBrief(path)
	if err != nil || b.Items != 2 || b.Finished {
		t.Errorf("%v %+v", err, b)
	}
	whole, err := LoadRun(path)
	if err != nil || len(whole.Items) != 2 || whole.End != nil {
		t.Errorf("%v %+v", err, whole)
	}
	if raw, err := os.ReadFile(path); err != nil || !strings.HasSuffix(string(raw), half) {
		t.Error("reading has changed the file")
	}
	for name, body := range map[string]string{"empty": "", "no run": "{\"a\":1}\n", "no json": "x\n"} {
		bad := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(bad, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadBrief(bad); err == nil || !strings.Contains(err.Error(), "is no run") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := LoadRun(bad); err == nil || !strings.Contains(err.Error(), "is no run") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
