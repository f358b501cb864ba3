//go:build shareddata

package lexical

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The public sets are not part of the repository: they lie in a folder
// "shared/data" beside it, or where REFERENT_SHARED_DATA says.
func open(t *testing.T, name string) io.Reader {
	t.Helper()
	root := os.Getenv("REFERENT_SHARED_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, name))
	if err != nil {
		t.Fatalf("the public sets are needed for this test: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// judged is a question with its relevant entries.
type judged struct {
	text     string
	relevant map[int64]bool
}

// set is a corpus with questions.
type set struct {
	name      string
	languages []string
	entries   []Entry
	questions []judged
}

// ndcg is nDCG@10 with binary judgements.
func ndcg(hits []Hit, relevant map[int64]bool) float64 {
	gain, ideal := 0.0, 0.0
	for i, h := range hits[:min(10, len(hits))] {
		if relevant[h.Chunk] {
			gain += 1 / math.Log2(float64(i)+2)
		}
	}
	for i := range min(len(relevant), 10) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	return gain / ideal
}

// measure returns mean nDCG@10 and recall@100 with binary judgements.
func measure(t *testing.T, s set) (gain, recall float64) {
	x := NewIndex([]*Block{Build(s.entries)})
	for _, q := range s.questions {
		hits, err := x.Search(context.Background(), NewQuery(q.text, s.languages), nil, 100)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, h := range hits {
			if q.relevant[h.Chunk] {
				found++
			}
		}
		gain += ndcg(hits, q.relevant)
		recall += float64(found) / float64(len(q.relevant))
	}
	n := float64(len(s.questions))
	return gain / n, recall / n
}

func TestQuality_SciFact(t *testing.T) {
	s := sciFact(t)
	gain, recall := measure(t, s)
	t.Logf("SciFact, %d questions: nDCG@10 %.4f, recall@100 %.4f", len(s.questions), gain, recall)
	if gain < 0.68 || recall < 0.92 {
		t.Error("below nDCG@10 0.68 or recall@100 0.92")
	}
}

func sciFact(t *testing.T) set {
	type row struct {
		ID    string `json:"_id"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	read := func(name string) (rows []row) {
		for d := json.NewDecoder(open(t, name)); d.More(); {
			var r row
			if err := d.Decode(&r); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, r)
		}
		return rows
	}
	id := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	s := set{name: "SciFact", languages: []string{"en"}}
	for _, r := range read("scifact/corpus.jsonl.gz") {
		s.entries = append(s.entries, Entry{Chunk: id(r.ID), Language: "en", Title: r.Title, Text: r.Text})
	}
	relevant := map[string]map[int64]bool{}
	for lines := bufio.NewScanner(open(t, "scifact/qrels_test.tsv")); lines.Scan(); {
		f := strings.Split(lines.Text(), "\t")
		if f[0] == "query-id" {
			continue
		}
		if relevant[f[0]] == nil {
			relevant[f[0]] = map[int64]bool{}
		}
		relevant[f[0]][id(f[1])] = true
	}
	for _, r := range read("scifact/queries.jsonl.gz") {
		if relevant[r.ID] != nil {
			s.questions = append(s.questions, judged{r.Text, relevant[r.ID]})
		}
	}
	return s
}

func TestQuality_XQuAD(t *testing.T) {
	for _, c := range []struct {
		language string
		least    float64
	}{{"en", 0.95}, {"de", 0.92}, {"es", 0.94}, {"ru", 0.87}, {"zh", 0.90}, {"hi", 0.76}} {
		t.Run(c.language, func(t *testing.T) {
			s := xquad(t, c.language)
			gain, _ := measure(t, s)
			t.Logf("XQuAD %s, %d questions among %d paragraphs: nDCG@10 %.4f", c.language, len(s.questions), len(s.entries), gain)
			if gain < c.least {
				t.Errorf("below %.2f", c.least)
			}
		})
	}
}

func xquad(t *testing.T, language string) set {
	var file struct {
		Data []struct {
			Paragraphs []struct {
				Context   string `json:"context"`
				Questions []struct {
					Text string `json:"question"`
				} `json:"qas"`
			} `json:"paragraphs"`
		} `json:"data"`
	}
	if err := json.NewDecoder(open(t, "xquad/xquad."+language+".json.gz")).Decode(&file); err != nil {
		t.Fatal(err)
	}
	s := set{name: "XQuAD " + language, languages: []string{language}}
	for _, d := range file.Data {
		for _, p := range d.Paragraphs {
			id := int64(len(s.entries) + 1)
			s.entries = append(s.entries, Entry{Chunk: id, Language: language, Text: p.Context})
			for _, q := range p.Questions {
				s.questions = append(s.questions, judged{q.Text, map[int64]bool{id: true}})
			}
		}
	}
	return s
}
