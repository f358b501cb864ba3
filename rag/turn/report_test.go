package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/engine"
)

func searched(o *Outcome) string { return strings.Join(o.Prepared.SearchQueries, " | ") }

func TestR001_MoreOfThoseSearchesForTheSubject(t *testing.T) {
	for _, name := range []string{"expand", "condense_context"} {
		d := newDesk(t, fake.Config{})
		d.shelf.texts = nil
		for i, s := range []string{"tennis", "rowing", "judo", "chess", "golf", "yoga"} {
			d.shelf.texts = append(d.shelf.texts, hit(int64(i+1), s, "The sports courses include "+s+"."), hit(int64(i+10), "computer"+s, "The computer courses include programming."))
		}
		out := d.answered(Request{Question: "Any more of them?", History: said("Which sports courses exist?", "Tennis and rowing."), Engine: name})
		if !strings.Contains(searched(out), "sports courses") {
			t.Errorf("%s searched %q", name, searched(out))
		}
		for _, h := range out.Retrieval.Hits[:5] {
			if !strings.Contains(h.Text, "sports") {
				t.Errorf("%s found %q", name, h.Text)
			}
		}
	}
}

func TestR003_EarlierEvidenceIsNotPutBack(t *testing.T) {
	d := newDesk(t, fake.Config{})
	history := said("What is the boiler pressure?", "The boiler pressure is 1.5 bar [1].", "When is the boiler serviced?", "Every two years [1].")
	for _, name := range []string{"simple", "expand", "condense_context", "blend"} {
		out := d.answered(Request{Question: "Which planets have rings around their equators?", History: history, Engine: name})
		if len(out.Evidence()) != 0 || out.Done.Answer != answer.Refusal("en") || len(out.Done.Sources) != 0 || strings.Contains(fmt.Sprint(out.Retrieval.Hits), "boiler") && name == "simple" {
			t.Errorf("%s: %+v", name, out.Evidence())
		}
	}
	// What does not refer back is searched as it is: no boiler is even near, under
	// any engine and with the conversation in the prompt.
	for _, name := range engine.Default().Names() {
		for _, n := range []int{0, 4} {
			o := Defaults()
			o.GenerationHistory = n
			out := d.answered(Request{Question: "Which planets have rings?", History: history, Engine: name, Options: o})
			if len(out.Retrieval.Hits) != 0 || out.Done.Answer != answer.Refusal("en") || len(out.Done.Sources) != 0 {
				t.Errorf("%s, history %d: %+v", name, n, out.Retrieval.Hits)
			}
		}
	}
}

func TestR005_AShortReplyToAChoiceNamesTheCourse(t *testing.T) {
	history := said("Which Italian course can I take?", "Which level, A1 or B1?")
	d := newDesk(t, rewrites("Which Italian course level B1"))
	out := d.answered(Request{Question: "B1 please", History: history, Engine: "condense_context"})
	if s := searched(out); out.Prepared.Status != rag.StatusRewritten || !strings.Contains(s, "course") || !strings.Contains(s, "level") || !strings.Contains(s, "B1") {
		t.Errorf("%q %+v", s, out.Prepared)
	}
	out = d.answered(Request{Question: "B1 please", History: history, Engine: "expand"})
	if s := searched(out); !strings.Contains(s, "course") || !strings.Contains(s, "B1") {
		t.Errorf("%q", s)
	}
}

