package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/engine/isolation"
)

// binder holds documents as a whole: a name, and the passages in order.
type binder map[string][]string

func (b binder) Names(_ context.Context, scope rag.Scope, _ []rag.Filter) ([]answer.Named, error) {
	var out []answer.Named
	for i, title := range b.titles() {
		if id := int64(i + 1); len(scope.Documents) == 0 || slices.Contains(scope.Documents, id) {
			out = append(out, answer.Named{ID: id, Title: title, Path: "/library/" + strings.ReplaceAll(strings.ToLower(title), " ", "-") + ".md"})
		}
	}
	return out, nil
}

func (b binder) Whole(_ context.Context, document int64) ([]rag.Hit, error) {
	title := b.titles()[document-1]
	var out []rag.Hit
	for i, text := range b[title] {
		h := hit(100*document+int64(i), title, text)
		h.Document, h.Parent = document, 1000*document+int64(i/2) // two passages a parent
		out = append(out, h)
	}
	return out, nil
}

func (b binder) titles() []string {
	var out []string
	for t := range b {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

var papers = binder{
	"Garden rules": {"The garden is watered on Monday. Hoses are rolled up afterwards.", "Trees are cut in winter only. Nobody climbs them.", "The compost is turned in spring. Meat does not belong in it."},
	"House rules":  {"Dogs need the consent of the board. Cats may be kept.", "Bicycles stand in the cellar. The stairs stay free."},
}

func newReading(t *testing.T, cfg fake.Config) *desk {
	t.Helper()
	d := newDesk(t, cfg)
	d.deps.Documents = papers
	d.rebuild()
	return d
}

func TestR095_AGeneralRequestReadsTheDocument(t *testing.T) {
	d := newReading(t, fake.Config{})
	for _, req := range []Request{
		{Question: "Comment on this document", Scope: rag.Scope{Documents: []int64{2}}},
		{Question: "What are the house rules about?"},
		{Question: "Fasse house-rules.md zusammen"},
		{Question: "List all bicycles", Scope: rag.Scope{Documents: []int64{2}}},
	} {
		out := d.answered(req)
		if got := out.Evidence(); len(got) != 2 || got[0].Document != 2 || got[1].Document != 2 {
			t.Errorf("%q read %+v", req.Question, got)
			continue
		}
		if len(out.Done.Sources) == 0 || out.Done.AnswerCheck.Status == rag.CheckRefused || len(d.shelf.queries) != 0 {
			t.Errorf("%q: %+v, %d searches", req.Question, out.Done, len(d.shelf.queries))
		}
		if len(out.Retrieval.Notes) != 1 || out.Retrieval.Notes[0] != "The document “House rules” was read as a whole." || out.Retrieval.PackedTokens > out.Retrieval.BudgetTokens {
			t.Errorf("%q: %+v", req.Question, out.Retrieval.Notes)
		}
		if got := strings.Join(d.names(), " "); got != "prepared retrieval token done" {
			t.Errorf("%q: events %s", req.Question, got)
		}
		last := d.answerCalls()[len(d.answerCalls())-1].Messages
		if text := last[len(last)-1].Text; !strings.HasSuffix(text, "\nQuestion: "+req.Question) || strings.Count(text, req.Question) != 1 {
			t.Errorf("%q: prompt %q", req.Question, text)
		}
	}
}

// What does not name one document is searched; where it could be any, the turn
// says so.
func TestWhole_WithoutOneDocumentItIsASearch(t *testing.T) {
	d := newReading(t, fake.Config{})
	for question, note := range map[string]bool{"What is this document about?": true, "Summarise the rules": false, "List all dogs": false, howLong: false} {
		out := d.answered(Request{Question: question})
		if got := slices.ContainsFunc(out.Retrieval.Notes, func(n string) bool { return strings.HasPrefix(n, "Several documents") }); got != note || len(d.shelf.queries) == 0 {
			t.Errorf("%q: notes %q", question, out.Retrieval.Notes)
		}
	}
	for _, req := range []Request{{Question: "Summarise the house rules", OwnWords: true}, {Question: "Summarise the house rules", EditedQuery: "dogs"}} {
		before := len(d.shelf.queries)
		d.answered(req)
		if len(d.shelf.queries) == before {
			t.Errorf("%+v was not searched", req)
		}
	}
}

// A long document is read in parts: each call holds one part and the question,
// the notes are joined, and what was cited is a passage.
func TestWhole_MapAndReduce(t *testing.T) {
	var mu sync.Mutex
	var parts []string
	joined := ""
	d := newReading(t, fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		if role != inference.RoleAnswer {
			return fake.Reply{}, false
		}
		mu.Lock()
		defer mu.Unlock()
		last := req.Messages[len(req.Messages)-1].Text
		if strings.HasPrefix(last, "Notes on") {
			joined = last
			return fake.Reply{Text: "Bees fly over meadow 0 [1]. Bees fly over meadow 7 [8]."}, true
		}
		parts = append(parts, last)
		if len(parts) == 2 {
			return fake.Reply{Text: "-"}, true
		}
		n := strings.Index(last, "]")
		return fake.Reply{Text: "Bees fly here " + last[:n+1] + "."}, true
	}})
	var long []string
	for i := range 8 {
		long = append(long, fmt.Sprintf("Bees fly over meadow %d. %s", i, strings.Repeat("They hum. ", 20)))
	}
	d.deps.Documents = binder{"Bee book": long}
	d.rebuild()
	o := Defaults()
	o.EvidenceBudget, o.EvidenceSeconds = 200, 0
	out := d.answered(Request{Question: "Summarise the bee book", Options: o})
	if len(parts) < 3 || len(parts) > mostParts || joined == "" {
		t.Fatalf("%d parts, joined %q", len(parts), joined)
	}
	for i, p := range parts {
		if !strings.Contains(p, fmt.Sprintf("part %d of %d of the document “Bee book”", i+1, len(parts))) || !strings.HasSuffix(p, "Question: Summarise the bee book") {
			t.Errorf("part %d: %q", i+1, p)
		}
	}
	if strings.Count(joined, "Bees fly here [") != len(parts)-1 || strings.Contains(joined, "meadow") {
		t.Errorf("the notes: %q", joined)
	}
	if out.Done.AnswerCheck.Status != rag.CheckSupported || len(out.Done.Citations) != 2 || out.Done.Citations[0].Chunk != 100 {
		t.Errorf("%+v", out.Done)
	}
	for _, g := range [][]rag.Hit{out.Evidence()} {
		if tokensOf(g) > out.Retrieval.BudgetTokens || out.Retrieval.BudgetTokens != 200*mostParts {
			t.Errorf("%d of %d tokens", tokensOf(g), out.Retrieval.BudgetTokens)
		}
	}
	if got := strings.Join(d.names(), " "); !strings.HasPrefix(got, "prepared retrieval stats") || !strings.HasSuffix(got, "token done") {
		t.Errorf("events %s", got)
	}
}

