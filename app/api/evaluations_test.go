package api

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/app/api/public"
	"referent/app/api/wire"
)

// questionSet chooses a folder with a small public set.
func (d *desk) questionSet() {
	d.t.Helper()
	dir := filepath.Join(d.t.TempDir(), "scifact")
	if err := os.Mkdir(dir, 0o755); err != nil {
		d.t.Fatal(err)
	}
	for name, body := range map[string]string{
		"corpus.jsonl": `{"_id":"1","title":"Harlow Bridge","text":"The Harlow Bridge is 320 metres long."}` + "\n" +
			`{"_id":"2","title":"Boiler","text":"The boiler pressure must be 1.5 bar."}` + "\n",
		"queries.jsonl":  `{"_id":"1","text":"How long is the Harlow Bridge?"}` + "\n",
		"qrels_test.tsv": "1\t1\t1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	if err := d.app.SetLabFolder(d.t.Context(), filepath.Dir(dir)); err != nil {
		d.t.Fatal(err)
	}
}

// reply checks a body against its schema and reads it.
func reply[R any](t *testing.T, schema string, r response) (out R) {
	t.Helper()
	described(t, wire.Described.Schema(schema), schema, r.body)
	if err := json.Unmarshal(r.body, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEvaluations_AreStartedFollowedAndRead(t *testing.T) {
	d := newDesk(t, nil)
	d.questionSet()
	run := reply[public.EvaluationRun](t, "EvaluationRun", d.expect(200, "POST", "/api/v1/evaluations", map[string]any{"suites": []any{"S1"},
		"retrievers": []any{"bm25"}}))
	deadline := time.Now().Add(time.Minute)
	for run.State == app.EvalRunning {
		if time.Now().After(deadline) {
			t.Fatalf("still running: %+v", run)
		}
		run = reply[public.EvaluationResult](t, "EvaluationResult", d.expect(200, "GET", "/api/v1/evaluations/"+run.ID, nil)).Evaluation
	}
	if run.State != app.EvalFinished || run.Questions != 1 {
		t.Errorf("%+v", run)
	}
	result := reply[public.EvaluationResult](t, "EvaluationResult", d.expect(200, "GET", "/api/v1/evaluations/"+run.ID, nil))
	if len(result.Figures) == 0 || result.Engine != nil || !strings.HasPrefix(result.Verdict, "Nothing is decided") {
		t.Errorf("%+v", result)
	}
	if strings.Contains(string(d.expect(200, "GET", "/api/v1/evaluations/"+run.ID, nil).body), "Harlow") {
		t.Error("a question or a passage is given")
	}
	list := reply[public.EvaluationRuns](t, "EvaluationRuns", d.expect(200, "GET", "/api/v1/evaluations", nil))
	if len(list.Evaluations) != 1 || list.Evaluations[0].ID != run.ID {
		t.Errorf("%+v", list)
	}
	reply[public.EvaluationRun](t, "EvaluationRun", d.expect(200, "POST", "/api/v1/evaluations/"+run.ID+"/cancel", nil))
	d.expect(422, "POST", "/api/v1/evaluations", map[string]any{"suites": []any{"S99"}})
}

func TestEvaluations_OnesOwnTestsStayAtHome(t *testing.T) {
	d := newDesk(t, nil)
	d.expect(200, "POST", "/api/v1/ask", map[string]any{"question": howLong, "store": true})
	detail, err := d.app.Conversation(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	draft, err := d.app.ProposeTest(t.Context(), detail.Turns[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	draft.Test.Passages[0].Right = true
	if _, err := d.app.SaveTest(t.Context(), draft.Test); err != nil {
		t.Fatal(err)
	}
	run, err := d.app.RunTests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list := reply[public.EvaluationRuns](t, "EvaluationRuns", d.expect(200, "GET", "/api/v1/evaluations", nil))
	if len(list.Evaluations) != 0 {
		t.Errorf("%+v", list)
	}
	d.expect(404, "GET", "/api/v1/evaluations/"+run.ID, nil)
	d.expect(404, "POST", "/api/v1/evaluations/"+run.ID+"/cancel", nil)
}