func TestR007_AnOldTopicDoesNotLeak(t *testing.T) {
	history := said("How is the greenhouse heated?", "By a wood boiler.", "How warm is the greenhouse?", "18 degrees.", "Who waters the greenhouse?", "The gardener.")
	for _, name := range []string{"simple", "expand", "condense_context", "blend"} {
		d := newDesk(t, fake.Config{})
		out := d.answered(Request{Question: "What is the parental leave policy?", History: history, Engine: name})
		if strings.Contains(strings.ToLower(searched(out)), "greenhouse") || out.Evidence()[0].Title != "Leave" {
			t.Errorf("%s: %q", name, searched(out))
		}
	}
	// Even a model that drags the topic along is stopped by the guard, with the gate off.
	d := newDesk(t, rewrites("What is the policy of the greenhouse gardener on holidays?"))
	o := Defaults()
	o.CondenseGate = false
	out := d.answered(Request{Question: "What is the parental leave policy?", History: history, Engine: "condense_context", Options: o})
	if strings.Contains(searched(out), "greenhouse") || out.Prepared.Reason != rag.ReasonGuardRejected {
		t.Errorf("%q %+v", searched(out), out.Prepared)
	}
}

func TestR009_ThinkingNeverReachesTheSearch(t *testing.T) {
	for _, raw := range []string{"<think>secret plan</think>How long is the Harlow Bridge?", "<think>secret plan", "secret plan</think>How long is the Harlow Bridge?", "<think>secret</think><think>plan</think>"} {
		d := newDesk(t, rewrites(raw))
		d.answered(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context"})
		if q := fmt.Sprint(d.shelf.queries); strings.Contains(q, "secret") || strings.Contains(q, "think") {
			t.Errorf("%q: %s", raw, q)
		}
		for _, c := range d.host.Calls() {
			if c.Kind == "embed" && strings.Contains(fmt.Sprint(c.Texts), "secret") {
				t.Errorf("%q was embedded", raw)
			}
		}
	}
}

func TestR011_EachChatStaysInItsCollection(t *testing.T) {
	d := newDesk(t, fake.Config{})
	for i := range d.shelf.texts {
		d.shelf.texts[i].Heading = []string{"engineering", "people"}[i/4]
	}
	for range 5 {
		for _, c := range []struct{ collection, question, title string }{
			{"engineering", howLong, "Bridge"}, {"people", "What is the parental leave policy?", "Leave"},
		} {
			out := d.answered(Request{Question: c.question, Scope: rag.Scope{Collections: []string{c.collection}}})
			for _, h := range out.Retrieval.Hits {
				if h.Heading != c.collection {
					t.Errorf("%s shows %s", c.collection, h.Title)
				}
			}
			if out.Evidence()[0].Title != c.title || d.shelf.last().Scope.Collections[0] != c.collection {
				t.Errorf("%+v", out.Evidence())
			}
		}
	}
}

func TestR013_BothThingsOfAComparisonAreEvidence(t *testing.T) {
	for _, history := range [][]rag.Message{nil, bridge()} {
		d := newDesk(t, fake.Config{})
		out := d.answered(Request{Question: "Compare the warranty of pump A and pump B", History: history, Engine: "condense_context"})
		var titles []string
		for _, h := range out.Evidence() {
			titles = append(titles, h.Title)
		}
		if !slices.Contains(titles, "Pump A") || !slices.Contains(titles, "Pump B") || len(d.shelf.last().Texts) != 2 {
			t.Errorf("%v, searched %q", titles, searched(out))
		}
	}
}

func TestR017_AClarifyingReplyKeepsTheQuestion(t *testing.T) {
	history := said("How many of product K were sold?", "Which month?")
	for name, cfg := range map[string]fake.Config{"expand": {}, "condense_context": rewrites("How many of product K were sold in March?")} {
		d := newDesk(t, cfg)
		out := d.answered(Request{Question: "March", History: history, Engine: name})
		if s := searched(out); !strings.Contains(s, "product") || !strings.Contains(s, "K") || !strings.Contains(s, "March") {
			t.Errorf("%s: %q %+v", name, s, out.Prepared)
		}
	}
}

func TestR019_TwelveTurnsNeverEmptyAlwaysVisible(t *testing.T) {
	d := newDesk(t, fake.Config{})
	var history []rag.Message
	for i := range 12 {
		q := []string{howLong, "How long is it?", "And when was it opened?", "Who built it?"}[i%4]
		out := d.answered(Request{Question: q, History: history, Engine: "condense_context"})
		if strings.TrimSpace(out.Done.Answer) == "" || strings.TrimSpace(searched(out)) == "" || out.Prepared.Status == "" {
			t.Errorf("turn %d: %+v", i, out)
		}
		history = append(history, rag.Message{Role: "user", Text: q}, rag.Message{Role: "assistant", Text: out.Done.Answer})
	}
}

func TestR021_ARewriteModelThatIsDownStillAnswers(t *testing.T) {
	d := newDesk(t, fake.Config{})
	for _, get := range []func() (inference.Generator, error){
		func() (inference.Generator, error) { return nil, inference.ErrNoModel },
		func() (inference.Generator, error) { return down{}, nil },
	} {
		d.deps.Condense = get
		d.rebuild()
		for range 2 {
			out := d.answered(Request{Question: "Is it long, the Harlow Bridge?", History: bridge(), Engine: "condense_context"})
			if out.Prepared.Reason != rag.ReasonCallError || len(out.Done.Sources) == 0 {
				t.Errorf("%+v %+v", out.Prepared, out.Done)
			}
		}
	}
}

type down struct{ small }

func (down) Generate(context.Context, inference.GenerateRequest, func(inference.Piece) error) (inference.GenerateResult, error) {
	return inference.GenerateResult{}, errors.New("connection refused")
}

func TestR023_HugeHistoryAndQuestionAreCapped(t *testing.T) {
	var history []rag.Message
	for i := range 200 {
		history = append(history, said(fmt.Sprintf("Question %d about the Harlow Bridge and %s?", i, strings.Repeat("more ", 50)), "An answer.")...)
	}
	for _, name := range []string{"expand", "condense_context", "blend"} {
		d := newDesk(t, fake.Config{})
		spec := fake.Spec(inference.RoleAnswer)
		spec.Context = 16384
		if _, err := d.host.Load(ctx, spec, nil); err != nil {
			t.Fatal(err)
		}
		for _, q := range []string{"How long is it?", "How long is it? " + strings.Repeat("word ", 2000)} {
			out, err := d.ask(Request{Question: q, History: history, Engine: name})
			if err != nil {
				t.Fatal(name, err)
			}
			if n := len([]rune(searched(out))); n > max(len(q), 512) {
				t.Errorf("%s searches %d characters", name, n)
			}
		}
	}
}

func TestR025_AnAnswerInPlaceOfARewriteIsDetected(t *testing.T) {
	for _, reply := range []string{"It has a length of 320 metres.", "Sure! The bridge is 320 metres long.", "Ruth Calloway", "320 metres"} {
		d := newDesk(t, rewrites(reply))
		out := d.answered(Request{Question: "Is it open today?", History: bridge(), Engine: "condense_context"})
		if out.Prepared.Reason != rag.ReasonGuardRejected || d.shelf.last().Texts[0] != "Is it open today?" {
			t.Errorf("%q: %+v", reply, out.Prepared)
		}
	}
}

func TestR029_AnUnrelatedQuestionHasOtherEvidence(t *testing.T) {
	for _, n := range []int{0, 4} {
		d := newDesk(t, fake.Config{})
		o := Defaults()
		o.GenerationHistory = n
		first := d.answered(Request{Question: howLong, Options: o})
		history := said(howLong, first.Done.Answer)
		for _, name := range []string{"simple", "expand", "condense_context", "blend"} {
			out := d.answered(Request{Question: "What is the boiler pressure?", History: history, Engine: name, Options: o})
			if out.Evidence()[0].Title != "Boiler" || out.Done.Answer == first.Done.Answer {
				t.Errorf("%s: %+v", name, out.Done)
			}
		}
	}
}

func TestR031_ACorrectionNamesTheRightModule(t *testing.T) {
	history := said("Which tests belong to the payment module?", "The login tests belong to the payment module; the export module has none.")
	d := newDesk(t, rewrites("Which tests belong to the export module?"))
	out := d.answered(Request{Question: "No, those belong to the other module", History: history, Engine: "condense_context"})
	if out.Prepared.Status != rag.StatusRewritten || !strings.Contains(searched(out), "export module") || strings.Contains(searched(out), "payment") {
		t.Errorf("%q %+v", searched(out), out.Prepared)
	}
}

func TestR087_AfterAFailedTurnTheConversationGoesOn(t *testing.T) {
	fail := true
	d := newDesk(t, fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Err: errors.New("broken")}, fail && role == inference.RoleAnswer
	}})
	out, err := d.ask(Request{Question: "And when was it opened?", History: bridge(), Engine: "condense_context"})
	if !errors.Is(err, &rag.Error{Code: rag.CodeModelFailed}) || out.Failed == nil || len(d.saved) != 0 || out.Request.Question == "" {
		t.Fatalf("%v %+v", err, out)
	}
	fail = false
	out = d.answered(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context"})
	if out.Prepared.HistoryMessagesUsed != 2 || !strings.Contains(searched(out), "Harlow Bridge") {
		t.Errorf("%+v", out.Prepared)
	}
}

