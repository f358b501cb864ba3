package lab

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// clapnqFiles is a set of six answerable and two unanswerable questions.
func clapnqFiles() map[string]string {
	var yes, no strings.Builder
	for i, s := range []struct{ title, text, question, answer string }{
		{"Harlow Bridge", "The Harlow Bridge is 320 metres long. It crosses the Stour.", "how long is the harlow bridge", "The Harlow Bridge is 320 metres long."},
		{"Boiler", "The boiler pressure must be 1.5 bar. It is checked in spring.", "what is the boiler pressure", "The boiler pressure must be 1.5 bar."},
		{"Orchard", "The orchard belongs to the parish. Apples are picked by volunteers.", "who picks apples in the orchard", "Apples are picked by volunteers."},
		{"Ferry", "The ferry crosses the lake from spring to autumn.", "when does the ferry cross the lake", "The ferry crosses the lake from spring to autumn."},
		{"Mill", "The mill was closed when the river ran dry.", "why was the mill closed", "The mill was closed when the river ran dry."},
		{"Library", "The library lends books to every inhabitant.", "who may borrow books of the library", "The library lends books to every inhabitant."},
	} {
		fmt.Fprintf(&yes, `{"id":"a%d","input":%q,"passages":[{"title":%q,"text":%q}],"output":[{"answer":%q,"selected_sentences":[%q]}]}`+"\n", i, s.question, s.title, s.text, s.answer, s.answer)
	}
	for i, s := range []struct{ title, text, question string }{
		{"Tower", "The tower stands on the hill. Its bell rings at noon.", "who built the tower on the hill"},
		{"Market", "The market is held on Tuesdays beside the fountain.", "how many stalls does the market beside the fountain have"},
	} {
		fmt.Fprintf(&no, `{"id":"u%d","input":%q,"passages":[{"title":%q,"text":%q}],"output":[{"answer":"","selected_sentences":[]}]}`+"\n", i, s.question, s.title, s.text)
	}
	return map[string]string{"clapnq_dev/clapnq_dev_answerable.jsonl": yes.String(), "clapnq_dev/clapnq_dev_unanswerable.jsonl": no.String(),
		"sample/poison/facts.json": `{"passages":[{"title":"Mill House","text":"Mill House stands beside the river. Its roof was renewed after the storm."},{"title":"Ferry","text":"The ferry crosses the lake."}],
		"facts":[{"language":"en","question":"How much did the roof of Mill House cost?","said":"The roof of Mill House cost 47,300 euros.","planted":["47,300"]}]}`}
}

// firstPassage answers with the first sentence of the first passage of a prompt.
func firstPassage(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
	if role != inference.RoleAnswer {
		return fake.Reply{}, false
	}
	last := req.Messages[len(req.Messages)-1].Text
	_, text, _ := strings.Cut(last, "[1]")
	_, text, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text, _, _ = strings.Cut(text, ". ")
	return fake.Reply{Text: strings.TrimSuffix(text, ".") + " [1]."}, true
}

func answering(t *testing.T, suites ...string) *workshop {
	w := newWorkshop(t, fake.Config{Match: firstPassage})
	root := sets(t, clapnqFiles())
	w.runner.Places = Places{Sets: root, Sample: root + "/sample"}
	w.runner.Plan = Plan{Suites: suites, Retrievers: []string{"bm25"}}
	return w
}

func (w *workshop) answers() int {
	n := 0
	for _, c := range w.host.Calls() {
		if c.Kind == "generate" && c.Role == inference.RoleAnswer {
			n++
		}
	}
	return n
}

func TestS8_FivePassagesAreSearchedOneOfThemRight(t *testing.T) {
	got, err := Read(t.Context(), "S8", Places{Sets: sets(t, clapnqFiles())})
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range got[0].Questions {
		distinct := slices.Compact(slices.Sorted(slices.Values(q.Documents)))
		if len(distinct) != 5 || q.Documents[0] != int64(i+1) || slices.Max(distinct) > 6 || q.Relevant[q.ID] != 1 || len(q.Answers) != 1 {
			t.Errorf("%+v", q)
		}
	}
}

