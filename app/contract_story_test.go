package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"referent/app"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/rag"
)

// installReranker puts an empty file of the right size where a model that judges
// passages would be.
func (s *story) installReranker() {
	s.t.Helper()
	for _, e := range catalogue.All() {
		if slices.Contains(e.Roles, inference.RoleRerank) {
			f, err := os.Create(filepath.Join(s.config.CacheDir, "models", e.File))
			if err == nil {
				err = errors.Join(f.Truncate(e.Bytes), f.Close())
			}
			if err != nil {
				s.t.Fatal(err)
			}
			return
		}
	}
	s.t.Fatal("the catalogue has no reranker")
}

// A rewrite is what is embedded, what is looked up by words and what the reranker
// judges; the answer model is asked the person's words.
func TestP17_TheRewriteFeedsBothLegsAndTheReranker(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.installReranker()
	s.Restart()
	s.AddFolder(town)
	s.Ask(howLong)
	before := len(s.models.Calls())
	const question = "When was it opened?"
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: question, Engine: "condense_context", Retriever: "reranked", Conversation: s.conversation}); err != nil {
		t.Fatal(err)
	}
	p := s.Prepared()
	if p.Status != rag.StatusRewritten || !strings.Contains(p.SearchQuery, "Harlow Bridge") {
		t.Fatalf("%+v", p)
	}
	embedded, judged := 0, 0
	for _, c := range s.models.Calls()[before:] {
		switch {
		case c.Kind == "embed" && c.TextKind == inference.KindQuery:
			embedded++
			if !slices.Equal(c.Texts, []string{p.SearchQuery}) {
				t.Errorf("embedded %q, not the rewrite %q", c.Texts, p.SearchQuery)
			}
		case c.Kind == "rerank":
			judged++
			if c.Texts[0] != p.SearchQuery {
				t.Errorf("the reranker judges by %q, not by the rewrite %q", c.Texts[0], p.SearchQuery)
			}
		}
	}
	if embedded == 0 || judged == 0 {
		t.Errorf("%d embeddings of queries, %d calls of the reranker", embedded, judged)
	}
	// The passage on the length says nothing of the question's only word, “opened”:
	// by words it is found for those of the rewrite.
	byWords := false
	retrieval, _ := last[rag.Retrieval](s)
	for _, h := range retrieval.Hits {
		if h.Trace.Rerank == nil {
			t.Errorf("%s was not judged", h.Title)
		}
		byWords = byWords || h.Trace.BM25 != nil && strings.Contains(h.Text, "320 metres") && !strings.Contains(h.Text, "opened")
	}
	if !byWords {
		t.Errorf("no hit by the words of the rewrite: %+v", retrieval.Hits)
	}
	prompts := s.models.answerPrompts()
	if asked := prompts[len(prompts)-1]; !strings.HasSuffix(asked, "Question: "+question) {
		t.Errorf("the answer model was asked %q", asked)
	}
}

// The weight and the messages that a blend used are in the event, as the front
// reads it, and in the stored turn.
func TestP28_TheWeightAndTheMessagesAreToldAndKept(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	for alpha, want := range map[string]string{"": "0.7", "0.4": "0.4"} {
		set := map[string]string{}
		if alpha != "" {
			set["blend.alpha"] = alpha
		}
		if _, err := s.AskWith(t.Context(), app.AskRequest{Question: "When was it opened?", Engine: "blend", Set: set, Conversation: s.conversation}); err != nil {
			t.Fatal(err)
		}
		turns := s.Reloaded().Turns
		for name, p := range map[string]rag.Prepared{"event": s.Prepared(), "stored": turns[len(turns)-1].Prepared} {
			b, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{`"status":"blended"`, `"alpha":` + want, `"history_messages_used":2`, `"search_query":null`} {
				if !strings.Contains(string(b), part) {
					t.Errorf("α %q, %s: %s is not in %s", alpha, name, part, b)
				}
			}
		}
	}
}

// A conversation of 200 turns and a question of 10,000 characters on the real
// index: nothing fails, and what an engine adds stays small.
func TestR023_AHugeConversationAndQuestionOnTheRealIndex(t *testing.T) {
	var history []rag.Message
	for i := range 200 {
		history = append(history, rag.Message{Role: "user", Text: fmt.Sprintf("Question %d about the Harlow Bridge, AND (its OR \"%s\") NOT closed*?", i, strings.Repeat("more ", 50))},
			rag.Message{Role: "assistant", Text: "An answer."})
	}
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	for _, engine := range []string{"simple", "expand", "condense_context", "blend", "research"} {
		for _, question := range []string{"How long is it?", strings.Repeat("How long is the Harlow Bridge, word by word? ", 10_000/45+1)[:10_000]} {
			if _, err := s.AskWith(t.Context(), app.AskRequest{Question: question, Engine: engine, Mode: "quote", History: history, GivenHistory: true}); err != nil {
				t.Errorf("%s, %d characters: %v", engine, len(question), err)
				continue
			}
			for _, text := range s.Prepared().SearchQueries {
				if n := len([]rune(text)); n > len(question)+512 {
					t.Errorf("%s searches %d characters for a question of %d", engine, n, len(question))
				}
			}
		}
	}
}

