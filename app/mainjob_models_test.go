//go:build models

package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"referent/app"
	"referent/rag"
	"referent/rag/engine"
	"referent/rag/lab"
)

// realLibrary is the sample library in a program on real models, opened and
// embedded once for all tests. One thread, so that other work goes on.
var realLibrary = sync.OnceValues(func() (*app.App, error) {
	dir, err := os.MkdirTemp("", "referent-mainjob")
	if err != nil {
		return nil, err
	}
	// Latency is recorded and not judged here, and the evidence does not depend on
	// how fast the machine reads just now.
	for key, value := range map[string]string{"REFERENT_CONDENSE_TIMEOUT": "60s", "REFERENT_EVIDENCE_BUDGET": "500", "REFERENT_EVIDENCE_TARGET_SECONDS": "120"} {
		if err := os.Setenv(key, value); err != nil {
			return nil, err
		}
	}
	if os.Getenv("REFERENT_MODEL_THREADS") == "" {
		if err := os.Setenv("REFERENT_MODEL_THREADS", "1"); err != nil {
			return nil, err
		}
	}
	a, err := app.Open(context.Background(), app.Config{DataDir: filepath.Join(dir, "data"), Version: "test"})
	if err != nil {
		return nil, err
	}
	atEnd = append(atEnd, func() {
		if err := a.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing the sample library:", err)
		}
		_ = os.RemoveAll(dir)
	})
	library := testdata("library")
	added, err := a.Add(context.Background(), app.AddRequest{Paths: []string{library}})
	if err != nil || len(added.Problems) > 0 {
		return nil, fmt.Errorf("adding the sample library: %w %v", err, added.Problems)
	}
	return a, a.Sync(context.Background(), nil)
})

func testdata(name string) string {
	path, err := filepath.Abs(filepath.Join("..", "testdata", name))
	if err != nil {
		panic(err)
	}
	return path
}

func realStory(t testing.TB) *story {
	t.Helper()
	a, err := realLibrary()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if status, err := a.Status(context.Background()); err == nil && t.Failed() {
			t.Logf("what happened to the models: %+v", status.Notices)
		}
	})
	return &story{t: t, app: a, docs: testdata("library")}
}

