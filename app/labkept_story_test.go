package app_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// jsonLines writes a file of one object a line.
func jsonLines(t *testing.T, path string, rows ...any) {
	t.Helper()
	var b strings.Builder
	for _, row := range rows {
		if err := json.NewEncoder(&b).Encode(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(b.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
}

type object = map[string]any

// followUps is a folder of sets on which expand closes the gap of S5, and with S8
// and S9.
func followUps(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	jsonLines(t, filepath.Join(dir, "canard", "spans_corpus.jsonl"),
		object{"id": "1", "title": "Harlow", "section": "Bridge", "text": "Opened by the mayor in 1932 with fireworks."},
		object{"id": "2", "title": "Boiler", "section": "Valve", "text": "The valve was opened."},
		object{"id": "3", "title": "Library", "section": "Hours", "text": "Closed on Monday."})
	jsonLines(t, filepath.Join(dir, "canard", "spans_queries.jsonl"),
		object{"id": "q", "turn": 2, "title": "Harlow", "section": "Bridge", "history": []object{{"user": "How long is the bridge of Harlow?", "assistant": "It is 320 metres long."}},
			"question": "And when did they celebrate it?", "human_rewrite": "When was the bridge of Harlow opened?", "relevant": []string{"1"}})
	passage := func(id, text string) object {
		return object{"id": id, "input": "How long is the Harlow Bridge?", "passages": []object{{"title": "Harlow Bridge", "text": text}},
			"output": []object{{"answer": "320 metres", "selected_sentences": []string{text}}}}
	}
	jsonLines(t, filepath.Join(dir, "clapnq_dev", "clapnq_dev_answerable.jsonl"), passage("a", "The Harlow Bridge is 320 metres long."))
	no := passage("b", "The valve was opened in spring.")
	no["output"] = []object{{"answer": ""}}
	jsonLines(t, filepath.Join(dir, "clapnq_dev", "clapnq_dev_unanswerable.jsonl"), no)
	return dir
}

// What a terminal measures counts as what a window does.
func TestLab_ARunOfATerminalKeepsItsVerdicts(t *testing.T) {
	s := newStory(t, fake.Config{})
	elsewhere := filepath.Join(t.TempDir(), "run.jsonl")
	report, err := s.app.Evaluate(t.Context(), app.EvalRequest{Suites: []string{"S5", "S8", "S9"}, Sets: followUps(t), Engines: []string{"simple", "expand"},
		Retrievers: []string{"bm25"}, Out: elsewhere}, nil)
	if err != nil || report.Verdict.Engine == "" || report.Mode.Mode == "" {
		t.Fatalf("%v %+v %+v", err, report.Verdict, report.Mode)
	}
	state := s.Lab()
	if len(state.Verdicts) != 1 || state.Verdicts[0].Run != elsewhere || state.Verdicts[0].Class != state.Class || state.Verdicts[0].Verdict.Engine != report.Verdict.Engine {
		t.Errorf("%+v", state.Verdicts)
	}
	if len(state.Modes) != 1 || state.Modes[0].Run != elsewhere || state.Modes[0].Class != state.Answers || state.Modes[0].Verdict.Mode != report.Mode.Mode {
		t.Errorf("%+v", state.Modes)
	}
	result, err := s.app.Evaluation(t.Context(), elsewhere)
	if err != nil || result.Verdict.Engine != report.Verdict.Engine || result.Mode.Mode != report.Mode.Mode || result.Run.State != app.EvalFinished {
		t.Errorf("%v %+v", err, result)
	}
	// A run in the data folder has its short name; what is judged anew keeps nothing.
	if _, err := s.app.Evaluate(t.Context(), app.EvalRequest{Suites: []string{"S5"}, Sets: followUps(t), Engines: []string{"simple", "expand"}, Retrievers: []string{"bm25"}}, nil); err != nil {
		t.Fatal(err)
	}
	if state = s.Lab(); len(state.Runs) != 1 || state.Verdicts[0].Run != state.Runs[0].ID {
		t.Errorf("%+v %+v", state.Verdicts, state.Runs)
	}
	again := filepath.Join(t.TempDir(), "again.jsonl")
	if _, err := s.app.Evaluate(t.Context(), app.EvalRequest{Suites: []string{"S8", "S9", "S5"}, Sets: followUps(t), Engines: []string{"simple", "expand"},
		Retrievers: []string{"bm25"}, Replay: elsewhere, Out: again}, nil); err != nil {
		t.Fatal(err)
	}
	if later := s.Lab(); later.Verdicts[0].Run != state.Verdicts[0].Run || later.Modes[0].Run != elsewhere {
		t.Errorf("%+v %+v", later.Verdicts, later.Modes)
	}
}

// The mode that is decided for good is what "auto" takes; a provisional one is not.
func TestLab_AutoTakesTheModeThatIsDecided(t *testing.T) {
	s := newStory(t, fake.Config{Match: func(inference.Role, inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Text: "The Harlow Bridge is 320 metres long [1]."}, true
	}})
	s.AddFolder(townhall)
	decided := func(mode string, missing ...string) {
		jsonLines(t, filepath.Join(s.config.DataDir, "lab", "modes.json"), []object{{"class": s.Lab().Answers, "verdict": object{"mode": mode, "missing": missing, "candidates": []string{}}}})
	}
	status := func() rag.CheckStatus {
		s.Ask("How long is the Harlow Bridge?")
		done, _ := last[rag.Done](s)
		return done.AnswerCheck.Status
	}
	if got := status(); got == rag.CheckQuoted {
		t.Fatalf("nothing is decided, and it is %s", got)
	}
	decided("quote", "20 answers with a number")
	if got := status(); got == rag.CheckQuoted {
		t.Errorf("what is provisional is used: %s", got)
	}
	decided("quote")
	if got := status(); got != rag.CheckQuoted {
		t.Errorf("what is decided is not used: %s", got)
	}
	s.Set(map[string]string{"chat.mode": "generate"})
	if got := status(); got == rag.CheckQuoted {
		t.Errorf("the setting does not count: %s", got)
	}
}

// Runs, verdicts and own tests come back with a backup, on another computer too.
func TestLab_IsPartOfABackup(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(townhall)
	s.Ask("How long is the Harlow Bridge?")
	test := s.AddToTests("320 metres")
	run := s.Measured(s.app.RunTests(t.Context()))
	backup := filepath.Join(t.TempDir(), "copy.zip")
	if err := s.app.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := s.app.DeleteTest(t.Context(), test.ID); err != nil {
		t.Fatal(err)
	}
	other := newStory(t, fake.Config{})
	other.close()
	restored, err := app.Restore(t.Context(), other.config.DataDir, backup)
	if err != nil {
		t.Fatal(err)
	}
	other.open()
	state := other.Lab()
	all, err := other.app.Tests(t.Context())
	if err != nil || len(all) != 1 || all[0].Question != test.Question || len(state.Runs) != 1 || state.Runs[0].ID != run.ID {
		t.Errorf("%v %+v %+v", err, all, state.Runs)
	}
	if _, err := os.Stat(filepath.Join(restored.Before, "chats.db")); err != nil {
		t.Error(err)
	}
}

// A document that is forgotten leaves no word in own tests and their runs.
func TestLab_ForgetsADocument(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(townhall)
	s.Ask("How long is the Harlow Bridge?")
	s.FollowUp("expand", "And when was it opened?")
	s.AddToTests("in 1932")
	s.Set(map[string]string{"chat.engine": "expand", "retrieve.retriever": "bm25"})
	s.Measured(s.app.RunTests(t.Context()))
	boiler := s.Path("boiler.md")
	if err := s.app.Remove(t.Context(), app.RemoveRequest{Paths: []string{boiler}, Forget: true}); err != nil {
		t.Fatal(err)
	}
	if n := s.Lab().Tests.Count; n != 1 {
		t.Fatalf("%d tests after another file was forgotten", n)
	}
	if err := s.app.Remove(t.Context(), app.RemoveRequest{Paths: []string{s.Path("bridge.md")}, Forget: true}); err != nil {
		t.Fatal(err)
	}
	if n := s.Lab().Tests.Count; n != 0 {
		t.Errorf("%d tests are left", n)
	}
	err := filepath.WalkDir(filepath.Join(s.config.DataDir, "lab"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, word := range []string{"320 metres", "in 1932", "mayor", "Harlow"} { // the question said none of them but through expand; bare digits may be of a time or a hash
			if strings.Contains(string(raw), word) {
				t.Errorf("%s still says %q", path, word)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