// The third turn fails. It is in the log of runs with its code, in no history and
// no reload; the fourth knows the first two.
func TestR087_TheTurnAfterAFailedOneKnowsTheFirstTwo(t *testing.T) {
	var fails atomic.Bool
	s := newStory(t, fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Err: errors.New("strange")}, fails.Load() && role == inference.RoleAnswer && req.MaxTokens > 1
	}})
	s.AddFolder(town)
	s.Ask(howLong)
	s.FollowUp("condense_context", "When was it opened?")
	fails.Store(true)
	s.ExpectFails(app.AskRequest{Question: "Was the Harlow Bridge opened in 1932, Millwright?", Conversation: s.conversation}, rag.CodeModelFailed)
	if run := s.LastRun(); run.Code != app.Optional(rag.CodeModelFailed) || run.Turn != nil || run.Conversation == nil || *run.Conversation != *s.conversation {
		t.Errorf("the failed turn is not marked: %+v", run)
	}
	fails.Store(false)
	s.Restart()
	s.FollowUp("condense_context", "And by whom was it opened?")
	if p := s.Prepared(); p.HistoryMessagesUsed != 4 || p.Status != rag.StatusRewritten {
		t.Errorf("%+v", p)
	}
	rewritten := ""
	for _, c := range s.models.Calls() {
		if c.Kind == "generate" && c.Role == inference.RoleCondense && c.Request.MaxTokens > 1 {
			rewritten = fmt.Sprint(c.Request.Messages, c.Request.Completion)
		}
	}
	if strings.Contains(rewritten, "Millwright") || !strings.Contains(rewritten, howLong) || !strings.Contains(rewritten, "When was it opened?") {
		t.Errorf("the rewrite saw %s", rewritten[max(0, len(rewritten)-400):])
	}
	turns := s.Reloaded().Turns
	if len(turns) != 3 || turns[2].Question != "And by whom was it opened?" {
		t.Errorf("%d turns", len(turns))
	}
}

// The log of runs holds ids, codes and times: no word of a question, a rewrite, a
// passage or an answer.
func TestP66_TheLogOfRunsHoldsNoText(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	s.FollowUp("condense_context", "When was it opened?")
	s.FollowUp("expand", "And by whom was it opened?")
	s.FollowUp("", "Who is the pope?")
	runs, err := s.app.Runs(t.Context(), 10)
	if err != nil || len(runs) != 4 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	log := strings.ToLower(asJSON(t, runs))
	for _, word := range []string{"harlow", "bridge", "metres", "opened", "1932", "mayor", "pope", "when", ".md"} {
		if strings.Contains(log, word) {
			t.Errorf("the log holds %q: %s", word, log)
		}
	}
}

// A cited span is the text of the document at its place, in every kind of file
// that tells a place: here by page and by heading.
func TestR091_ACitedSpanIsWhatTheDocumentSaysAtThatPlace(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	for question, want := range map[string]string{howLong: "320 metres", "What must the boiler pressure be?": "1.5 bar", "On which days is the garden watered?": "Monday"} {
		done := s.Ask(question)
		if len(done.Citations) == 0 {
			t.Errorf("%q: no citation in %q", question, done.Answer)
		}
		for _, c := range done.Citations {
			i := slices.IndexFunc(s.Hits(), func(h rag.Hit) bool { return h.Chunk == c.Chunk && h.N == c.N })
			if i < 0 {
				t.Fatalf("%q cites a passage that is no evidence: %+v", question, c)
			}
			h := s.Hits()[i]
			span := string([]rune(h.Text)[c.Start:c.End])
			text, err := s.app.DocumentText(t.Context(), h.Document)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(text.Parts, func(p app.Part) bool { return p.ContentHash == h.ContentHash })
			if at < 0 {
				t.Fatalf("%s has no part %s", h.Path, h.ContentHash)
			}
			whole, part := []rune(text.Text), text.Parts[at]
			if got := string(whole[part.Start+c.Start : part.Start+c.End]); got != span || !strings.Contains(span, want) {
				t.Errorf("%q cites %q; %s says %q there", question, span, h.Path, got)
			}
			if part.Locator.Page != h.Locator.Page || part.Locator.LineFrom != h.Locator.LineFrom || string(part.Heading) != h.Heading {
				t.Errorf("%q: the citation names %+v %q, the document %+v %q", question, h.Locator, h.Heading, part.Locator, part.Heading)
			}
		}
	}
}

// A passage that stood in the prompt as a stub is shown whole by a click on it, also
// after a restart.
func TestP51_AStubIsOpenedByAClick(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(map[string]string{"bridge.md": "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long. " + strings.Repeat("It is painted every spring by the volunteers of the parish. ", 6) + "\n"})
	s.Ask(howLong)
	chunk, whole := s.Hits()[0].Chunk, s.Hits()[0].Text
	if err := s.app.SetPassageClass(t.Context(), chunk, string(rag.ClassTransient)); err != nil {
		t.Fatal(err)
	}
	s.Set(map[string]string{"compress.enabled": "true", "compress.keep_top": "0"})
	s.Ask(howLong)
	h := s.Hits()[0]
	if h.Chunk != chunk || h.Text != whole || h.Strategy != rag.StrategyStub || h.Rendered != fmt.Sprintf("[stub: passage=%d class=transient]", chunk) {
		t.Fatalf("%+v", h)
	}
	s.Restart()
	if p, err := s.app.Passage(t.Context(), chunk); err != nil || p.Text != whole {
		t.Errorf("%+v, %v", p, err)
	}
}
