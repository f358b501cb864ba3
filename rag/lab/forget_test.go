package lab

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/rag"
)

func TestForgotten_TakesPassagesAndRepliesOutOfTests(t *testing.T) {
	said := func(texts ...string) (out []rag.Message) {
		for i, text := range texts {
			out = append(out, rag.Message{Role: []string{"user", "assistant"}[i%2], Text: text})
		}
		return out
	}
	passage := func(id string, document int64) TestPassage {
		return TestPassage{ID: id, Document: document, Text: "text of " + id}
	}
	f := Forgotten{Documents: []int64{7}, Held: func(hash string) bool { return hash == "twice" || hash == "other" }, Replies: []string{"The secret."}}
	kept, touched := f.Tests([]Test{
		{ID: "gone", Passages: []TestPassage{passage("a", 7)}},
		{ID: "half", Passages: []TestPassage{passage("b", 7), passage("other", 8)}, History: said("Q?", "Something.", "And?")},
		{ID: "twice", Passages: []TestPassage{passage("twice", 7)}, History: said("Q?", "Something.")},
		{ID: "quotes", Passages: []TestPassage{passage("other", 8)}, History: said("Q?", "The secret.", "R?", "Harmless.")},
		{ID: "older", Passages: []TestPassage{passage("c", 0)}},
		{ID: "away", Passages: []TestPassage{passage("d", 9)}}, // its file is away, not forgotten
	})
	var got []string
	for _, k := range kept {
		line := k.ID
		for _, p := range k.Passages {
			line += " " + p.ID
		}
		for _, m := range k.History {
			line += " " + m.Text
		}
		got = append(got, line)
	}
	want := "half other Q? And?|twice twice Q? Something.|quotes other Q? R? Harmless.|away d"
	if strings.Join(got, "|") != want {
		t.Errorf("kept %q", got)
	}
	if len(touched) != 4 || !touched["gone"] || !touched["half"] || !touched["quotes"] || !touched["older"] {
		t.Errorf("touched %v", touched)
	}
	if kept[1].Passages[0].Document != 0 {
		t.Error("a passage that another document holds still counts as the forgotten one's")
	}
}

func TestForgetSearched_ErasesWhatWasReadAndKeepsTheFigures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	r, err := Create(path, NewHead("1", Plan{Suites: []string{SuiteOwn}, Engines: []string{"expand"}, Retrievers: []string{"bm25"}}, nil, "test"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"one", "two"} {
		i := Item{Suite: SuiteOwn, Set: TestsSet, Query: id, Engine: "expand", Retriever: "bm25", Hits: []string{"h"}, Scores: map[string]float64{"recall@1": 1},
			Prepared: rag.Prepared{Engine: "expand", Status: rag.StatusExpanded, OriginalQuery: "And when?", SearchQuery: "And when? zeppelin",
				SearchQueries: []string{"And when? zeppelin"}, RerankQuery: "zeppelin", AddedWords: []string{"zeppelin"}, Detail: "zeppelin", Warnings: []string{"zeppelin"}}}
		if err := r.Add(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.Finish(Summarize(r.Items), Judge(r.Items)), r.Close()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := ForgetSearched(path, map[string]bool{"one": true}); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	if len(is) != len(was) || strings.Contains(is[1], "zeppelin") || is[0] != was[0] || strings.Join(is[2:], "\n") != strings.Join(was[2:], "\n") {
		t.Errorf("%s", after)
	}
	again, err := LoadRun(path)
	if err != nil || again.End == nil || len(again.Items) != 2 {
		t.Fatalf("%v %+v", err, again)
	}
	if i := again.Items[0]; i.Scores["recall@1"] != 1 || i.Hits[0] != "h" || i.Prepared.Status != rag.StatusExpanded || i.Prepared.Searched() != "And when?" {
		t.Errorf("%+v", i)
	}
	if err := ForgetSearched(path, map[string]bool{"none": true}); err != nil {
		t.Fatal(err)
	}
	if same, err := os.ReadFile(path); err != nil || string(same) != string(after) {
		t.Error("a run without such tests was written")
	}
}