// A list is joined by code: each thing once.
func TestWhole_ListsAreJoined(t *testing.T) {
	d := newReading(t, fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		last := req.Messages[len(req.Messages)-1].Text
		n := strings.Index(last, "]")
		return fake.Reply{Text: "- Bees fly over meadows " + last[:n+1] + "\n- They hum " + last[:n+1]}, role == inference.RoleAnswer
	}})
	var long []string
	for range 6 {
		long = append(long, "Bees fly over meadows. "+strings.Repeat("They hum. ", 30))
	}
	d.deps.Documents = binder{"Bee book": long}
	d.rebuild()
	o := Defaults()
	o.EvidenceBudget, o.EvidenceSeconds = 300, 0
	out := d.answered(Request{Question: "List all bees in the bee book", Options: o})
	if out.Done.Answer != "- Bees fly over meadows [1]\n- They hum [1]" || out.Done.AnswerCheck.Status != rag.CheckSupported {
		t.Errorf("%q %+v", out.Done.Answer, out.Done.AnswerCheck)
	}
	for _, c := range d.answerCalls() {
		if strings.HasPrefix(c.Messages[len(c.Messages)-1].Text, "Notes on") {
			t.Error("a list was joined by the model")
		}
	}
}

// More than may be read is sampled evenly, and the turn says how much it was.
func TestWhole_ALongDocumentIsReadEvenly(t *testing.T) {
	d := newReading(t, fake.Config{})
	var long []string
	for i := range 40 {
		long = append(long, fmt.Sprintf("Chapter %d tells of bees. %s", i, strings.Repeat("They hum. ", 30)))
	}
	d.deps.Documents = binder{"Bee book": long}
	d.rebuild()
	o := Defaults()
	o.EvidenceBudget, o.EvidenceSeconds = 300, 0
	out := d.answered(Request{Question: "Summarise the bee book", Options: o})
	read := out.Evidence()
	if len(read) < 4 || len(read) >= 40 || read[0].Chunk != 100 || read[len(read)-1].Chunk != 139 {
		t.Fatalf("%d passages were read, from %d to %d", len(read), read[0].Chunk, read[len(read)-1].Chunk)
	}
	gaps := map[int64]bool{}
	for i := range read[1:] {
		gaps[read[i+1].Chunk-read[i].Chunk] = true
	}
	if len(gaps) > 2 {
		t.Errorf("the steps are %v", gaps)
	}
	want := fmt.Sprintf("The document is long: %d of its 40 passages were read, spread evenly over it.", len(read))
	if !slices.Contains(out.Retrieval.Notes, want) || len(out.Retrieval.Hits) != len(read) || out.Retrieval.PackedTokens > out.Retrieval.BudgetTokens {
		t.Errorf("%q, %d hits, %d of %d tokens", out.Retrieval.Notes, len(out.Retrieval.Hits), out.Retrieval.PackedTokens, out.Retrieval.BudgetTokens)
	}
}

