//go:build shareddata

package pack

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/answer/neutral"
	"referent/rag/language"
)

// row is a question of ClapNQ with its passage, and the sentences that answer it.
type row struct {
	ID       string `json:"id"`
	Input    string `json:"input"`
	Passages []struct {
		Title string `json:"title"`
		Text  string `json:"text"`
	} `json:"passages"`
	Output []struct {
		Answer            string   `json:"answer"`
		SelectedSentences []string `json:"selected_sentences"`
	} `json:"output"`
}

// shared reads a file of the public sets, which lie in a folder "shared/data"
// beside the repository, or where REFERENT_SHARED_DATA says.
func shared(t *testing.T, name string) []byte {
	t.Helper()
	root := os.Getenv("REFERENT_SHARED_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatalf("the public sets are needed for this test: %v", err)
	}
	return b
}

// gzipped reads a packed file of JSON lines.
func gzipped[T any](t *testing.T, name string) (out []T) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(shared(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(z); lines.More(); {
		var r T
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// seeded gives a passage a class by a hash of its id, whatever it says and
// whatever is asked.
func seeded(seed int) func(id string) rag.Class {
	return func(id string) rag.Class {
		h := fnv.New32a()
		fmt.Fprintf(h, "seed %d %s", seed, id)
		return []rag.Class{rag.ClassFact, rag.ClassSnapshot, rag.ClassTransient}[h.Sum32()%3]
	}
}

// classOf is the class of the first seed.
func classOf(id string) rag.Class { return seeded(1)(id) }

// candidates is how many passages compete for the budget of a question.
const candidates = 20

// ranked are the passages for a question, best first: by the rarity of the words
// that they share with it.
func ranked(question string, all []row, keys []map[string]bool, df map[string]int, class func(string) rag.Class) []rag.Hit {
	l := language.For("en")
	type scored struct {
		at    int
		score float64
	}
	var words []string
	for k := range l.Keys(question) {
		if df[k] > 0 {
			words = append(words, k)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(df[b]-df[a], strings.Compare(a, b)) })
	list := make([]scored, len(all))
	for i := range all {
		list[i].at = i
		for _, k := range words {
			if keys[i][k] {
				list[i].score += 1 / float64(df[k])
			}
		}
	}
	slices.SortFunc(list, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.at - b.at
	})
	var hits []rag.Hit
	for rank, s := range list[:candidates] {
		p := all[s.at].Passages[0]
		hits = append(hits, rag.Hit{Rank: rank + 1, Chunk: int64(s.at + 1), Document: int64(s.at + 1), Title: p.Title, Path: "/" + p.Title, Text: p.Text,
			Class: class(all[s.at].ID), Language: "en", PassedFloor: true, Owner: rag.OwnerMatch, Score: s.score})
	}
	return hits
}

// found tells whether some right answer's sentences all stand in one packed
// passage as rendered.
func found(r row, hits []rag.Hit) bool {
	for _, o := range r.Output {
		for _, h := range hits {
			if h.Packing == rag.Packed && len(o.SelectedSentences) > 0 && !slices.ContainsFunc(o.SelectedSentences, func(s string) bool {
				return !strings.Contains(h.Rendered, neutral.Text(s))
			}) {
				return true
			}
		}
	}
	return false
}

// At a fixed budget compression brings more of the candidates before the model
// and loses hardly any answer; on facts alone both packings are the same, and no
// packing ever exceeds its budget. Since a class says nothing about relevance
// here, the answer's own sentence is not found more often: the log tells how
// often, with and without.
func TestP72_CompressionOnClapNQ(t *testing.T) {
	questions := gzipped[row](t, "clapnq_dev/clapnq_dev_answerable.jsonl.gz")
	all := append(slices.Clone(questions), gzipped[row](t, "clapnq_dev/clapnq_dev_unanswerable.jsonl.gz")...)
	l := language.For("en")
	keys := make([]map[string]bool, len(all))
	df := map[string]int{}
	for i, r := range all {
		keys[i] = l.Keys(r.Passages[0].Title + " " + r.Passages[0].Text)
		for k := range keys[i] {
			df[k]++
		}
	}
	type outcome struct {
		answers, passages, saved float64
		results                  []Result
	}
	run := func(budget, keep int, compress bool, class func(string) rag.Class) outcome {
		var o outcome
		full, emitted := 0, 0
		for _, r := range questions {
			hits := ranked(r.Input, all, keys, df, class)
			res, err := Pack(context.Background(), Input{Hits: hits, Count: Estimate{}, Setting: budget, Compress: compress, KeepTop: keep})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0
			for _, h := range res.Hits {
				if h.Packing != rag.Packed {
					continue
				}
				counts, _ := Estimate{}.CountTokens(context.Background(), []string{h.Text, h.Rendered})
				full, emitted, sum = full+counts[0], emitted+counts[1], sum+h.RenderedTokens
				o.passages++
			}
			if sum != res.Packed || sum > res.Budget {
				t.Errorf("%s: %d tokens of %d, said %d", r.ID, sum, res.Budget, res.Packed)
			}
			if found(r, res.Hits) {
				o.answers++
			}
			o.results = append(o.results, res)
		}
		n := float64(len(questions))
		o.answers, o.passages, o.saved = o.answers/n, o.passages/n, 1-float64(emitted)/float64(full)
		return o
	}
	fact := func(string) rag.Class { return rag.ClassFact }
	for _, budget := range []int{400, 800, 1600} {
		off, on, pure := run(budget, 2, false, classOf), run(budget, 2, true, classOf), run(budget, 0, true, classOf)
		t.Logf("budget %d: answer sentences found %.3f off, %.3f on (%+.3f), %.3f without keeping the best two; passages %.1f off, %.1f on; tokens saved %.1f %%",
			budget, off.answers, on.answers, on.answers-off.answers, pure.answers, off.passages, on.passages, 100*on.saved)
		if on.passages <= off.passages {
			t.Errorf("budget %d: %.2f passages with compression, %.2f without", budget, on.passages, off.passages)
		}
		if on.answers < off.answers-0.005 {
			t.Errorf("budget %d: %.3f of the answers with compression, %.3f without", budget, on.answers, off.answers)
		}
		if on.saved < 0.01 {
			t.Errorf("budget %d: only %.2f %% of the tokens are saved", budget, 100*on.saved)
		}
		if a, b := run(budget, 2, false, fact), run(budget, 2, true, fact); !reflect.DeepEqual(a, b) {
			t.Errorf("budget %d: facts are packed differently", budget)
		}
	}
}
