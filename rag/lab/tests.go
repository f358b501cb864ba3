package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"referent/rag"
)

// TestsSet is the name of the set of a person's own tests in a run.
const TestsSet = "my tests"

// Test is one question of a person's own, with the passages that are right. It
// lies on the disk in the format of a set of one's own.
type Test struct {
	ID       string        `json:"id"`
	Text     string        `json:"text"`
	History  []rag.Message `json:"history"`
	Kind     Kind          `json:"kind"`
	Added    time.Time     `json:"added"`
	Passages []TestPassage `json:"-"`
}

// TestPassage is a passage that answers a test. ID is its content hash in the
// library, Document the number of its document there; 0: not known.
type TestPassage struct {
	ID       string `json:"id"`
	Document int64  `json:"document,omitempty"`
	Title    string `json:"title"`
	Text     string `json:"text"`
}

// Kinds lists how a question may depend on the ones before it, but for the
// unanswerable, which has no right passage.
func Kinds() []Kind {
	return []Kind{KindFirst, KindPronoun, KindElliptical, KindTopicShift, KindComparison, KindCorrection}
}

// beside is where the folder of tests lies while a new one takes its place.
func beside(dir string) string { return dir + ".old" }

// ReadTests reads the tests of a folder; none where it is not there.
func ReadTests(dir string) ([]Test, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		dir = beside(dir) // a kill came between the two renames of WriteTests
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	tests, err := readLines[Test](dir, "queries.jsonl")
	if err != nil {
		return nil, err
	}
	rows, err := readLines[TestPassage](dir, "corpus.jsonl")
	if err != nil {
		return nil, err
	}
	judged, err := readJudgements(dir, "qrels.tsv")
	if err != nil {
		return nil, err
	}
	byID := map[string]TestPassage{}
	for _, r := range rows {
		byID[r.ID] = r
	}
	for i := range tests {
		for _, id := range sortedIDs(judged[tests[i].ID]) {
			if p, ok := byID[id]; ok {
				tests[i].Passages = append(tests[i].Passages, p)
			}
		}
		if len(tests[i].Passages) == 0 {
			return nil, fmt.Errorf("%s: the question %q has no passage", dir, tests[i].ID)
		}
	}
	return tests, nil
}

// WriteTests puts a folder with the tests in the place of dir. A kill leaves the
// old tests or the new ones.
func WriteTests(dir string, tests []Test) error {
	fresh := dir + ".new"
	if err := errors.Join(os.RemoveAll(fresh), os.MkdirAll(fresh, 0o700)); err != nil {
		return err
	}
	var queries, corpus, judged bytes.Buffer
	known := map[string]bool{}
	for _, t := range tests {
		if err := json.NewEncoder(&queries).Encode(t); err != nil {
			return err
		}
		for _, p := range t.Passages {
			fmt.Fprintf(&judged, "%s\t%s\t1\n", t.ID, p.ID)
			if known[p.ID] {
				continue
			}
			known[p.ID] = true
			if err := json.NewEncoder(&corpus).Encode(p); err != nil {
				return err
			}
		}
	}
	for name, body := range map[string]*bytes.Buffer{"queries.jsonl": &queries, "corpus.jsonl": &corpus, "qrels.tsv": &judged} {
		if err := writeDurable(filepath.Join(fresh, name), body.Bytes()); err != nil {
			return err
		}
	}
	if _, err := os.Stat(dir); err == nil { // else the old ones are beside it already, or there are none
		if err := errors.Join(os.RemoveAll(beside(dir)), os.Rename(dir, beside(dir))); err != nil {
			return err
		}
	}
	return errors.Join(os.Rename(fresh, dir), os.RemoveAll(beside(dir)))
}

// writeDurable writes a file that is on the disk when it returns.
func writeDurable(path string, body []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return errors.Join(err, f.Sync(), f.Close())
}

// testSet makes the tests a set whose passages are those of the library.
func testSet(tests []Test) Set {
	set := Set{Suite: SuiteOwn, Name: TestsSet}
	known := map[string]bool{}
	for _, t := range tests {
		var ids []string
		for _, p := range t.Passages {
			ids = append(ids, p.ID)
			if !known[p.ID] {
				known[p.ID] = true
				set.Rows = append(set.Rows, Row{ID: p.ID, Title: p.Title, Header: p.Title, Text: p.Text})
			}
		}
		set.Questions = append(set.Questions, Question{ID: t.ID, Text: t.Text, History: t.History, Slice: string(t.Kind), Relevant: relevantOnly(ids)})
	}
	return set
}