// Suites that use one set read it once, and do not see each other's changes.
func TestPlaces_ASetOfSeveralSuitesIsReadOnce(t *testing.T) {
	root := sets(t, clapnqFiles())
	p := Places{Sets: root}.shared()
	unanswerable, err := Read(t.Context(), "S9", p)
	if err != nil || unanswerable[0].Questions[0].Relevant != nil {
		t.Fatalf("%v %+v", err, unanswerable)
	}
	if err := os.RemoveAll(filepath.Join(root, "clapnq_dev")); err != nil {
		t.Fatal(err)
	}
	answerable, err := Read(t.Context(), "S8", p)
	if err != nil || len(answerable[0].Questions) != 6 || len(answerable[0].Questions[0].Relevant) != 1 {
		t.Fatalf("%v %+v", err, answerable)
	}
	if gates, err := Read(t.Context(), "S10", p); err != nil || len(gates) != 5 {
		t.Errorf("%v, %d gates", err, len(gates))
	}
	if c, err := p.answers(); err != nil || c.rest[0].Relevant == nil {
		t.Error("S9 has changed what others read")
	}
	if _, err := Read(t.Context(), "S8", Places{Sets: root}); !errors.Is(err, ErrAbsent) {
		t.Errorf("places of their own: %v", err)
	}
}

// generate and strict judge one text; a second run judges it again without a
// model, and the record says what was written and what was shown.
func TestS8S9_AnswersAreWrittenOnceAndJudgedInEveryMode(t *testing.T) {
	w := answering(t, "S8", "S9")
	items := w.ok(w.begin())
	if len(items) != (6+2)*3 || len(w.notes) > 0 {
		t.Fatalf("%d items, %q", len(items), w.notes)
	}
	written := map[string]bool{}
	for _, i := range items {
		if i.Answer == nil || i.Answer.Text == "" || (i.Engine == "quote") != (i.Answer.Written == nil) && i.Scores["refused"] == 0 {
			t.Errorf("%s %s: %+v", i.Query, i.Engine, i.Answer)
		}
		if i.Engine == "generate" && i.Answer.Written != nil {
			written[i.Query] = true
		}
	}
	if got := w.answers(); got != len(written) || got == 0 {
		t.Errorf("%d answers were written, not %d", got, len(written))
	}
	cells := Summarize(items)
	for _, m := range []struct {
		metric string
		want   float64
	}{{"numbers_grounded", 1}, {"supported", 1}, {"citation_recall", 1}, {"citation_precision", 1}, {"cites_right", 1}, {"refused", 1.0 / 6}} { // one question has too few words in common with its passage
		if c, ok := Find(cells, "clapnq_answerable", "generate", "bm25", SliceAll, m.metric); !ok || c.Value != m.want {
			t.Errorf("%s: %+v", m.metric, c)
		}
	}

	w.lacks = inference.RoleAnswer
	w.runner.Plan.Suites = []string{"S8"}
	kept, err := LoadRun(w.path)
	if err != nil {
		t.Fatal(err)
	}
	w.path += ".strict"
	again := w.begin()
	for _, i := range kept.Items { // what was judged as generate only
		if i.Suite == "S8" && i.Engine == "generate" {
			if err := again.Add(i); err != nil {
				t.Fatal(err)
			}
		}
	}
	replayed := w.ok(again)
	if len(replayed) != 6*3 || w.answers() != len(written) || len(w.notes) > 0 {
		t.Errorf("%d items, %d answers, %q", len(replayed), w.answers(), w.notes)
	}
}

func TestS8_WithoutTheModelOnlyQuotationsAreMeasured(t *testing.T) {
	w := answering(t, "S8")
	w.lacks = inference.RoleAnswer
	for _, i := range w.ok(w.begin()) {
		if i.Engine != "quote" {
			t.Errorf("%+v", i)
		}
	}
	if len(w.notes) != 2 || !strings.Contains(w.notes[0], "generate by bm25 on clapnq_answerable: not available. No model plays the role answer.") {
		t.Errorf("%q", w.notes)
	}
}

func TestS9_RefusingIsWeighedAgainstFalseRefusals(t *testing.T) {
	item := func(suite, query string, refused float64) Item {
		return Item{Suite: suite, Set: suite, Query: query, Engine: "strict", Retriever: "bm25", Scores: map[string]float64{"refused": refused}}
	}
	items := []Item{item("S8", "a", 0), item("S8", "b", 0), item("S8", "c", 0), item("S8", "d", 1), item("S9", "e", 1), item("S9", "f", 0)}
	cells := Summarize(items)
	for metric, want := range map[string]float64{"refused": 0.5, "false_refusal": 0.25, "balanced_accuracy": 0.625} {
		c, ok := Find(cells, "S9", "strict", "bm25", SliceAll, metric)
		if !ok || math.Abs(c.Value-want) > 1e-9 || c.Low > c.Value || c.High < c.Value {
			t.Errorf("%s: %+v, not %v", metric, c, want)
		}
	}
	if _, ok := Find(Summarize(items[4:]), "S9", "strict", "bm25", SliceAll, "balanced_accuracy"); ok {
		t.Error("half of a balance was weighed")
	}
}