func TestR123_TheSecondTurnReusesTheSystemPrompt(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.answered(Request{Question: howLong})
	out := d.answered(Request{Question: "What is the boiler pressure?", History: bridge()})
	calls := d.answerCalls()
	if calls[0].Messages[0] != calls[1].Messages[0] || calls[1].Cache != inference.CacheReuse {
		t.Error("the beginning of the prompt changes")
	}
	tokens, _ := d.host.Tokenizer(inference.RoleAnswer)
	n, err := tokens.CountTokens(ctx, []string{calls[1].Messages[0].Text})
	if err != nil || out.Done.Usage.CachedTokens < n[0]-2 {
		t.Errorf("%d of %d tokens of the system prompt were cached (%v)", out.Done.Usage.CachedTokens, n[0], err)
	}
}

// The constant beginning of a rewrite's prompt is evaluated once: the second
// rewrite, in another conversation, evaluates its own text only.
func TestR123_TheSecondRewriteEvaluatesItsOwnTextOnly(t *testing.T) {
	d := newDesk(t, fake.Config{})
	kept := &costs{}
	d.deps.Condense = func() (inference.Generator, error) {
		g, err := d.host.Generator(inference.RoleCondense)
		kept.Generator = g
		return kept, err
	}
	d.rebuild()
	d.answered(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context"})
	d.answered(Request{Question: "How high is it?", History: said("What is the boiler pressure?", "1.5 bar."), Engine: "condense_context"})
	if len(kept.results) != 2 {
		t.Fatalf("%d rewrites", len(kept.results))
	}
	last := d.host.Calls()
	var req inference.GenerateRequest
	for _, c := range last {
		if c.Kind == "generate" && c.Role == inference.RoleCondense {
			req = c.Request
		}
	}
	text := req.Completion
	if len(req.Messages) > 0 {
		text = req.Messages[len(req.Messages)-1].Text
	}
	tokens, _ := d.host.Tokenizer(inference.RoleCondense)
	n, err := tokens.CountTokens(ctx, []string{text[:req.StableBytes], text[req.StableBytes:]})
	if err != nil {
		t.Fatal(err)
	}
	if r := kept.results[1]; r.PromptTokens-r.CachedTokens > n[1]+8 || r.CachedTokens < n[0]-8 {
		t.Errorf("%d of %d tokens were cached; the constant part has %d, the rest %d", r.CachedTokens, r.PromptTokens, n[0], n[1])
	}
}

// costs is a generator that keeps its results.
type costs struct {
	inference.Generator
	results []inference.GenerateResult
}

func (c *costs) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	res, err := c.Generator.Generate(ctx, req, each)
	c.results = append(c.results, res)
	return res, err
}
