package app_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// P-32: a history that is absent, null or empty is the same: prompt, answer and
// sources of an answered, a refused, a compared, a document-level and a quoted
// question are equal byte for byte, with the history of answers on.
func TestP32_AbsentNullAndEmptyAreTheSame(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Set(map[string]string{"chat.history": "4"})
	for _, c := range []struct{ name, question, mode string }{
		{"answered", howLong, "generate"},
		{"refused", "Who is the pope of Rome?", "generate"},
		{"comparison", "Compare the Harlow Bridge and the boiler pressure", "generate"},
		{"document", "What is the boiler manual about?", "generate"},
		{"quote", howLong, "quote"},
		{"strict", howLong, "strict"},
	} {
		var seen []string
		for _, history := range []string{"", `,"history":null`, `,"history":[]`} {
			var req app.AskRequest
			text := fmt.Sprintf(`{"question":%q,"mode":%q,"given_history":true,"engine":"condense_context"%s}`, c.question, c.mode, history)
			if err := json.Unmarshal([]byte(text), &req); err != nil {
				t.Fatal(err)
			}
			before := len(s.models.Calls())
			done, err := s.AskWith(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			retrieval, _ := last[rag.Retrieval](s)
			var prompts []any
			for _, call := range s.models.Calls()[before:] {
				if call.Kind == "generate" && call.Request.MaxTokens > 1 {
					prompts = append(prompts, call.Request)
				}
			}
			seen = append(seen, asJSON(t, []any{prompts, done.Answer, done.Sources, done.Citations, done.AnswerCheck, retrieval.Hits, s.Prepared().SearchQueries}))
		}
		if seen[0] != seen[1] || seen[0] != seen[2] {
			t.Errorf("%s: %s\n%s", c.name, firstDifference(seen[1], seen[0]), firstDifference(seen[2], seen[0]))
		}
	}
}