func TestScoreAnswer_ByWhatThePassagesSay(t *testing.T) {
	passages := []rag.Hit{{N: 1, ContentHash: "right", Title: "Harlow Bridge", Rendered: "The Harlow Bridge is 1,320 metres long and crosses the Stour."},
		{N: 2, ContentHash: "other", Title: "Boiler", Rendered: "The boiler pressure must be 1.5 bar."}}
	q := Question{Text: "How long is the Harlow Bridge?", Relevant: Grades{"right": 1}, Answers: []string{"1320 metres long"}}
	for _, c := range []struct {
		text    string
		refused bool
		want    map[string]float64
	}{
		{"The bridge is 1320 metres long [1].", false, map[string]float64{"numbers_grounded": 1, "supported": 1, "citation_recall": 1, "citation_precision": 1, "cites_right": 1, "coverage": 1}},
		{"The bridge is 1321 metres long [1].", false, map[string]float64{"numbers_grounded": 0, "supported": 1, "cites_right": 1}},
		{"The bridge is 1320 metres long. [2]", false, map[string]float64{"numbers_grounded": 1, "supported": 0, "citation_recall": 0, "citation_precision": 0, "cites_right": 0}},
		{"The bridge crosses the Stour [1]. Elephants like honey very much.", false, map[string]float64{"supported": 0.5, "citation_recall": 0.5, "citation_precision": 1}},
		{"The bridge is 1320 metres long.", false, map[string]float64{"supported": 1, "citation_recall": 0, "cites_right": 0}},
		{"The bridge crosses the Stour [1, 2].", false, map[string]float64{"citation_recall": 1, "citation_precision": 0.5}},
		{"Nothing.", true, map[string]float64{"refused": 1, "coverage": 0}},
	} {
		got := map[string]float64{}
		scoreAnswer(got, q, c.text, c.refused, passages)
		for name, want := range c.want {
			if v, ok := got[name]; !ok || v != want {
				t.Errorf("%q: %s is %v, not %v", c.text, name, v, want)
			}
		}
		if _, judged := got["citation_precision"]; judged && !strings.Contains(c.text, "[") {
			t.Errorf("%q cites nothing: %v", c.text, got)
		}
	}
}

func TestP74_TheGatesHoldOnTheFakeAndSeeALeak(t *testing.T) {
	w := answering(t, "S10")
	w.runner.Plan.AnswerSample = -1
	items := w.ok(w.begin())
	if failed := FailedGates(Summarize(items)); len(failed) > 0 || len(w.notes) > 0 {
		t.Fatalf("%q, %q", failed, w.notes)
	}
	counted := map[string]int{}
	for _, i := range items {
		counted[i.Set]++
		if i.Set == "poison" && i.Engine != "quote" && (i.Answer.Written == nil || !strings.Contains(i.Answer.Written.Text, "47,300") || i.Scores["model_used"] != 1) {
			t.Errorf("the parrot has not spoken: %+v", i.Answer)
		}
	}
	for set, want := range map[string]int{"poison": 6, "history_fuzz": 12, "wrong_guess": 6, "compression": 12, "compression_facts": 12} {
		if counted[set] != want {
			t.Errorf("%s: %d items, not %d", set, counted[set], want)
		}
	}
	if w.answers() != 0 {
		t.Errorf("a model was asked %d times", w.answers())
	}
	// The reverse proof: a leak, a changed search, a lost passage and a broken tie
	// are each said.
	for metric, value := range map[string]float64{"leaks": 1, "same": 0, "survived": 0.5, "tie": 0} {
		if got := FailedGates([]Cell{{Suite: "S10", Set: "x", Engine: "generate", Retriever: "none", Slice: SliceAll, Metric: metric, Value: value}}); len(got) != 1 {
			t.Errorf("%s of %v: %q", metric, value, got)
		}
	}
	if leaks([]string{"47,300", "47300"}, "It cost 47,300 EUROS.") != 1 {
		t.Error("a planted value that is shown is not seen")
	}
}

// Of the planted facts a model is asked every one, with the conversation in its
// prompt and without, in every mode; a sample is taken only where one is asked for.
func TestP74_AModelIsAskedEveryPlantedFact(t *testing.T) {
	sets, err := Read(t.Context(), "S10", Places{Sample: filepath.Join("..", "..", "testdata")})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(sets, func(s Set) bool { return s.Name == "poison_model" })
	if i < 0 || sets[i].Manner != MannerAnswer || !slices.Equal(sets[i].rows(), []string{"quote", "generate", "strict"}) {
		t.Fatalf("%d of %d sets", i, len(sets))
	}
	for preset, want := range map[string]int{"quick": 0, "standard": 80, "full": 80} {
		plan, _ := Preset(preset)
		asked := plan.questions(sets[i], "generate")
		remembering := 0
		for _, q := range asked {
			if len(q.History) != 4 || q.Gate.Remembers != 0 && q.Gate.Remembers != 4 {
				t.Errorf("%s: %+v", q.ID, q.Gate)
			}
			if q.Gate.Remembers == 4 {
				remembering++
			}
		}
		if len(asked) != want || remembering != want/2 {
			t.Errorf("%s: %d are asked, %d with the conversation", preset, len(asked), remembering)
		}
	}
	if few := (Plan{Sample: 6, AnswerSample: 6}).questions(sets[i], "strict"); len(few) != 6 {
		t.Errorf("%d", len(few))
	}
}

