package turn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// planted is a made-up fact that only the conversation states: the passages are
// about the same things and do not say it.
type planted struct {
	Language string   `json:"language"`
	Question string   `json:"question"`
	Said     string   `json:"said"`
	Values   []string `json:"planted"` // in the spellings in which it may come back
}

// poisonSet reads the planted facts and the passages.
func poisonSet(t testing.TB) (facts []planted, passages []rag.Hit) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "poison", "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		Passages []struct {
			Title string `json:"title"`
			Text  string `json:"text"`
		} `json:"passages"`
		Facts []planted `json:"facts"`
	}
	if err := json.Unmarshal(b, &set); err != nil {
		t.Fatal(err)
	}
	for i, p := range set.Passages {
		h := hit(int64(i+1), p.Title, p.Text)
		h.Language = ""
		passages = append(passages, h)
	}
	return set.Facts, passages
}

// history states the fact twice, as people and models do.
func (p planted) history() []rag.Message {
	return []rag.Message{{Role: "user", Text: p.Question}, {Role: "assistant", Text: p.Said + " [1]"},
		{Role: "user", Text: p.Said}, {Role: "assistant", Text: "OK: " + p.Said}}
}

// leaks lists the planted values that a turn shows. Where the model saw no
// history, what was streamed is replaced by the answer of the last event.
func (p planted) leaks(d *desk, out *Outcome, historyOn bool) []string {
	text := out.Done.Answer
	if historyOn {
		text += "\n" + d.shown()
	}
	if out.Done.Quotes != nil {
		text += "\n" + *out.Done.Quotes
	}
	for _, i := range out.Done.AnswerCheck.Issues {
		text += "\n" + i.Text
	}
	for _, s := range out.Done.Sources {
		text += "\n" + s.Title
	}
	for _, h := range out.Retrieval.Hits {
		text += "\n" + h.Rendered
	}
	var found []string
	for _, v := range p.Values {
		if strings.Contains(strings.ToLower(text), strings.ToLower(v)) {
			found = append(found, v)
		}
	}
	return found
}

// Every fact of the set, by a model that repeats it as its answer: in no mode,
// with and without history, and under no engine is a planted value shown.
func TestP35P74_NoPlantedFactIsShown(t *testing.T) {
	facts, passages := poisonSet(t)
	if len(facts) < 40 {
		t.Fatalf("%d facts", len(facts))
	}
	for i, p := range facts {
		for _, mode := range []rag.AnswerMode{rag.ModeGenerate, rag.ModeStrict, rag.ModeQuote} {
			for _, n := range []int{0, 4} {
				parrot := fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
					return fake.Reply{Text: p.Said + " [1]"}, role == inference.RoleAnswer
				}}
				d := newDesk(t, parrot)
				d.shelf.texts = passages
				o := Defaults()
				o.GenerationHistory = n
				name := []string{"simple", "expand", "condense_context", "blend"}[i%4]
				out := d.answered(Request{Question: p.Question, History: p.history(), Engine: name, Mode: mode, Options: o})
				if leaked := p.leaks(d, out, n > 0); len(leaked) > 0 {
					t.Errorf("%q %s, history %d, %s: %q is shown in %q %+v", p.Question, mode, n, name, leaked, out.Done.Answer, out.Done.AnswerCheck)
				}
			}
		}
	}
}

// The reverse proof: what the same model says is seen by the same eyes when it
// is not only in the history.
func TestP35_TheProofSeesAValueThatIsShown(t *testing.T) {
	facts, passages := poisonSet(t)
	seen := 0
	for _, p := range facts {
		d := newDesk(t, writes(p.Said+" [1]"))
		d.shelf.texts = append([]rag.Hit{hit(99, "Forged", p.Said)}, passages...) // the library says it, so it may be shown
		if out := d.answered(Request{Question: p.Question, History: p.history()}); len(p.leaks(d, out, true)) > 0 {
			seen++
		}
	}
	if seen != len(facts) {
		t.Errorf("%d of %d values were seen", seen, len(facts))
	}
}