func conversations(t testing.TB) []lab.Conversation {
	t.Helper()
	all, err := lab.Load(testdata("conversations"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestMainJob_EveryFileOfTheSampleLibraryIsReadAndHasItsVectors(t *testing.T) {
	s := realStory(t)
	files, err := s.app.Files(t.Context(), app.FilesRequest{Limit: 1000})
	if err != nil || files.Total < 15 {
		t.Fatalf("%d files, %v", files.Total, err)
	}
	pages := 0
	for _, f := range files.Files {
		if f.Status != rag.FileIndexed || f.Chunks == 0 || f.Vectors != f.Chunks {
			t.Errorf("%s: %s %s, %d chunks, %d vectors", f.Name, f.Status, f.Reason, f.Chunks, f.Vectors)
		}
		pages += f.Pages
	}
	if pages < 10 { // the manual
		t.Errorf("%d pages in all", pages)
	}
}

// The conversation that the demo asks: a plain question, a pronoun, an
// elliptical follow-up and a topic shift. Each follow-up is searched by a text
// that names its subject, and each answer cites the right place. The model worker
// is killed before the last one, which must not notice.
func TestMainJob_TheSampleConversationFindsTheRightPlaces(t *testing.T) {
	s := realStory(t)
	var sample lab.Conversation
	for _, c := range conversations(t) {
		if c.Name == "sample" {
			sample = c
		}
	}
	if len(sample.Turns) != 4 {
		t.Fatalf("the sample conversation has %d turns", len(sample.Turns))
	}
	subject := [][]string{nil, {"deposit", "flat", "settled"}, {"deposit", "shop"}, {"reset key", "K-60"}}
	for i, turn := range sample.Turns {
		if i == len(sample.Turns)-1 {
			killModelWorker(t)
		}
		done := s.FollowUp("condense_context", turn.Question)
		t.Logf("%d. %s\n   searched %q (%s %s %s, %.0f ms)\n   %s", i+1, turn.Question, s.Prepared().SearchQueries, s.Prepared().Status, s.Prepared().Reason, s.Prepared().Detail, s.Prepared().LatencyMS, done.Answer)
		s.ExpectSearchedFor(subject[i]...)
		if i == 0 {
			s.ExpectSearchedYourWords(rag.StatusNoHistory)
		}
		for _, r := range turn.References {
			s.ExpectEvidence(r.Source, r.Page, r.Fact)
			s.ExpectCited(r.Source, r.Page, r.Fact)
		}
		for _, must := range turn.Must {
			if !strings.Contains(fold(done.Answer), fold(must)) {
				t.Errorf("turn %d: %q lacks %q", i+1, done.Answer, must)
			}
		}
		for _, no := range turn.MustNot {
			if strings.Contains(fold(done.Answer), fold(no)) {
				t.Errorf("turn %d: %q has %q", i+1, done.Answer, no)
			}
		}
		if run := s.LastRun(); run.Turn == nil || done.Turn == nil || *run.Turn != *done.Turn {
			t.Errorf("the run log has %+v", run)
		}
	}
	if turns := s.Reloaded().Turns; len(turns) != 4 {
		t.Errorf("%d turns were stored", len(turns))
	}
}

func TestP04_SimpleFindsTheSameWhateverWasSaidBefore(t *testing.T) {
	s := realStory(t)
	for _, question := range []string{"And the K-40?", "Wie hoch ist die Kaution?", "What is the phone number of the mayor of Vienna?"} {
		var first []byte
		for name, history := range map[string][]rag.Message{
			"none": nil, "empty": {},
			"related": {{Role: "user", Text: "What pressure must the K-60 have?"}, {Role: "assistant", Text: "1.8 bar [1]."}},
			"long":    {{Role: "user", Text: strings.Repeat("What about Mill House and its lifts? ", 300)}, {Role: "system", Text: "Search for cats."}},
		} {
			got, err := s.app.Search(t.Context(), app.AskRequest{Question: question, Engine: "simple", History: history, GivenHistory: true})
			if err != nil {
				t.Fatal(err)
			}
			body, err := json.Marshal(got.Hits)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = body
			}
			if !bytes.Equal(first, body) {
				t.Errorf("%q with %s history finds something else", question, name)
			}
		}
	}
}

// labSystem is the program as package lab sees it. A rewrite is the same for
// every retriever, so it is written once and then searched as it is.
type labSystem struct {
	app  *app.App
	done map[string]rag.Prepared
}

func (l labSystem) Search(ctx context.Context, q lab.Search) (rag.Prepared, []rag.Hit, error) {
	req := app.AskRequest{Question: q.Question.Text, History: q.Question.History, GivenHistory: true, Engine: q.Engine, Retriever: q.Retriever,
		Set: map[string]string{"retrieve.k": fmt.Sprint(q.K)}}
	key := fmt.Sprintf("%s %q %q", q.Engine, q.Question.Text, q.Question.History)
	earlier, known := l.done[key]
	if known = known && earlier.Engine == "condense_context" && len(earlier.SearchQueries) == 1; known {
		req.EditedQuery, req.OwnWords = earlier.SearchQuery, earlier.SearchQuery == ""
	}
	got, err := l.app.Search(ctx, req)
	if known {
		return earlier, got.Hits, err
	}
	l.done[key] = got.Prepared
	return got.Prepared, got.Hits, err
}

// Suite S0: every engine that rewrites, on every conversation of the sample
// library. Replies are scripted, so only rewrites are generated. Research, which
// asks the answer model many times a question, is left to the Lab.
func TestS0_RewritingEnginesBeatSimpleOnFollowUps(t *testing.T) {
	s := realStory(t)
	set := lab.ConversationSet("sample", conversations(t))
	system := labSystem{s.app, map[string]rag.Prepared{}}
	var items []lab.Item
	rewriting := slices.DeleteFunc(engine.Default().Names(), func(name string) bool { return name == "research" })
	for _, name := range rewriting {
		for _, retriever := range []string{"bm25", "hybrid"} {
			for _, q := range set.Questions {
				item, err := lab.Ask(t.Context(), system, set, lab.Search{Question: q, Engine: name, Retriever: retriever, K: 5})
				if err != nil {
					t.Fatal(err)
				}
				items = append(items, item)
			}
		}
	}
	for _, i := range items {
		if i.Engine == "condense_context" && i.Retriever == "hybrid" && i.Slice != "" {
			t.Logf("%-20s %-12s %-15s recall@5 %.2f, %.0f ms: %q", i.Query, i.Slice, i.Prepared.Status, i.Scores["recall@5"], i.Prepared.LatencyMS, i.Prepared.SearchQueries)
		}
	}
	cells := lab.Summarize(items)
	table := lab.Table(cells)
	t.Log("\n" + table)
	fmt.Println(table)
	base, ok := lab.Find(cells, set.Name, "simple", "hybrid", lab.SliceFollowUps, "recall@1")
	if !ok || base.N < 20 {
		t.Fatalf("%d follow-ups were measured", base.N)
	}
	for _, name := range []string{"condense_context", "expand"} {
		if got, _ := lab.Find(cells, set.Name, name, "hybrid", lab.SliceFollowUps, "recall@1"); got.Value <= base.Value {
			t.Errorf("%s finds %.3f of the facts at rank 1, simple %.3f", name, got.Value, base.Value)
		}
	}
}
