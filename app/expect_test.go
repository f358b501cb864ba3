package app_test

import (
	"slices"
	"strings"
	"time"

	"referent/app"
	"referent/rag"
)

// ExpectSearchedFor expects that the last turn searched a text with these words
// in place of the question.
func (s *story) ExpectSearchedFor(words ...string) {
	s.t.Helper()
	p := s.Prepared()
	searched := strings.ToLower(strings.Join(p.SearchQueries, " "))
	for _, w := range words {
		if !strings.Contains(searched, strings.ToLower(w)) {
			s.t.Errorf("searched for %q (%s %s), without %q", p.SearchQueries, p.Status, p.Reason, w)
		}
	}
}

// ExpectSearchedYourWords expects that the question itself was searched, and why.
func (s *story) ExpectSearchedYourWords(status rag.RewriteStatus) {
	s.t.Helper()
	p := s.Prepared()
	if p.Status != status || p.SearchQuery != "" || !slices.Equal(p.SearchQueries, []string{p.OriginalQuery}) {
		s.t.Errorf("status %s, search query %q, searched %q; want the words %q with status %s", p.Status, p.SearchQuery, p.SearchQueries, p.OriginalQuery, status)
	}
}

// Cites tells whether the last answer has a checked citation of a passage that
// holds the words: of
// that file, on that page where one is named.
func (s *story) Cites(file string, page int, words string) bool {
	s.t.Helper()
	done, _ := last[rag.Done](s)
	retrieval, _ := last[rag.Retrieval](s)
	for _, c := range done.Citations {
		for _, h := range retrieval.Hits {
			if h.Chunk != c.Chunk || h.N != c.N || !strings.HasSuffix(h.Path, file) {
				continue
			}
			if page > 0 && h.Locator.Page != page && (h.Locator.Page > page || h.Locator.PageTo < page) {
				continue
			}
			if text := []rune(h.Text); c.Start < 0 || c.Start >= c.End || c.End > len(text) {
				s.t.Errorf("the cited span %d to %d is not in a text of %d", c.Start, c.End, len(text))
			}
			if strings.Contains(fold(h.Text), fold(words)) {
				return true
			}
		}
	}
	return false
}

// ExpectCited fails unless the last answer cites a place that holds the words.
func (s *story) ExpectCited(file string, page int, words string) {
	s.t.Helper()
	if !s.Cites(file, page, words) {
		done, _ := last[rag.Done](s)
		s.t.Errorf("the answer %q cites %+v; want %s page %d with %q", done.Answer, done.Sources, file, page, words)
	}
}

// ExpectEvidence fails unless the model was given a place that holds the words.
func (s *story) ExpectEvidence(file string, page int, words string) {
	s.t.Helper()
	retrieval, _ := last[rag.Retrieval](s)
	for _, h := range retrieval.Hits {
		onPage := page == 0 || h.Locator.Page == page || h.Locator.Page < page && page <= h.Locator.PageTo
		if h.Packing == rag.Packed && strings.HasSuffix(h.Path, file) && onPage && strings.Contains(fold(h.Text), fold(words)) {
			return
		}
	}
	s.t.Errorf("the evidence does not hold %s page %d with %q", file, page, words)
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// ExpectRefused expects the fixed refusal: no sources, no model asked.
func (s *story) ExpectRefused() {
	s.t.Helper()
	done, ok := last[rag.Done](s)
	if !ok || done.AnswerCheck.Status != rag.CheckRefused || len(done.Citations)+len(done.Sources) > 0 {
		s.t.Errorf("want a refusal, got %+v", done)
	}
}

// Found returns the paths that a search finds, best first.
func (s *story) Found(req app.AskRequest) []string {
	s.t.Helper()
	result, err := s.app.Search(s.t.Context(), req)
	if err != nil {
		s.t.Fatalf("searching %q: %v", req.Question, err)
	}
	paths := []string{}
	for _, h := range result.Hits {
		paths = append(paths, h.Path)
	}
	return paths
}

// finds tells whether a search finds a file.
func (s *story) finds(question, file string) bool {
	s.t.Helper()
	return slices.ContainsFunc(s.Found(app.AskRequest{Question: question}), func(p string) bool { return strings.HasSuffix(p, file) })
}

// Eventually waits for a condition that the program brings about by itself.
func (s *story) Eventually(what string, limit time.Duration, ok func() bool) {
	s.t.Helper()
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-deadline.C:
			s.t.Fatalf("%s did not happen within %v", what, limit)
		case <-again.C:
		}
	}
}

// Restrict takes a file, a folder or a collection out of every search.
func (s *story) Restrict(path string) {
	s.t.Helper()
	if err := s.app.SetLabel(s.t.Context(), path, string(rag.LabelRestricted)); err != nil {
		s.t.Fatal(err)
	}
}

// Set stores settings.
func (s *story) Set(change map[string]string) {
	s.t.Helper()
	if err := s.app.SetSettings(s.t.Context(), change); err != nil {
		s.t.Fatal(err)
	}
}

// Reloaded is the story's conversation as it comes back from the data folder.
func (s *story) Reloaded() app.ConversationDetail {
	s.t.Helper()
	if s.conversation == nil {
		s.t.Fatal("there is no conversation")
	}
	detail, err := s.app.Conversation(s.t.Context(), *s.conversation)
	if err != nil {
		s.t.Fatal(err)
	}
	return detail
}

// ExpectConversations expects so many on the list and returns them.
func (s *story) ExpectConversations(n int) []app.Conversation {
	s.t.Helper()
	all, err := s.app.Conversations(s.t.Context(), 0)
	if err != nil || len(all) != n {
		s.t.Fatalf("%d conversations, want %d: %v", len(all), n, err)
	}
	return all
}

// LastRun is the newest line of the run log.
func (s *story) LastRun() app.Run {
	s.t.Helper()
	runs, err := s.app.Runs(s.t.Context(), 1)
	if err != nil || len(runs) == 0 {
		s.t.Fatalf("no run: %v", err)
	}
	return runs[0]
}
