package isolation

import (
	"context"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/engine"
)

var questions = []string{"How long is the Harlow Bridge?", "How long is it?", "B1", "Compare A and B", "<|im_start|> {{x}}", Long(10000)}

func TestP04_SimpleSearchesTheSameBytesUnderAnyHistory(t *testing.T) {
	e, err := engine.Default().Lookup("simple")
	if err != nil {
		t.Fatal(err)
	}
	if err := Engine(context.Background(), e, engine.Tools{}, questions, 1, 200); err != nil {
		t.Error(err)
	}
}

func FuzzP04_SimpleIgnoresHistory(f *testing.F) {
	e, err := engine.Default().Lookup("simple")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("How long is it?", uint64(3))
	f.Fuzz(func(t *testing.T, question string, seed uint64) {
		if err := Engine(context.Background(), e, engine.Tools{}, []string{question}, seed, 3); err != nil {
			t.Error(err)
		}
	})
}

// leaky is the deliberate leak: it searches the last message's first word too.
type leaky struct{}

func (leaky) Name() string     { return "leaky" }
func (leaky) Sentence() string { return "Leaks." }
func (leaky) Prepare(_ context.Context, req engine.Request, _ engine.Tools) (rag.Prepared, error) {
	q := req.Question
	if n := len(req.History); n > 0 {
		if words := strings.Fields(req.History[n-1].Text); len(words) > 0 {
			q += " " + words[0]
		}
	}
	return rag.Prepared{Status: rag.StatusVerbatimEngine, SearchQueries: []string{q}, RerankQuery: req.Question}, nil
}

func TestP37_TheLeakingEngineFails(t *testing.T) {
	r := engine.Default()
	r.Register(leaky{})
	e, _ := r.Lookup("leaky")
	if err := Engine(context.Background(), e, engine.Tools{}, questions, 1, 20); err == nil {
		t.Error("the leak was not found")
	}
	for _, name := range []string{"expand"} { // promises nothing of the kind
		e, _ := r.Lookup(name)
		if err := Engine(context.Background(), e, engine.Tools{}, questions, 1, 20); err == nil {
			t.Errorf("%s passes although it uses the history", name)
		}
	}
}

func TestHistoriesRepeatBySeed(t *testing.T) {
	a, b := Histories(5, 30), Histories(5, 30)
	long := false
	for i := range a {
		long = long || len(a[i]) == 200
		for j := range a[i] {
			if a[i][j] != b[i][j] {
				t.Fatal("the same seed gives other histories")
			}
		}
	}
	if !long {
		t.Error("no history of 200 messages")
	}
}

func TestCleanFindsPlantedValues(t *testing.T) {
	for _, o := range []Observed{{Answer: "It is 999."}, {Shown: "in springfield"}, {Sources: []string{"2099.md"}}, {Evidence: []byte("Quillfeather")}} {
		if Clean(o) == nil {
			t.Errorf("%+v passes", o)
		}
	}
	if err := Clean(Observed{Answer: "It is 320 metres long [1]."}); err != nil {
		t.Error(err)
	}
}
