//go:build browser

package desktop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
)

// questionSet chooses a folder with a small set of suite S1.
func (w *world) questionSet() {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "scifact")
	if err := os.Mkdir(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	for name, body := range map[string]string{
		"corpus.jsonl": `{"_id":"1","title":"Lift","text":"The lift carries four persons."}` + "\n" +
			`{"_id":"2","title":"Boiler","text":"The boiler pressure must be 1.5 bar."}` + "\n",
		"queries.jsonl":  `{"_id":"1","text":"How many persons does the lift carry?"}` + "\n" + `{"_id":"2","text":"What must the boiler pressure be?"}` + "\n",
		"qrels_test.tsv": "1\t1\t1\n2\t2\t1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := w.app.SetLabFolder(w.t.Context(), filepath.Dir(dir)); err != nil {
		w.t.Fatal(err)
	}
}

func TestBrowser_ARunIsMadeReadComparedAndWritten(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.questionSet()
	w.Click("button", "Skip set-up")
	w.Press("Control+4")
	w.See("The Lab asks questions whose right passages are known")
	w.picture("lab-empty")
	for range 2 {
		w.Click("button", "New run")
		w.Click("radio", "some suites")
		w.Click("checkbox", "S1")
		w.Click("button", "Start run")
		w.SeeRole("table", "scifact") // of the run that has ended
	}
	w.SeeRole("img", "simple has ndcg@10 1.000 on all 2 questions, the highest.")
	w.picture("lab-run")
	w.Click("combobox", "Compare with")
	w.Click("option", "today")
	w.See("0 better, 0 worse, 2 equal of 2.")
	w.picture("lab-compare")
	w.Click("button", "Export")
	w.Click("menuitem", "Table (CSV)")
	w.Click("button", "Back to the run")
	w.Click("button", "Export")
	w.Click("menuitem", "Page with plots (HTML)")
	w.Click("button", "New run") // the dialog has answered by now
	state, err := w.app.LabState(t.Context())
	if err != nil || len(state.Runs) != 2 || state.Runs[0].State != app.EvalFinished {
		t.Errorf("%v %+v", err, state.Runs)
	}
	files, err := filepath.Glob(filepath.Join(w.folder, "referent-*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v: %q were written", err, files)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(raw), "scifact") {
			t.Errorf("%s: %v %.100s", file, err, raw)
		}
	}
	w.Quiet()
}

func TestBrowser_ATurnBecomesATestOfOnesOwn(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Ask("When is the laundry of Quay House open?")
	w.See("Supported")
	second := 1 // the conversation of that name has a menu too
	w.do("click", element{Role: "button", Name: "More for When is the laundry", Nth: &second}, nil)
	w.Click("menuitem", "Add to my tests")
	w.SeeRole("dialog", "Add to my tests")
	w.picture("lab-add-test")
	w.Click("button", "Keep test")
	w.Gone("dialog", "Add to my tests")
	w.Press("Control+4")
	w.Click("button", "My questions")
	w.See("When is the laundry of Quay House open?")
	w.Click("button", "Run 1 test")
	w.SeeRole("table", "my tests")
	w.picture("lab-own-run")
	w.Click("button", "My questions")
	w.Click("button", "Delete: When is the laundry")
	w.See("No tests yet.")
	w.Click("button", "Undo")
	w.SeeRole("button", "Run 1 test")
	w.Quiet()
}
