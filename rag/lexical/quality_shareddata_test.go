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

// measure returns mean nDCG@10 and recall@100 with binary judgements.
func measure(t *testing.T, x *Index, questions []judged, languages []string) (ndcg, recall float64) {
	for _, q := range questions {
		hits, err := x.Search(context.Background(), NewQuery(q.text, languages), nil, 100)
		if err != nil {
			t.Fatal(err)
		}
		gain, ideal, found := 0.0, 0.0, 0.0
		for i, h := range hits {
			if q.relevant[h.Chunk] {
				found++
				if i < 10 {
					gain += 1 / math.Log2(float64(i)+2)
				}
			}
		}
		for i := range min(len(q.relevant), 10) {
			ideal += 1 / math.Log2(float64(i)+2)
		}
		ndcg += gain / ideal
		recall += found / float64(len(q.relevant))
	}
	n := float64(len(questions))
	return ndcg / n, recall / n
}

func TestQuality_SciFact(t *testing.T) {
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
	var entries []Entry
	for _, r := range read("scifact/corpus.jsonl.gz") {
		entries = append(entries, Entry{Chunk: id(r.ID), Language: "en", Title: r.Title, Text: r.Text})
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
	var questions []judged
	for _, r := range read("scifact/queries.jsonl.gz") {
		if relevant[r.ID] != nil {
			questions = append(questions, judged{r.Text, relevant[r.ID]})
		}
	}
	ndcg, recall := measure(t, NewIndex([]*Block{Build(entries)}), questions, []string{"en"})
	t.Logf("SciFact, %d questions: nDCG@10 %.4f, recall@100 %.4f", len(questions), ndcg, recall)
	if ndcg < 0.68 || recall < 0.92 {
		t.Error("below nDCG@10 0.68 or recall@100 0.92")
	}
}

func TestQuality_XQuAD(t *testing.T) {
	for _, c := range []struct {
		language string
		least    float64
	}{{"en", 0.95}, {"de", 0.92}, {"es", 0.94}, {"ru", 0.87}, {"zh", 0.90}, {"hi", 0.76}} {
		t.Run(c.language, func(t *testing.T) {
			var set struct {
				Data []struct {
					Paragraphs []struct {
						Context   string `json:"context"`
						Questions []struct {
							Text string `json:"question"`
						} `json:"qas"`
					} `json:"paragraphs"`
				} `json:"data"`
			}
			if err := json.NewDecoder(open(t, "xquad/xquad."+c.language+".json.gz")).Decode(&set); err != nil {
				t.Fatal(err)
			}
			var entries []Entry
			var questions []judged
			for _, d := range set.Data {
				for _, p := range d.Paragraphs {
					id := int64(len(entries) + 1)
					entries = append(entries, Entry{Chunk: id, Language: c.language, Text: p.Context})
					for _, q := range p.Questions {
						questions = append(questions, judged{q.Text, map[int64]bool{id: true}})
					}
				}
			}
			ndcg, _ := measure(t, NewIndex([]*Block{Build(entries)}), questions, []string{c.language})
			t.Logf("XQuAD %s, %d questions among %d paragraphs: nDCG@10 %.4f", c.language, len(questions), len(entries), ndcg)
			if ndcg < c.least {
				t.Errorf("below %.2f", c.least)
			}
		})
	}
}