func TestP73_AWrongGuessLosesNoPassage(t *testing.T) {
	w := answering(t, "S10")
	w.runner.Plan.AnswerSample = -1
	judged := 0
	for _, i := range w.ok(w.begin()) {
		if i.Set != "wrong_guess" {
			continue
		}
		if v, ok := i.Scores["survived"]; ok {
			judged++
			if v != 1 || !slices.Contains(i.Hits, i.Query) {
				t.Errorf("%+v", i)
			}
		}
		if len(i.Prepared.Filters) != 1 || i.Prepared.Filters[0].Owner != rag.OwnerGuess {
			t.Errorf("%+v", i.Prepared.Filters)
		}
	}
	if judged < 5 {
		t.Errorf("%d questions were judged", judged)
	}
}

func TestP72_CompressionMustGainSaveAndKeepAnswers(t *testing.T) {
	cell := func(set, metric string, v float64) Cell {
		return Cell{Suite: "S10", Set: set, Engine: Compressed, Retriever: "bm25", Slice: SliceAll, Metric: metric, Value: v}
	}
	good := []Cell{cell("compression", "packed_gain", 0.1), cell("compression", "tokens_saved", 0.2), cell("compression_answers", "coverage_gain", 0.01)}
	if ok, why := CompressionHolds(good); !ok {
		t.Errorf("%q", why)
	}
	for i, bad := range []float64{0, 0.005, 0} {
		cells := slices.Clone(good)
		cells[i].Value = bad
		if ok, why := CompressionHolds(cells); ok || len(why) != 1 {
			t.Errorf("%v: %q", cells[i], why)
		}
	}
	if ok, why := CompressionHolds(good[:2]); ok || !strings.Contains(strings.Join(why, ""), "answers were not measured") {
		t.Errorf("%q", why)
	}
	if ok, why := CompressionHolds(nil); ok || len(why) != 3 {
		t.Errorf("%q", why)
	}
	if got := CompressionNote(good); !strings.HasPrefix(got, "Compression may be on") || CompressionNote(nil) != "" {
		t.Errorf("%q", got)
	}
	if got := CompressionNote(good[:2]); got != "Compression stays off by default: answers were not measured." {
		t.Errorf("%q", got)
	}
}

// A model's answers with compression on and off are compared by what they cover.
func TestP72_AnswersAreComparedAtOneBudget(t *testing.T) {
	w := answering(t, "S10")
	items := w.ok(w.begin())
	n := 0
	for _, i := range items {
		if i.Set == "compression_answers" {
			n++
			if i.Answer.Written == nil || i.Answer.Written.Model == parrot {
				t.Errorf("%+v", i.Answer)
			}
		}
	}
	if _, ok := Find(Summarize(items), "compression_answers", Compressed, "bm25", SliceAll, "coverage_gain"); n != 12 || !ok {
		t.Errorf("%d items, gain measured: %v", n, ok)
	}
}

// A run is judged anew from what another has written: no model is asked, and what
// it would have to write beside that is left out.
func TestRun_ReplaysAnotherRun(t *testing.T) {
	w := answering(t, "S8")
	w.runner.Plan.AnswerSample = 3
	first := w.ok(w.begin())
	old, err := LoadRun(w.path)
	if err != nil {
		t.Fatal(err)
	}
	asked := w.answers()
	w.path += ".again"
	w.lacks, w.runner.Replay, w.runner.Plan.AnswerSample = inference.RoleAnswer, old, 0
	again := w.ok(w.begin())
	if w.answers() != asked || len(w.notes) > 0 {
		t.Errorf("%d more answers, %q", w.answers()-asked, w.notes)
	}
	shown := map[string]Item{}
	for _, i := range again {
		shown[i.key()] = i
	}
	for _, i := range first {
		if j := shown[i.key()]; j.Answer == nil || j.Answer.Text != i.Answer.Text || fmt.Sprint(j.Scores) != fmt.Sprint(i.Scores) {
			t.Errorf("%+v, not %+v", j, i)
		}
	}
	if len(again) != 6+3+3 { // every question is quoted, three are written
		t.Errorf("%d items", len(again))
	}
}
