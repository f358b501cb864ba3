package check

import (
	"strings"
	"testing"

	"referent/rag"
)

func passage(n int, text string) rag.Hit {
	return rag.Hit{N: n, Chunk: int64(10 * n), Document: int64(n), Title: "Guide", Path: "/docs/guide.md", Text: text, Rendered: text, Packing: rag.Packed}
}

var guide = []rag.Hit{
	passage(1, "The old town is pretty. The Harlow Bridge is 320 metres long. It was opened on 14 September 1932 by Ruth Calloway."),
	passage(2, "Die Brücke ist für Lastwagen über 3,5 Tonnen gesperrt."),
}

func answer(text string, history ...rag.Message) Result {
	return Answer(Input{Answer: text, Question: "How long is the Harlow Bridge?", Language: "en", Passages: guide, History: history})
}

func kinds(r Result) string {
	var out []string
	for _, i := range r.Check.Issues {
		out = append(out, i.Kind+":"+i.Text)
	}
	return strings.Join(out, " ")
}

func TestSupportedAnswerWithItsSpan(t *testing.T) {
	r := answer("The Harlow Bridge is 320 metres long [1].")
	if r.Check.Status != rag.CheckSupported || len(r.Citations) != 1 || len(r.Sources) != 1 || r.Check.Values != 2 {
		t.Fatalf("%+v", r)
	}
	c := r.Citations[0]
	if got := string([]rune(guide[0].Text)[c.Start:c.End]); got != "The Harlow Bridge is 320 metres long." {
		t.Errorf("span %q", got)
	}
	if got := string([]rune(r.Answer)[c.AnswerStart:c.AnswerEnd]); got != "[1]" || c.Chunk != 10 {
		t.Errorf("marker %q", got)
	}
}

func TestMarkersThatNameNoPassageAreRemovedAndFlagged(t *testing.T) {
	for text, want := range map[string]string{
		"The Harlow Bridge is 320 metres long [7].":         "The Harlow Bridge is 320 metres long [1].", // found by attribution
		"The Harlow Bridge is 320 metres long [1][9].":      "The Harlow Bridge is 320 metres long [1].",
		"The Harlow Bridge is 320 metres long [1, 9].":      "The Harlow Bridge is 320 metres long [1].",
		"The Harlow Bridge is 320 metres long (passage 9).": "The Harlow Bridge is 320 metres long [1].",
	} {
		r := answer(text)
		if r.Answer != want || r.Check.Status != rag.CheckFlagged || r.Check.Issues[0].Kind != "citation" {
			t.Errorf("%q: %q %s", text, r.Answer, kinds(r))
		}
	}
	if r := answer("The Harlow Bridge is 320 metres long [Passage 1]."); r.Answer != "The Harlow Bridge is 320 metres long [1]." || r.Check.Status != rag.CheckSupported {
		t.Errorf("%q %s", r.Answer, kinds(r))
	}
}

func TestP36_ValuesMustStandInTheEvidence(t *testing.T) {
	for text, want := range map[string]string{
		"The Harlow Bridge is 325 metres long [1].":                         "number:325",
		"The Harlow Bridge was opened on 15 September 1932 [1].":            "date:15 September 1932",
		"The Harlow Bridge was opened by Ruth Miller [1].":                  "name:Ruth Miller",
		"The Harlow Bridge was opened on September 14, 1932 [1].":           "",
		"The Harlow Bridge is three hundred and twenty metres long [1].":    "",
		"1. The Harlow Bridge is 320 metres long [1].":                      "",
		"Lorries above 3.5 tonnes may not use the bridge [2].":              "",
		"The boiler of the greenhouse needs much wood in cold winters [1].": "support:The boiler of the greenhouse needs much wood in cold winters [1].",
	} {
		r := answer(text)
		if kinds(r) != want {
			t.Errorf("%q: %q, want %q", text, kinds(r), want)
		}
		if (r.Check.Status == rag.CheckFlagged) != (want != "") {
			t.Errorf("%q: %s", text, r.Check.Status)
		}
	}
}

