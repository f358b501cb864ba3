//go:build shareddata

package pack

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/answer/neutral"
	"referent/rag/language"
	"referent/rag/lexical"
)

// competing is a question for whose budget many passages of one shelf compete:
// those that a search finds, best first, and in the relevant ones the sentence
// that answers it.
type competing struct {
	id       string
	hits     []rag.Hit
	relevant map[int64]string // the answer's sentence by passage
}

// mtragCloud searches 11,724 passages of technical documentation, in which a
// question has two or three relevant ones that look like many others, with the
// rewrites that come with the set. Its people's answers choose the sentence.
func mtragCloud(t *testing.T, hits int) []competing {
	t.Helper()
	answers := map[string]string{}
	for _, c := range gzipped[struct {
		Turns []struct {
			ID    string `json:"task_id"`
			Agent string `json:"agent"`
		} `json:"turns"`
	}](t, "mtrag/conversations.jsonl.gz") {
		for _, turn := range c.Turns {
			answers[turn.ID] = turn.Agent
		}
	}
	type passage struct {
		ID   string `json:"_id"`
		Text string `json:"text"`
	}
	passages := gzipped[passage](t, "mtrag/corpus_cloud.jsonl.gz")
	var entries []lexical.Entry
	at := map[string]int64{}
	for i, p := range passages {
		at[p.ID] = int64(i + 1)
		entries = append(entries, lexical.Entry{Chunk: int64(i + 1), Language: "en", Text: p.Text})
	}
	shelf := lexical.NewIndex([]*lexical.Block{lexical.Build(entries)})
	relevant := map[string][]int64{}
	for lines := bufio.NewScanner(bytes.NewReader(shared(t, "mtrag/qrels/cloud.tsv"))); lines.Scan(); {
		if f := strings.Split(lines.Text(), "\t"); at[f[1]] > 0 {
			relevant[f[0]] = append(relevant[f[0]], at[f[1]])
		}
	}
	var out []competing
	for _, q := range gzipped[struct {
		ID      string `json:"id"`
		Rewrite string `json:"reference_rewrite"`
	}](t, "mtrag/queries.jsonl.gz") {
		if len(relevant[q.ID]) == 0 {
			continue
		}
		found, err := shelf.Search(context.Background(), lexical.NewQuery(q.Rewrite, []string{"en"}), nil, hits)
		if err != nil {
			t.Fatal(err)
		}
		c := competing{id: q.ID, relevant: map[int64]string{}}
		for i, f := range found {
			p := passages[f.Chunk-1]
			c.hits = append(c.hits, rag.Hit{Rank: i + 1, Chunk: f.Chunk, Document: f.Chunk, Title: p.ID, Path: "/" + p.ID, Text: p.Text,
				Language: "en", PassedFloor: true, Owner: rag.OwnerMatch, Score: f.Score})
		}
		for _, chunk := range relevant[q.ID] {
			c.relevant[chunk] = answering(passages[chunk-1].Text, answers[q.ID])
		}
		out = append(out, c)
	}
	return out
}

// answering is the sentence that shares most content words with an answer.
func answering(text, answer string) string {
	l := language.For("en")
	wanted, best, most := l.Keys(answer), text, -1
	for _, s := range l.Sentences(text) {
		n := 0
		for k := range l.Keys(text[s.Start:s.End]) {
			if wanted[k] {
				n++
			}
		}
		if n > most {
			most, best = n, text[s.Start:s.End]
		}
	}
	return best
}

// packing packs a question's hits under a class for each.
func (c competing) packing(t *testing.T, in Input, class func(string) rag.Class) Result {
	t.Helper()
	in.Count, in.Hits = Estimate{}, slices.Clone(c.hits)
	for i := range in.Hits {
		in.Hits[i].Class = class(in.Hits[i].Title)
	}
	r, err := Pack(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, h := range r.Hits {
		if h.Packing == rag.Packed {
			sum += h.RenderedTokens
		}
	}
	if sum != r.Packed || sum > r.Budget {
		t.Errorf("%s: %d tokens of %d, said %d", c.id, sum, r.Budget, r.Packed)
	}
	return r
}

// recall is the share of the answering sentences that the prompt holds.
func (c competing) recall(r Result) float64 {
	n := 0
	for _, h := range r.Hits {
		if s, ok := c.relevant[h.Chunk]; ok && h.Packing == rag.Packed && strings.Contains(h.Rendered, strings.TrimSpace(neutral.Text(s))) {
			n++
		}
	}
	return float64(n) / float64(len(c.relevant))
}

// At one budget, compression that keeps what fits in full finds more answers on
// every seed, and in no question fewer; facts alone are packed the same. Where
// hits are shortened although they would fit, what is lost outweighs what comes
// in: a class that says nothing of relevance cannot pay for that, and the log
// says how much it costs.
func TestP72_CompressionFindsMoreWherePassagesCompete(t *testing.T) {
	const hits, seeds = 20, 3
	questions := mtragCloud(t, hits)
	for _, budget := range []int{1200, 2400, 4000} {
		off := make([]Result, len(questions))
		var without float64
		for i, q := range questions {
			off[i] = q.packing(t, Input{Setting: budget}, classOf)
			without += q.recall(off[i])
			fact := func(string) rag.Class { return rag.ClassFact }
			plain := q.packing(t, Input{Setting: budget}, fact)
			if on := q.packing(t, Input{Setting: budget, Compress: true, KeepTop: 2}, fact); !reflect.DeepEqual(plain, on) {
				t.Errorf("budget %d, %s: facts are packed differently", budget, q.id)
			}
		}
		n := float64(len(questions))
		line := fmt.Sprintf("budget %d: %.4f off; on", budget, without/n)
		for _, keep := range []int{0, 2, hits} {
			least, mean, passages, full, emitted := 1.0, 0.0, 0, 0, 0
			for seed := range seeds {
				gain := 0.0
				for i, q := range questions {
					r := q.packing(t, Input{Setting: budget, Compress: true, KeepTop: keep}, seeded(seed+1))
					d := q.recall(r) - q.recall(off[i])
					gain += d / n
					if keep == hits && d < 0 {
						t.Errorf("budget %d, seed %d, %s: compression lost an answer", budget, seed+1, q.id)
					}
					for _, h := range r.Hits {
						if h.Packing == rag.Packed {
							counts, _ := Estimate{}.CountTokens(context.Background(), []string{h.Text, h.Rendered})
							full, emitted, passages = full+counts[0], emitted+counts[1], passages+1
						}
					}
				}
				least, mean = min(least, gain), mean+gain/seeds
			}
			line += fmt.Sprintf(", keeping %d: %+.4f (least of %d seeds %+.4f, %.1f passages, %.0f %% of their tokens saved)",
				keep, mean, seeds, least, float64(passages)/n/seeds, 100*(1-float64(emitted)/float64(full)))
			if keep == hits && mean <= 0 {
				t.Errorf("budget %d: compression finds no more: %+.4f", budget, mean)
			}
			if saved := 1 - float64(emitted)/float64(full); saved < 0.01 {
				t.Errorf("budget %d, keeping %d: only %.2f %% of the tokens are saved", budget, keep, 100*saved)
			}
		}
		t.Log(line)
	}
}
