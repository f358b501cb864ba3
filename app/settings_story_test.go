package app_test

import (
	"errors"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// value is a setting as the panel shows it.
func (s *story) value(key string) app.Setting {
	s.t.Helper()
	all, err := s.app.Settings(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, v := range all {
		if v.Key == key {
			return v
		}
	}
	s.t.Fatalf("there is no setting %s", key)
	return app.Setting{}
}

func TestP65_PrecedenceInTheWholeProgram(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	used := func(engine string) string {
		t.Helper()
		p, err := s.app.Prepare(t.Context(), app.AskRequest{Question: "When was it opened?", Engine: engine, History: []rag.Message{{Role: "user", Text: howLong}}})
		if err != nil {
			t.Fatal(err)
		}
		return p.Engine
	}
	if got := used(""); got != "expand" {
		t.Errorf("by default: %s", got)
	}
	s.Set(map[string]string{"chat.engine": "blend"})
	if got := used(""); got != "blend" {
		t.Errorf("stored: %s", got)
	}
	t.Setenv("REFERENT_CHAT_ENGINE", "condense_context")
	s.Restart()
	if got := used(""); got != "condense_context" {
		t.Errorf("from the environment: %s", got)
	}
	if v := s.value("chat.engine"); v.Source != "environment" || v.Environment != "REFERENT_CHAT_ENGINE" || !strings.Contains(string(v.Notice), "blend") {
		t.Errorf("%+v", v)
	}
	if got := used("simple"); got != "simple" {
		t.Errorf("from the request: %s", got)
	}
	t.Setenv("REFERENT_CHAT_ENGINE", "clever")
	s.Restart()
	if got := used(""); got != "blend" {
		t.Errorf("behind an environment that is not allowed: %s", got)
	}
	status, err := s.app.Status(t.Context())
	if err != nil || len(status.Notices) != 1 || !strings.Contains(status.Notices[0].Sentence, "REFERENT_CHAT_ENGINE") {
		t.Errorf("%+v, %v", status.Notices, err)
	}
	if err := s.app.ResetSetting(t.Context(), "chat.engine"); err != nil {
		t.Fatal(err)
	}
	if got := used(""); got != "expand" {
		t.Errorf("after a reset: %s", got)
	}
}

func TestP19_TheKillSwitchBeatsEveryEngine(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Set(map[string]string{"condense.enabled": "false"})
	s.Ask(howLong)
	before := s.models.rewrites()
	for engine, want := range map[string]rag.RewriteStatus{"expand": rag.StatusDisabled, "condense_context": rag.StatusDisabled, "blend": rag.StatusDisabled,
		"simple": rag.StatusVerbatimEngine} {
		s.FollowUp(engine, "When was it opened?")
		s.ExpectSearchedYourWords(want)
		if p := s.Prepared(); p.Engine != engine || p.ModelCalls != 0 {
			t.Errorf("%+v", p)
		}
	}
	if s.models.rewrites() != before {
		t.Error("a model was asked to rewrite")
	}
	s.conversation = nil
	s.FollowUp("condense_context", "When was it opened?")
	s.ExpectSearchedYourWords(rag.StatusNoHistory)
}

func TestP65_AChangeIsTakenAsAWholeOrNotAtAll(t *testing.T) {
	s := newStory(t, fake.Config{})
	err := s.app.SetSettings(t.Context(), map[string]string{"retrieve.k": "5", "chat.mode": "poem"})
	if !errors.Is(err, &rag.Error{Code: rag.CodeInvalidSetting}) {
		t.Fatalf("%v", err)
	}
	if v := s.value("retrieve.k"); v.Value != "8" || v.Source != "default" {
		t.Errorf("%+v", v)
	}
	s.Set(map[string]string{"retrieve.k": "1"})
	s.AddFolder(town)
	s.Restart()
	if got := s.Found(app.AskRequest{Question: "boiler bridge dogs garden"}); len(got) != 1 {
		t.Errorf("retrieve.k is 1, found %v", got)
	}
	if got := s.Found(app.AskRequest{Question: "boiler bridge dogs garden", Set: map[string]string{"retrieve.k": "2"}}); len(got) != 2 {
		t.Errorf("retrieve.k is 2 for this search, found %v", got)
	}
}

// An explicit reranker that is not there is an error; a stored one falls to
// hybrid and says so.
func TestStory_AStoredRerankerThatIsNotThereFallsToHybrid(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Set(map[string]string{"retrieve.retriever": "reranked"})
	result, err := s.app.Search(t.Context(), app.AskRequest{Question: howLong})
	if err != nil || result.Retriever != "hybrid" || !strings.Contains(strings.Join(result.Notes, " "), "reranked") {
		t.Errorf("%s, notes %q, %v", result.Retriever, result.Notes, err)
	}
	s.Ask(howLong)
	if status, err := s.app.Status(t.Context()); err != nil || len(status.Notices) != 1 || !strings.Contains(status.Notices[0].Sentence, "hybrid") {
		t.Errorf("%+v, %v", status.Notices, err)
	}
	s.ExpectFails(app.AskRequest{Question: howLong, Retriever: "reranked"}, rag.CodeNoModel)
}

func TestP30_AnAlphaForAnotherEngineWarnsOnce(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Set(map[string]string{"blend.alpha": "0.3"})
	s.Ask(howLong)
	s.FollowUp("condense_context", "When was it opened?")
	if w := s.Prepared().Warnings; len(w) != 0 {
		t.Errorf("a stored alpha warns: %q", w)
	}
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: "When was it opened?", Engine: "condense_context", Conversation: s.conversation,
		Set: map[string]string{"blend.alpha": "0.3"}}); err != nil {
		t.Fatal(err)
	}
	if w := s.Prepared().Warnings; len(w) != 1 || !strings.Contains(w[0], "blend") {
		t.Errorf("%q", w)
	}
}

func TestStory_AModelSettingTakesEffectAtTheNextQuestion(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	s.Set(map[string]string{"model.gpu_layers": "7", "model.context": "2048"})
	s.Ask(howLong)
	loads := 0
	for _, c := range s.models.Calls() {
		if c.Kind != "load" || c.Role != "answer" {
			continue
		}
		if loads++; loads == 2 && (c.Spec.GPULayers != 7 || c.Spec.Context != 2048 || len(c.Spec.Roles) != 2) {
			t.Errorf("%+v", c.Spec)
		}
	}
	if loads != 2 {
		t.Errorf("%d loads", loads)
	}
	if err := s.app.LoadModel(t.Context(), "answer", "smollm2-135m-instruct-q4_1"); !errors.Is(err, &rag.Error{Code: rag.CodeNoModel}) {
		t.Errorf("a model that is not installed: %v", err)
	}
	if err := s.app.LoadModel(t.Context(), "embed", "qwen2.5-coder-1.5b-instruct-q4_k_m"); !errors.Is(err, &rag.Error{Code: rag.CodeNoModel}) || !strings.Contains(err.Error(), "does not play") {
		t.Errorf("a model in a role that it cannot play: %v", err)
	}
}
