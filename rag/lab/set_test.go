package lab

import (
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/rag"
)

// sets writes files of question sets, compressed where the name says so, and
// returns their folder.
func sets(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, body := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			z := gzip.NewWriter(f)
			_, err = z.Write([]byte(body))
			err = errors.Join(err, z.Close())
		} else {
			_, err = f.WriteString(body)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

var public = map[string]string{
	"scifact/corpus.jsonl.gz":  `{"_id":"7","title":"Zinc","text":"Zinc helps."}` + "\n" + `{"_id":"8","title":"Iron","text":"Iron does not."}`,
	"scifact/queries.jsonl.gz": `{"_id":"1","text":"Zinc is good."}` + "\n" + `{"_id":"2","text":"Nobody judged this."}`,
	"scifact/qrels_test.tsv":   "query-id\tcorpus-id\tscore\n1\t7\t1\n1\t8\t0\n",
	"xquad/xquad.de.json.gz":   `{"data":[{"paragraphs":[{"context":"Eins.","qas":[{"id":"a","question":"Was?"},{"id":"b","question":"Wo?"}]},{"context":"Zwei.","qas":[]}]}]}`,
	"xquad/xquad.en.json":      `{"data":[{"paragraphs":[{"context":"One.","qas":[{"id":"a","question":"What?"}]}]}]}`,
	"canard/spans_corpus.jsonl.gz": `{"_id":"d#1","title":"Zappa","section":"Disbandment","text":"the Mothers"}` + "\n" +
		`{"_id":"d#2","title":"Zappa","section":"Disbandment","text":"in 1969"}`,
	"canard/spans_queries.jsonl": `{"id":"d#1","turn":1,"title":"Zappa","section":"Disbandment","history":[],"question":"Which group?","human_rewrite":"Which group?","relevant":["d#1"]}` + "\n" +
		`{"id":"d#2","turn":2,"title":"Zappa","section":"Disbandment","history":[{"user":"Which group?","assistant":"the Mothers"}],"question":"When?","human_rewrite":"When did the Mothers disband?","relevant":["d#2"]}`,
	"canard/topic_shift.jsonl.gz": `{"id":"s","history":[{"user":"Tell me about Kirby.","assistant":"OK."}],"question":"Who was Tittle?","relevant":["d#1"],"old_topic":"Kirby"}`,
	"mtrag/corpus_cloud.jsonl.gz": `{"_id":"c1","title":"","text":"Document databases."}`,
	"mtrag/queries.jsonl": `{"id":"x<::>2","domain":"cloud","turn":2,"last_turn":"And graphs?","reference_rewrite":"Are there graph databases?"}` + "\n" +
		`{"id":"y<::>1","domain":"fiqa","turn":1,"last_turn":"Stocks?","reference_rewrite":"Stocks?"}`,
	"mtrag/qrels/cloud.tsv":     "query-id\tcorpus-id\tscore\nx<::>2\tc1\t1\n",
	"mtrag/conversations.jsonl": `{"conversation_id":"x","turns":[{"turn":1,"task_id":"x<::>1","user":"Databases?","agent":"Yes."},{"turn":2,"task_id":"x<::>2","user":"And graphs?","agent":"No."}]}`,
	"trec_cast/topics.jsonl": `{"year":2019,"topic":31,"turn":1,"raw":"What is cancer?","manual_rewrite":"What is cancer?","auto_rewrite":null}` + "\n" +
		`{"year":2019,"topic":31,"turn":2,"raw":"Is it treatable?","manual_rewrite":"Is cancer treatable?","auto_rewrite":null}` + "\n" +
		`{"year":2020,"topic":31,"turn":1,"raw":"Another topic of the same number","manual_rewrite":"x","auto_rewrite":null}` + "\n" +
		`{"year":2022,"topic":1,"turn":"1-2","raw":"Leans on an answer","manual_rewrite":"x","auto_rewrite":null}`,
}

func TestRead_ThePublicLayouts(t *testing.T) {
	root := sets(t, public)
	read := func(suite string) []Set {
		t.Helper()
		got, err := Read(t.Context(), suite, Places{Sets: root})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	said := func(texts ...string) (out []rag.Message) {
		for i, text := range texts {
			out = append(out, rag.Message{Role: []string{"user", "assistant"}[i%2], Text: text})
		}
		return out
	}
	expect := func(s Set, name string, rows int, questions ...Question) {
		t.Helper()
		if s.Name != name || len(s.Rows) != rows {
			t.Errorf("%s with %d passages, not %s with %d", s.Name, len(s.Rows), name, rows)
		}
		if fmt.Sprintf("%+v", s.Questions) != fmt.Sprintf("%+v", questions) {
			t.Errorf("%s:\n%+v\nnot\n%+v", name, s.Questions, questions)
		}
	}
	s1 := read("S1")
	expect(s1[0], "scifact", 2, Question{ID: "1", Text: "Zinc is good.", Relevant: Grades{"7": 1}})
	if r := s1[0].Rows[0]; r.Title != "Zinc" || r.Header != "Zinc" || r.Text != "Zinc helps." || r.Language != "en" {
		t.Errorf("%+v", r)
	}
	s2 := read("S2")
	expect(s2[0], "xquad_de", 2, Question{ID: "a", Text: "Was?", Relevant: Grades{"1": 1}}, Question{ID: "b", Text: "Wo?", Relevant: Grades{"1": 1}})
	expect(s2[1], "xquad_en", 1, Question{ID: "a", Text: "What?", Relevant: Grades{"1": 1}})
	s4 := read("S4")
	expect(s4[0], "mtrag_cloud", 1, Question{ID: "x<::>2", Text: "And graphs?", History: said("Databases?", "Yes."), Slice: "turn_2", Relevant: Grades{"c1": 1}, Reference: "Are there graph databases?"})
	s5 := read("S5")
	follow := Question{ID: "d#2", Text: "When?", History: said("Which group?", "the Mothers"), Slice: "turn_2", Relevant: Grades{"d#2": 1}, Reference: "When did the Mothers disband?"}
	expect(s5[0], "canard", 2, follow)
	follow.History = said("Tell me about Zappa, Disbandment.", "OK.", "Which group?", "the Mothers")
	expect(s5[1], "canard_introduced", 2, follow)
	if got := s5[0].Rows[1].Text; got != "Zappa Disbandment in 1969" {
		t.Errorf("%q", got)
	}
	expect(read("S6")[0], "canard_shift", 2, Question{ID: "s", Text: "Who was Tittle?", History: said("Tell me about Kirby.", "OK."), Relevant: Grades{"d#1": 1}, Reference: "Who was Tittle?", OldTopic: "Kirby"})
	expect(read("S7")[0], "trec_cast", 0, Question{ID: "2019/31/2", Text: "Is it treatable?", History: said("What is cancer?"), Slice: "2019", Reference: "Is cancer treatable?"})
}

func TestRead_ASetThatIsNotThereIsAbsentAndABrokenOneIsNot(t *testing.T) {
	for _, suite := range Suites() {
		if _, err := Read(t.Context(), suite, Places{Sets: t.TempDir(), Sample: t.TempDir()}); !errors.Is(err, ErrAbsent) {
			t.Errorf("%s: %v", suite, err)
		}
	}
	for name, c := range map[string]struct{ suite, file, body, want string }{
		"no json":         {"S1", "scifact/queries.jsonl.gz", `{"_id":"1"}` + "\n{", "object 2"},
		"no judgement":    {"S1", "scifact/qrels_test.tsv", "1\t7\t1\n1 7 1\n", "line 2"},
		"no such turn":    {"S4", "mtrag/conversations.jsonl", "", "no conversation has the turn x<::>2"},
		"no archive":      {"S6", "canard/topic_shift.jsonl", "[]", "object 1"},
		"another squad":   {"S2", "xquad/xquad.de.json", "{", "xquad.de.json"},
		"negative grades": {"S1", "scifact/qrels_test.tsv", "1\t7\t-1\n", "line 1"},
	} {
		files := map[string]string{}
		for k, v := range public {
			files[k] = v
		}
		files[c.file] = c.body
		_, err := Read(t.Context(), c.suite, Places{Sets: sets(t, files)})
		if err == nil || errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var own = map[string]string{
	"corpus.jsonl": `{"id":"a","title":"Harlow Bridge","text":"The Harlow Bridge is 320 metres long."}
{"id":"b","title":"Harlow Bridge","text":"The Harlow Bridge was opened in 1932 by the mayor."}
{"id":"c","title":"Boiler","text":"The boiler pressure must be 1.5 bar."}
{"id":"d","title":"Mill","text":"The mill was closed when the river ran dry."}`,
	"queries.jsonl": `{"id":"1","text":"How long is the Harlow Bridge?","history":[],"kind":""}
{"id":"2","text":"When was it opened?","history":[{"role":"user","text":"How long is the Harlow Bridge?"},{"role":"assistant","text":"320 metres."}],"kind":"pronoun"}
{"id":"3","text":"What pressure must the boiler have?","history":[{"role":"user","text":"How long is the Harlow Bridge?"},{"role":"assistant","text":"320 metres."}],"kind":"topic_shift"}`,
	"qrels.tsv": "1\ta\t2\n1\tb\t1\n2\tb\t1\n3\tc\t1\n",
}

func TestRead_ASetOfOnesOwn(t *testing.T) {
	root := sets(t, own)
	got, err := Read(t.Context(), SuiteOwn, Places{Sets: root})
	if err != nil {
		t.Fatal(err)
	}
	s := got[0]
	if s.Name != filepath.Base(root) || len(s.Rows) != 4 || len(s.Questions) != 3 || s.Questions[0].Relevant["a"] != 2 || s.Questions[1].Slice != "pronoun" || len(s.Questions[1].History) != 2 {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct{ file, body, want string }{
		{"qrels.tsv", "1\ta\t1\n", `the question "2" has no judgement`},
		{"qrels.tsv", own["qrels.tsv"] + "1\tx\t1\n", `"x" is judged and not in the corpus`},
		{"queries.jsonl", own["queries.jsonl"] + `{"id":"1","text":"Again?"}`, `two questions have the id "1"`},
		{"corpus.jsonl", `{"id":"a","text":"x"}{"id":"a","text":"y"}`, `two passages have the id "a"`},
		{"queries.jsonl", `{"id":"9","text":"Q"}`, `the question "9" has no judgement`},
	} {
		files := map[string]string{"corpus.jsonl": own["corpus.jsonl"], "queries.jsonl": own["queries.jsonl"], "qrels.tsv": own["qrels.tsv"]}
		files[c.file] = c.body
		if _, err := Read(t.Context(), SuiteOwn, Places{Sets: sets(t, files)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.file, err)
		}
	}
}

func TestSample_IsTheSameEverywhereAndKeepsTheOrder(t *testing.T) {
	var all []Question
	for i := range 50 {
		all = append(all, Question{ID: fmt.Sprint(i)})
	}
	ids := func(questions []Question) (out []string) {
		for _, q := range questions {
			out = append(out, q.ID)
		}
		return out
	}
	ten := ids(Sample(all, 10))
	reversed := slices.Clone(all)
	slices.Reverse(reversed)
	again := ids(Sample(reversed, 10))
	slices.Reverse(again)
	if len(ten) != 10 || !slices.Equal(ten, again) {
		t.Errorf("%v, and of the reversed list %v", ten, again)
	}
	for _, id := range ten {
		if !slices.Contains(ids(Sample(all, 20)), id) {
			t.Errorf("%s is in the smaller sample only", id)
		}
	}
	if len(Sample(all, 0)) != 50 || len(Sample(all, 90)) != 50 {
		t.Error("no bound, or one above")
	}
	var before string
	for i, id := range ten {
		if i > 0 && len(before) == len(id) && before >= id {
			t.Errorf("%v is out of order", ten)
		}
		before = id
	}
}

func TestPlan_FewerPassagesHoldTheRightOnes(t *testing.T) {
	var s Set
	for i := range 40 {
		id := fmt.Sprint(i)
		s.Rows = append(s.Rows, Row{ID: id})
		s.Questions = append(s.Questions, Question{ID: id, Relevant: Grades{id: 1, fmt.Sprint((i + 7) % 40): 1}})
	}
	few := Plan{Sample: 4, Passages: 12}.fewer(s)
	if len(few.Questions) != 4 || len(few.Rows) != 12 {
		t.Fatalf("%d questions, %d passages", len(few.Questions), len(few.Rows))
	}
	have := map[string]bool{}
	for _, r := range few.Rows {
		have[r.ID] = true
	}
	for _, q := range few.Questions {
		for id := range q.Relevant {
			if !have[id] {
				t.Errorf("%s is missing", id)
			}
		}
	}
	if more := (Plan{Sample: 4, Passages: 3}).fewer(s); len(more.Rows) < 4 {
		t.Errorf("right passages were left out: %d", len(more.Rows))
	}
	for _, whole := range []Set{{Rows: s.Rows, Questions: s.Questions, Manner: MannerAnswer}, {Rows: s.Rows}} {
		if got := (Plan{Sample: 4, Passages: 12}).fewer(whole); len(got.Rows) != 40 {
			t.Errorf("%d passages of a set that is not judged by them", len(got.Rows))
		}
	}
	if got := (Plan{Sample: 4}).fewer(s); len(got.Rows) != 40 || len(got.Questions) != 40 {
		t.Error("bounded without a bound")
	}
}