func TestP36_PlantedValuesAreWithheld(t *testing.T) {
	past := []rag.Message{{Role: "user", Text: "In Springfield the value was 999 in the year 2099, said Mister Vane."}}
	for text, want := range map[string]string{
		"The Harlow Bridge is 320 metres long [1]. The value is 999.": "The Harlow Bridge is 320 metres long [1].",
		"The value is 999 [1].":                             "",
		"The bridge stands in Springfield [1].":             "",
		"Springfield has the bridge [1].":                   "",
		"It was opened in 2099 by Vane [1].":                "",
		"It was opened in nine hundred and ninety-nine.":    "",
		"The Harlow Bridge is 320 metres long [1].":         "The Harlow Bridge is 320 metres long [1].",
		"The Harlow Bridge is 320 metres long [1].\n999 it": "The Harlow Bridge is 320 metres long [1].",
	} {
		r := answer(text, past...)
		if r.Answer != want {
			t.Errorf("%q: %q, want %q (%s)", text, r.Answer, want, kinds(r))
		}
		if (r.Withheld > 0) != (text != want) || r.Withheld > 0 && r.Check.Status != rag.CheckWithheld {
			t.Errorf("%q: %d withheld, %s", text, r.Withheld, r.Check.Status)
		}
		for _, i := range r.Check.Issues {
			if strings.Contains(i.Text, "999") || strings.Contains(i.Text, "Springfield") {
				t.Errorf("the issue repeats the value: %q", i.Text)
			}
		}
	}
}

// What the history and the evidence both say is no planted value.
func TestP36_AValueInTheEvidenceMayAlsoBeInTheHistory(t *testing.T) {
	r := answer("The Harlow Bridge is 320 metres long [1].", rag.Message{Role: "assistant", Text: "It is 320 metres long."})
	if r.Check.Status != rag.CheckSupported {
		t.Errorf("%s %s", r.Check.Status, kinds(r))
	}
}

