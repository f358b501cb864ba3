//go:build shareddata

package check

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"referent/rag"
	asking "referent/rag/answer"
)

// row is a question of ClapNQ with its passage and right answers.
type row struct {
	ID       string `json:"id"`
	Input    string `json:"input"`
	Passages []struct {
		Title string `json:"title"`
		Text  string `json:"text"`
	} `json:"passages"`
	Output []struct {
		Answer string `json:"answer"`
	} `json:"output"`
}

// clapnq reads the questions that have answers. The public sets lie in a folder
// "shared/data" beside the repository, or where REFERENT_SHARED_DATA says.
func clapnq(t *testing.T, name string) []row {
	t.Helper()
	root := os.Getenv("REFERENT_SHARED_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, "clapnq_dev", name))
	if err != nil {
		t.Fatalf("the public sets are needed for this test: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []row
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	if err := lines.Err(); err != nil || len(out) < 100 {
		t.Fatalf("%d rows, %v", len(out), err)
	}
	return out
}

func judged(r, with row, text string) Result {
	return Answer(Input{Answer: text, Question: r.Input, Language: "en", Labels: with.Passages[0].Title, Passages: []rag.Hit{passage(1, with.Passages[0].Text)}})
}

// The check is not won by flagging: right answers are supported by their own
// passage, and hardly any by the passage of another question.
func TestP36_RightAnswersOfClapNQAreSupported(t *testing.T) {
	rows := clapnq(t, "clapnq_dev_answerable.jsonl.gz")
	right, supported, wrong, caught := 0, 0, 0, 0
	reasons := map[string]int{}
	for i, r := range rows {
		other := rows[(i+1)%len(rows)]
		for _, o := range r.Output {
			if o.Answer == "" {
				continue
			}
			right++
			res := judged(r, r, o.Answer)
			if res.Check.Status == rag.CheckSupported {
				supported++
			}
			for _, issue := range res.Check.Issues {
				reasons[issue.Kind]++
			}
			wrong++
			if judged(r, other, o.Answer).Check.Status != rag.CheckSupported {
				caught++
			}
		}
	}
	t.Logf("supported by their own passage: %d of %d (%.3f), issues %v; flagged on another's: %d of %d (%.3f)", supported, right, float64(supported)/float64(right),
		reasons, caught, wrong, float64(caught)/float64(wrong))
	if float64(supported) < 0.85*float64(right) {
		t.Error("less than 85 % of the right answers are supported")
	}
	if float64(caught) < 0.99*float64(wrong) {
		t.Error("more than 1 % of the wrong passages support an answer")
	}
}

// Questions for a fact are not taken for questions about a document.
func TestWholeQuestion_ClapNQIsSearched(t *testing.T) {
	for _, name := range []string{"clapnq_dev_answerable.jsonl.gz", "clapnq_dev_unanswerable.jsonl.gz"} {
		taken := 0
		rows := clapnq(t, name)
		for _, r := range rows {
			if kind, about, ok := asking.WholeQuestion(r.Input); ok {
				named := []asking.Named{{ID: 1, Title: r.Passages[0].Title, Path: "/a.md"}, {ID: 2, Title: "Other", Path: "/b.md"}}
				if _, found := asking.FindDocument(r.Input, kind, about, named, false); found {
					taken++
					t.Logf("%s: %q", kind, r.Input)
				}
			}
		}
		t.Logf("%d of %d", taken, len(rows))
		if taken > len(rows)/50 {
			t.Errorf("%d of %d questions are taken for one about a document", taken, len(rows))
		}
	}
}