// Without a model the document speaks in its own words.
func TestWhole_QuotesWithoutAModel(t *testing.T) {
	d := newReading(t, fake.Config{})
	for question, want := range map[string]string{
		"Summarise the garden rules":        "“The garden is watered on Monday.” [1]\n“Trees are cut in winter only.” [2]\n“The compost is turned in spring.” [3]",
		"List all trees in garden-rules.md": "“Trees are cut in winter only.” [2]",
		"List all fish in garden-rules.md":  answer.Refusal("en"),
	} {
		out := d.answered(Request{Question: question, Mode: rag.ModeQuote})
		status := rag.CheckQuoted
		if want == answer.Refusal("en") {
			status = rag.CheckRefused
		}
		if out.Done.Answer != want || out.Done.AnswerCheck.Status != status {
			t.Errorf("%q: %q %+v", question, out.Done.Answer, out.Done.AnswerCheck)
		}
	}
	// A model that refuses an overview is replaced by the document's own words.
	d = newReading(t, writes(answer.Refusal("en")))
	d.deps.Documents = papers
	d.rebuild()
	if out := d.answered(Request{Question: "Summarise the house rules"}); !strings.HasPrefix(out.Done.Answer, "“Dogs need the consent of the board.” [1]") {
		t.Errorf("%q", out.Done.Answer)
	}
}

func TestWhole_CancelBetweenParts(t *testing.T) {
	ctx, cancel := context.WithCancel(ctx)
	calls := 0
	var mu sync.Mutex
	d := newReading(t, fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		mu.Lock()
		defer mu.Unlock()
		if role == inference.RoleAnswer {
			if calls++; calls == 2 {
				cancel()
			}
		}
		return fake.Reply{Text: "A note [1]."}, role == inference.RoleAnswer
	}})
	var long []string
	for range 8 {
		long = append(long, "Bees fly. "+strings.Repeat("They hum. ", 30))
	}
	d.deps.Documents = binder{"Bee book": long}
	d.rebuild()
	o := Defaults()
	o.EvidenceBudget, o.EvidenceSeconds = 300, 0
	_, err := d.askIn(ctx, Request{Question: "Summarise the bee book", Options: o})
	if !errors.Is(err, &rag.Error{Code: rag.CodeCancelled}) || calls != 2 || len(d.saved) != 0 {
		t.Errorf("%v after %d calls, %d saved", err, calls, len(d.saved))
	}
}

// Which way a question goes, and what is read, is blind to the history; none,
// nil and empty give the same prompts, answers and sources.
func TestP04P32_ADocumentIsReadBlindly(t *testing.T) {
	questions := []string{"Summarise the house rules", "List all trees in garden-rules.md", "What is this document about?", howLong}
	for _, mode := range []rag.AnswerMode{rag.ModeGenerate, rag.ModeStrict, rag.ModeQuote} {
		for _, n := range []int{0, 4} {
			d := newReading(t, fake.Config{})
			o := Defaults()
			o.GenerationHistory = n
			d.ask(Request{Question: howLong, Options: o}) // so that there is a last query
			err := isolation.Turn(func(question string, history []rag.Message) (isolation.Observed, error) {
				out, err := d.ask(Request{Question: question, History: history, Mode: mode, Options: o})
				if err != nil {
					return isolation.Observed{}, err
				}
				return d.observe(out), nil
			}, questions, 5, 12)
			if err != nil {
				t.Errorf("%s, history %d: %v", mode, n, err)
			}
		}
	}
	for _, question := range questions {
		var seen []string
		for _, history := range [][]rag.Message{nil, {}} {
			d := newReading(t, fake.Config{})
			o := Defaults()
			o.GenerationHistory = 4
			out := d.answered(Request{Question: question, History: history, Options: o})
			seen = append(seen, fmt.Sprintf("%+v %q %+v", d.answerCalls(), out.Done.Answer, out.Done.Sources))
		}
		if seen[0] != seen[1] {
			t.Errorf("%q:\n%s\n%s", question, seen[0], seen[1])
		}
	}
}
