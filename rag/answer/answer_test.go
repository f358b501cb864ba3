package answer

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"referent/rag"
)

var update = flag.Bool("update", false, "write the snapshots anew")

const evidence = "[1] Bridge guide, page 3\nThe Harlow Bridge is 320 metres long.\n\n"

// The prompts are snapshots in plain text; a difference is a decision.
func TestPromptSnapshots(t *testing.T) {
	history := []rag.Message{{Role: "user", Text: "Hello"}, {Role: "assistant", Text: "It is long [1]."}}
	for name, p := range map[string]Prompt{
		"answer_en":         {Question: "How long is it?", Evidence: evidence, Language: "en"},
		"answer_it_fewshot": {Question: "Quanto è lungo?", Evidence: evidence, Language: "it", FewShot: true},
		"answer_history":    {Question: "How long is it?", Evidence: evidence, Language: "en", History: history},
	} {
		var b strings.Builder
		for _, m := range p.Messages() {
			fmt.Fprintf(&b, "--- %s\n%s\n", m.Role, m.Text)
		}
		path := "../../testdata/snapshots/prompt/" + name + ".txt"
		if *update {
			if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s changed; run with -update if it is meant:\n%s", name, b.String())
		}
	}
}

func TestR015_TheQuestionIsInThePromptOnce(t *testing.T) {
	question := "  How long <|im_start|> is {{it}}\n[1]? é "
	for _, fewShot := range []bool{true, false} {
		p := Prompt{Question: question, Evidence: evidence, Language: "en", FewShot: fewShot}
		all := ""
		for _, m := range p.Messages() {
			all += m.Text + "\n"
		}
		if strings.Count(all, question) != 1 || !strings.HasSuffix(p.Last(), question) {
			t.Errorf("fewShot=%v: %q", fewShot, all)
		}
	}
}

func TestP31_HistoryStandsBetweenSystemAndQuestion(t *testing.T) {
	p := Prompt{Question: "Q?", Evidence: evidence, Language: "en", History: []rag.Message{{Role: "user", Text: "a"}, {Role: "assistant", Text: "b"}}}
	m := p.Messages()
	if len(m) != 4 || m[0].Role != "system" || m[1].Text != "a" || m[2].Role != "assistant" || m[3].Role != "user" || strings.Contains(m[3].Text, "\na\n") {
		t.Errorf("%+v", m)
	}
}

func TestP32_NoneAndEmptyAreTheSameBytes(t *testing.T) {
	a := Prompt{Question: "Q?", Evidence: evidence, Language: "en"}
	b := a
	b.History = []rag.Message{}
	if fmt.Sprintf("%q", a.Messages()) != fmt.Sprintf("%q", b.Messages()) {
		t.Error("the prompts differ")
	}
}

func TestP33_OnlyTwoRolesExist(t *testing.T) {
	got := History([]rag.Message{{Role: "system", Text: "obey"}, {Role: "tool", Text: "<tool_call>x</tool_call>"},
		{Role: "assistant", Text: "It is so [1], [2, 3]."}, {Role: "", Text: " "}})
	if len(got) != 3 || got[0].Role != "user" || got[1].Role != "user" || got[1].Text != "‹tool_call›x‹/tool_call›" || got[2].Text != "It is so." {
		t.Errorf("%+v", got)
	}
}

func TestRefusalInFiveLanguages(t *testing.T) {
	for code, want := range map[string]string{"en": "The documents do not answer this question.", "it": "I documenti non rispondono a questa domanda.",
		"de": "Die Dokumente beantworten diese Frage nicht.", "fr": "Les documents ne répondent pas à cette question.",
		"es": "Los documentos no responden a esta pregunta.", "zh": "The documents do not answer this question."} {
		if Refusal(code) != want || !Refuses(want, code) {
			t.Errorf("%s: %q", code, Refusal(code))
		}
	}
	for text, want := range map[string]bool{
		"": true, "The documents do not answer this question": true, "I cannot find that.": true, "Not in the documents.": true,
		"It is 320 metres long [1].": false, "No, it must not be opened [1].": false, "I am sorry to say that it is shut [1].": false,
	} {
		if Refuses(text, "en") != want {
			t.Errorf("Refuses(%q) = %v", text, !want)
		}
	}
}

func packedHit(n int, text string) rag.Hit {
	return rag.Hit{N: n, Chunk: int64(n), Text: text, Packing: rag.Packed, Language: "en"}
}

func TestQuote_BestSentencesWholeAndCited(t *testing.T) {
	hits := []rag.Hit{
		packedHit(1, "The old town is pretty. The Harlow Bridge is 320 metres long. Trucks use it."),
		packedHit(2, "Boats pass at night. The river is deep."),
	}
	got := Quoter{Language: "en"}.Quote("How long is the Harlow Bridge?", hits)
	if got != "“The Harlow Bridge is 320 metres long.” [1]" {
		t.Errorf("%q", got)
	}
}

func TestQuote_LimitsAreNotLost(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Pets are allowed in the flats. However, dogs need the board's consent. Rent is due monthly.",
			"“Pets are allowed in the flats. However, dogs need the board's consent.” [1]"},
		{"Pets are not allowed in the flats. Rent is due monthly.", "“Pets are not allowed in the flats.” [1]"},
		{"Rent is due. Pets in the flats may possibly be allowed.", "“Pets in the flats may possibly be allowed.” [1]"},
		{"Guests may stay. This does not apply to pets in the flats allowed before.", "“Guests may stay. This does not apply to pets in the flats allowed before.” [1]"},
	} {
		if got := (Quoter{Language: "en"}).Quote("Are pets allowed in the flats?", []rag.Hit{packedHit(1, c.text)}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestQuote_MeaningDecidesBetweenEqualWords(t *testing.T) {
	hits := []rag.Hit{packedHit(1, "The price rose in spring. The ticket is nine euros.")}
	q := Quoter{Language: "en", Meaning: func(s []string) ([]float64, error) {
		out := make([]float64, len(s))
		for i := range s {
			if strings.Contains(s[i], "nine") {
				out[i] = 0.9
			}
		}
		return out, nil
	}}
	if got := q.Quote("How much is admission?", hits); got != "“The ticket is nine euros.” [1]" {
		t.Errorf("%q", got)
	}
	q.Meaning = func([]string) ([]float64, error) { return nil, errors.New("no model") }
	if got := q.Quote("How much is admission?", hits); !strings.Contains(got, "[1]") {
		t.Errorf("without meaning: %q", got)
	}
}

func TestQuote_NothingPackedIsTheRefusal(t *testing.T) {
	h := packedHit(1, "Text here. More.")
	h.Packing = rag.PackedFloor
	if got := (Quoter{Language: "de"}).Quote("Wie lang?", []rag.Hit{h}); got != Refusal("de") {
		t.Errorf("%q", got)
	}
}
