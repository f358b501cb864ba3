package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"

	"referent/rag"
)

// Forgotten is what shall leave no trace in own tests and their runs.
type Forgotten struct {
	Documents []int64                // by their number in the library, which they have left
	Held      func(hash string) bool // tells whether another document holds a passage
	Replies   []string               // answers that rest on them
}

// Tests takes the passages of the documents out, and the replies that rest on
// them. A test that loses a passage loses all replies of its history; one that
// loses every passage is gone. touched are the ids of tests that lost something.
func (f Forgotten) Tests(tests []Test) (kept []Test, touched map[string]bool) {
	touched = map[string]bool{}
	for _, t := range tests {
		var left []TestPassage
		for _, p := range t.Passages {
			its := p.Document == 0 || slices.Contains(f.Documents, p.Document) // the number of an older test is not known
			switch {
			case !its:
			case f.Held(p.ID):
				p.Document = 0 // it is another document's now
			default:
				touched[t.ID] = true
				continue
			}
			left = append(left, p)
		}
		history := slices.DeleteFunc(slices.Clone(t.History), func(m rag.Message) bool {
			return m.Role == "assistant" && (touched[t.ID] || slices.Contains(f.Replies, m.Text))
		})
		if len(history) < len(t.History) {
			touched[t.ID] = true
		}
		if t.Passages, t.History = left, history; len(left) > 0 {
			kept = append(kept, t)
		}
	}
	return kept, touched
}

// ForgetSearched erases from the file of a run how the questions of own tests were
// searched: rewrites take words from what they read. What was found, by hash, and
// how it was judged stays.
func ForgetSearched(path string, tests map[string]bool) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	changed := false
	for line := range bytes.Lines(raw) {
		var i Item
		if err := json.Unmarshal(line, &i); err == nil && i.Set == TestsSet && tests[i.Query] && i.Engine != "" {
			i.Prepared = rag.Prepared{Engine: i.Prepared.Engine, Status: i.Prepared.Status, Reason: i.Prepared.Reason, OriginalQuery: i.Prepared.OriginalQuery,
				LatencyMS: i.Prepared.LatencyMS, ModelCalls: i.Prepared.ModelCalls, SearchQueries: []string{i.Prepared.OriginalQuery}}
			if line, err = json.Marshal(i); err != nil {
				return err
			}
			line, changed = append(line, '\n'), true
		}
		out.Write(line)
	}
	if !changed {
		return nil
	}
	if err := writeDurable(path+".new", out.Bytes()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
