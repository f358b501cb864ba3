package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// townhall is a library on which "expand" finds what "simple" does not.
var townhall = map[string]string{
	"bridge.md": "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long. The mayor opened the Harlow Bridge in 1932.\n",
	"boiler.md": "# Boiler\n\nThe valve was opened.\n",
}

// AddToTests makes a test of the last turn; the passage with the words is right.
func (s *story) AddToTests(words string) app.OwnTest {
	s.t.Helper()
	done, _ := last[rag.Done](s)
	draft, err := s.app.ProposeTest(s.t.Context(), *done.Turn)
	if err != nil {
		s.t.Fatal(err)
	}
	found := false
	for i, p := range draft.Test.Passages {
		draft.Test.Passages[i].Right = strings.Contains(p.Text, words)
		found = found || draft.Test.Passages[i].Right
	}
	if !found {
		s.t.Fatalf("no passage holds %q: %+v", words, draft.Test.Passages)
	}
	saved, err := s.app.SaveTest(s.t.Context(), draft.Test)
	if err != nil {
		s.t.Fatal(err)
	}
	return saved
}

// Measured waits until the run has ended and returns its row.
func (s *story) Measured(run app.EvalRun, err error) app.EvalRun {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	var row app.EvalRun
	s.Eventually("the run's end", time.Minute, func() bool {
		result, err := s.app.Evaluation(s.t.Context(), run.ID)
		row = result.Run
		return err == nil && row.State != app.EvalRunning
	})
	return row
}