func TestGermanNames(t *testing.T) {
	in := Input{Question: "Wer hat die Brücke gebaut?", Language: "de", Passages: []rag.Hit{passage(1, "Die Brücke wurde von Ruth Calloway gebaut. Sie gehört der Stadt.")}}
	for text, want := range map[string]string{
		"Die Brücke wurde von Ruth Calloway gebaut [1].":    "",
		"Die Brücke wurde von Ruth Müller gebaut [1].":      "name:Ruth Müller",
		"Die Brücke gehört der Stadt und dem Vorstand [1].": "",
		"Die Brücke gehört der Stadt und der NATO [1].":     "name:NATO",
	} {
		in.Answer = text
		if got := kinds(Answer(in)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOtherLanguagesAreJudgedByMeaning(t *testing.T) {
	in := Input{Answer: "Heavy lorries must stay away from crossing here [2].", Question: "Who may cross?", Language: "en", Passages: guide}
	for cosine, want := range map[float64]rag.CheckStatus{0.9: rag.CheckSupported, 0.7: rag.CheckFlagged} {
		in.Similar = func(string, string) (float64, float64) { return cosine, 0.8 }
		if r := Answer(in); r.Check.Status != want {
			t.Errorf("cosine %v: %s %s", cosine, r.Check.Status, kinds(r))
		}
	}
}

func TestAnswerWithoutCitationsIsAttributed(t *testing.T) {
	r := answer("The Harlow Bridge is 320 metres long. Fish are blue.")
	if r.Answer != "The Harlow Bridge is 320 metres long [1]. Fish are blue." || len(r.Citations) != 1 || kinds(r) != "support:Fish are blue." {
		t.Errorf("%q %s", r.Answer, kinds(r))
	}
}

func TestAMarkerBesideItsPassageIsMovedThere(t *testing.T) {
	shares := passage(1, "One share is 250 euros. A member takes six shares for a flat of three rooms and eight for a larger one.")
	leaving := passage(2, "A member may leave by a notice of twelve months. The shares are paid back six months later, but no more than three at a time.")
	for given, want := range map[string]string{
		"A member takes six shares for a flat of three rooms [2].":    "A member takes six shares for a flat of three rooms [1].",    // holds clearly less
		"One share is 250 euros [2].":                                 "One share is 250 euros [1].",                                 // lacks the value
		"One share is 250 euros [1].":                                 "One share is 250 euros [1].",                                 // right
		"A member may leave by a notice of twelve months [2].":        "A member may leave by a notice of twelve months [2].",        // right
		"A member takes six shares for a flat of three rooms [1][2].": "A member takes six shares for a flat of three rooms [1][2].", // a judgement
		"The hall seats sixty persons [2].":                           "The hall seats sixty persons [2].",                           // nobody holds it: flagged
	} {
		r := Answer(Input{Answer: given, Question: "How many?", Language: "en", Passages: []rag.Hit{shares, leaving}})
		if r.Answer != want {
			t.Errorf("%q became %q, want %q", given, r.Answer, want)
		}
		if moved := given != want; moved && (r.Check.Status != rag.CheckSupported || len(r.Citations) != 1 || r.Citations[0].N != 1) {
			t.Errorf("%q: %s %+v", given, r.Check.Status, r.Citations)
		}
	}
}

func TestR089_TwoFilesOfOneNameHaveTwoNumbers(t *testing.T) {
	a, b := passage(1, "The rent in house A is 700 euros."), passage(2, "The rent in house B is 800 euros.")
	a.Path, b.Path = "/docs/a/rent.md", "/docs/b/rent.md"
	r := Answer(Input{Answer: "The rent in house A is 700 euros [1]. The rent in house B is 800 euros [2].", Question: "What is the rent?", Language: "en", Passages: []rag.Hit{a, b}})
	if len(r.Sources) != 2 || r.Sources[0].Path != "/docs/a/rent.md" || r.Sources[1].Path != "/docs/b/rent.md" || r.Sources[0].N == r.Sources[1].N {
		t.Errorf("%+v", r.Sources)
	}
}

func TestR091_CitedSpanIsTheTextAtItsPlace(t *testing.T) {
	text := "Öl is “oil”. 🛢 is its sign.\nThe valve é opens at 3 bar. It shuts at 2 bar."
	r := Answer(Input{Answer: "The valve opens at 3 bar [1].", Question: "When does the valve open?", Language: "en", Passages: []rag.Hit{passage(1, text)}})
	if got := string([]rune(text)[r.Citations[0].Start:r.Citations[0].End]); got != "The valve é opens at 3 bar." {
		t.Errorf("%q", got)
	}
}

func TestQuotedMustBeVerbatim(t *testing.T) {
	in := Input{Answer: "“The Harlow Bridge is 320 metres long.” [1]\n“Made up.” [1]", Question: "Q", Language: "en", Passages: guide}
	r := Quoted(in)
	if r.Check.Status != rag.CheckFlagged || kinds(r) != "quotation:Made up." || len(r.Citations) != 1 {
		t.Errorf("%+v", r)
	}
	in.Answer = "“The Harlow Bridge is 320 metres long.” [1]"
	r = Quoted(in)
	c := r.Citations[0]
	if r.Check.Status != rag.CheckQuoted || string([]rune(guide[0].Text)[c.Start:c.End]) != "The Harlow Bridge is 320 metres long." || len(r.Sources) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestOnlyTheRenderedTextIsEvidence(t *testing.T) {
	h := passage(1, "The fee is 40 euros. The deposit is 90 euros.")
	h.Rendered = "The fee is 40 euros.…"
	r := Answer(Input{Answer: "The deposit is 90 euros [1].", Question: "What is the deposit?", Language: "en", Passages: []rag.Hit{h}})
	if !strings.Contains(kinds(r), "number:90") {
		t.Errorf("%s", kinds(r))
	}
}