func (s *story) Lab() app.LabState {
	s.t.Helper()
	state, err := s.app.LabState(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return state
}

func TestLab_ATurnBecomesATestThatWarnsOfAChange(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(townhall)
	s.Ask("How long is the Harlow Bridge?")
	s.FollowUp("expand", "And when was it opened?")
	test := s.AddToTests("in 1932")
	if test.Question != "And when was it opened?" || test.Kind != "elliptical" || len(test.History) != 2 ||
		test.History[0].Text != "How long is the Harlow Bridge?" {
		t.Errorf("%+v", test)
	}
	if state := s.Lab(); state.Tests.Count != 1 || len(state.Tests.Changes) != 0 || state.Tests.LastRun != "" {
		t.Errorf("%+v", state.Tests)
	}
	s.Set(map[string]string{"chat.engine": "expand", "retrieve.retriever": "bm25"})
	first := s.Measured(s.app.RunTests(t.Context()))
	if first.State != app.EvalFinished || first.Questions != 2 || !first.Personal {
		t.Errorf("%+v", first)
	}
	result, err := s.app.Evaluation(t.Context(), first.ID)
	if err != nil || len(result.Figures) == 0 || result.Figures[0].Engine != "expand" {
		t.Errorf("%v %+v", err, result)
	}
	s.Set(map[string]string{"chat.engine": "simple"})
	if changes := s.Lab().Tests.Changes; len(changes) != 1 || changes[0] != "chat.engine" {
		t.Errorf("the change is not offered: %v", changes)
	}
	s.Measured(s.app.RunTests(t.Context()))
	state := s.Lab().Tests
	if state.Worse != 1 || state.Better != 0 || !strings.Contains(string(state.Warning), "since you changed chat.engine: 1 of 1 questions are worse") ||
		len(state.Changes) != 0 {
		t.Errorf("%+v", state)
	}
	status, err := s.app.Status(t.Context())
	if err != nil || !strings.Contains(joinNotices(status), "Your own tests find less") {
		t.Errorf("%v %+v", err, status.Notices)
	}
	pair, err := s.app.CompareEvaluations(t.Context(), app.EvalPair{Before: string(state.Before), After: string(state.LastRun)})
	if err != nil || len(pair.Pairs) != 1 || pair.Pairs[0].Worse != 1 || pair.Pairs[0].Changed[0].Query != test.ID {
		t.Errorf("%v %+v", err, pair)
	}
	s.Restart()
	if again := s.Lab().Tests; again.Count != 1 || again.Warning != state.Warning {
		t.Errorf("after a restart: %+v", again)
	}
}

func joinNotices(s app.Status) string {
	var out []string
	for _, n := range s.Notices {
		out = append(out, n.Sentence)
	}
	return strings.Join(out, " ")
}

func TestLab_TestsAreChangedDeletedAndBroughtBack(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(townhall)
	s.Ask("How long is the Harlow Bridge?")
	test := s.AddToTests("320 metres")
	test.Question, test.Kind = "What is the length of the Harlow Bridge?", "topic_shift"
	if _, err := s.app.SaveTest(t.Context(), test); err != nil {
		t.Fatal(err)
	}
	all, err := s.app.Tests(t.Context())
	if err != nil || len(all) != 1 || all[0].Question != test.Question || all[0].Added != test.Added {
		t.Fatalf("%v %+v", err, all)
	}
	if err := s.app.DeleteTest(t.Context(), test.ID); err != nil {
		t.Fatal(err)
	}
	if n := s.Lab().Tests.Count; n != 0 {
		t.Errorf("%d tests are left", n)
	}
	if err := s.app.RestoreTest(t.Context(), test.ID); err != nil {
		t.Fatal(err)
	}
	if n := s.Lab().Tests.Count; n != 1 {
		t.Errorf("%d tests came back", n)
	}
	none, elsewhere, vague := test, test, test
	none.Passages = nil
	elsewhere.Passages = []app.TestPassage{{Hash: "unknown", Right: true}}
	vague.Kind = "vague"
	for _, wrong := range []app.OwnTest{none, elsewhere, vague, {Passages: test.Passages}, {ID: "x", Question: "Q", Passages: test.Passages}} {
		_, err := s.app.SaveTest(t.Context(), wrong)
		var known *rag.Error
		if !errors.As(err, &known) || known.Code != rag.CodeInvalidSetting || known.Hint == "" {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

func TestLab_WhatIsRestrictedIsNoTest(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(townhall)
	s.Ask("How long is the Harlow Bridge?")
	test := s.AddToTests("320 metres")
	done, _ := last[rag.Done](s)
	s.Restrict(s.Path("bridge.md"))
	draft, err := s.app.ProposeTest(t.Context(), *done.Turn)
	if err == nil {
		s.expectSilence("a draft", draft)
	}
	all, err := s.app.Tests(t.Context())
	if err != nil || len(all) != 1 || all[0].Problem == "" {
		t.Fatalf("%v %+v", err, all)
	}
	s.expectSilence("the passages of a test", all[0].Passages)
	if _, err := s.app.SaveTest(t.Context(), test); err == nil {
		t.Error("a restricted passage was chosen")
	}
	if _, err := s.app.RunTests(t.Context()); err == nil {
		t.Error("a test of restricted content was run")
	}
}

// questionSet writes a folder of sets with a small one of S1.
func questionSet(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "scifact")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"corpus.jsonl": `{"_id":"1","title":"Harlow Bridge","text":"The Harlow Bridge is 320 metres long."}` + "\n" +
			`{"_id":"2","title":"Boiler","text":"The boiler pressure must be 1.5 bar."}` + "\n",
		"queries.jsonl":  `{"_id":"1","text":"How long is the Harlow Bridge?"}` + "\n" + `{"_id":"2","text":"What must the boiler pressure be?"}` + "\n",
		"qrels_test.tsv": "1\t1\t1\n2\t2\t1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Dir(dir)
}

func TestLab_ARunIsKeptAndWritten(t *testing.T) {
	s := newStory(t, fake.Config{})
	if _, err := s.app.StartEvaluation(t.Context(), app.EvalRequest{Suites: []string{"S1"}}); err == nil || !strings.Contains(err.Error(),
		"The question sets are not there") {
		t.Errorf("without sets: %v", err)
	}
	if state := s.Lab(); state.Folder != "" || state.Suites[1].Lacks == "" || state.Shipped != "expand" {
		t.Errorf("%+v", state)
	}
	if err := s.app.SetLabFolder(t.Context(), filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a folder that is not there was taken")
	}
	if err := s.app.SetLabFolder(t.Context(), questionSet(t)); err != nil {
		t.Fatal(err)
	}
	if state := s.Lab(); state.Folder == "" || state.Suites[1].Name != "S1" || state.Suites[1].Lacks != "" {
		t.Errorf("%+v", state)
	}
	run, err := s.app.StartEvaluation(t.Context(), app.EvalRequest{Suites: []string{"S1"}, Engines: []string{"simple"}, Retrievers: []string{"bm25"}})
	row := s.Measured(run, err)
	if row.State != app.EvalFinished || row.Questions != 2 || row.Personal {
		t.Errorf("%+v", row)
	}
	for _, format := range []string{"csv", "html"} {
		text, err := s.app.ExportEvaluation(t.Context(), app.EvalExport{ID: run.ID, Format: format})
		if err != nil || !strings.Contains(text, "scifact") {
			t.Errorf("%s: %v %.100s", format, err, text)
		}
	}
	if _, err := s.app.ExportEvaluation(t.Context(), app.EvalExport{ID: run.ID, Format: "pdf"}); err == nil {
		t.Error("written as pdf")
	}
	if _, err := s.app.ResumeEvaluation(t.Context(), run.ID); err == nil {
		t.Error("a finished run went on")
	}
	// A kill after the first question: the run goes on with the second.
	path := filepath.Join(s.config.DataDir, "lab", run.ID+".jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(raw), "\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines[:3], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if runs := s.Lab().Runs; len(runs) != 1 || runs[0].State != app.EvalStopped || runs[0].Questions != 1 {
		t.Errorf("%+v", runs)
	}
	if half, err := s.app.Evaluation(t.Context(), run.ID); err != nil || len(half.Figures) == 0 {
		t.Errorf("the figures so far: %v %+v", err, half)
	}
	on, err := s.app.ResumeEvaluation(t.Context(), run.ID)
	if row := s.Measured(on, err); row.State != app.EvalFinished || row.Questions != 2 {
		t.Errorf("%+v", row)
	}
	if err := s.app.StopEvaluation(t.Context(), run.ID); err != nil {
		t.Errorf("stopping what has ended: %v", err)
	}
	for _, id := range []string{"", "..", "2026-01-01T000000.000", "../chats"} {
		if _, err := s.app.Evaluation(t.Context(), id); err == nil {
			t.Errorf("there is a run %q", id)
		}
	}
}

func TestLab_ARunCanBeStoppedAndHoldsUpNothing(t *testing.T) {
	asked := make(chan struct{}, 1)
	s := newStory(t, fake.Config{Step: func(ctx context.Context, step fake.Step) error {
		if step.Role == inference.RoleCondense && step.Phase == fake.PhaseDecode {
			select {
			case asked <- struct{}{}:
			default:
			}
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}})
	s.AddFolder(townhall)
	s.Ask("How long is the Harlow Bridge?")
	s.FollowUp("expand", "And when was it opened?")
	s.AddToTests("in 1932")
	s.Set(map[string]string{"chat.engine": "condense_context", "condense.timeout": "1m"})
	notices, quit := context.WithCancel(t.Context())
	defer quit()
	ends, watching := make(chan app.EvalRun, 4), make(chan struct{}, 1)
	go func() {
		_ = s.app.Watch(notices, func(n app.Notice) { // ends with the test
			select {
			case watching <- struct{}{}:
			default:
			}
			if n.Evaluation != nil && n.Evaluation.State != app.EvalRunning {
				ends <- *n.Evaluation
			}
		})
	}()
	s.Eventually("somebody to watch", 10*time.Second, func() bool {
		s.Set(map[string]string{"condense.timeout": "1m"}) // is told to whoever watches
		return len(watching) > 0
	})
	run, err := s.app.RunTests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	_, err = s.app.RunTests(t.Context())
	var known *rag.Error
	if !errors.As(err, &known) || known.Code != rag.CodeLibraryBusy {
		t.Errorf("two at once: %v", err)
	}
	if runs := s.Lab().Runs; len(runs) != 1 || runs[0].State != app.EvalRunning || runs[0].Progress == nil {
		t.Errorf("%+v", runs)
	}
	if err := s.app.StopEvaluation(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if runs := s.Lab().Runs; runs[0].State != app.EvalStopped || runs[0].Sentence != "Stopped. What was measured is kept." {
		t.Errorf("%+v", runs)
	}
	if end := <-ends; end.ID != run.ID || end.State != app.EvalStopped {
		t.Errorf("%+v", end)
	}
	if _, err := s.app.RunTests(t.Context()); err != nil { // the place is free, and closing ends it
		t.Error(err)
	}
}
