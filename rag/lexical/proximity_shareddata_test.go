//go:build shareddata

package lexical

import (
	"cmp"
	"context"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"referent/rag/lexical/analyze"
)

// nearness is what words that stand close to each other would add to a hit: for
// every two content words of the question the lesser idf over their least distance
// in the text, up to ten words, for each further content word of the question.
func nearness(x *Index, q Query, e Entry) float64 {
	at, n := map[string][]int{}, 0
	note := func(term string, aux bool) {
		if !aux {
			n++
		}
		at[term] = append(at[term], n)
	}
	analyze.Text(e.Title, e.Language, note)
	n += 20 // a title is another place
	analyze.Text(e.Text, e.Language, note)
	type word struct {
		idf    float64
		places []int
	}
	var words []word
	for _, g := range q.Groups {
		if !g.Content {
			continue
		}
		w, df := word{}, 0
		for _, v := range g.Variants {
			df = max(df, x.DocumentFrequency(v))
			w.places = append(w.places, at[v]...)
		}
		slices.Sort(w.places)
		w.places, w.idf = slices.Compact(w.places), x.idf(df)
		words = append(words, w)
	}
	sum := 0.0
	for i, a := range words {
		for _, b := range words[i+1:] {
			least := math.MaxInt
			for _, p := range a.places {
				k, found := slices.BinarySearch(b.places, p)
				if found {
					k++
				}
				if k < len(b.places) {
					least = min(least, b.places[k]-p)
				}
				if before := k - 1; before >= 0 && b.places[before] < p {
					least = min(least, p-b.places[before])
				}
			}
			if least <= 10 {
				sum += min(a.idf, b.idf) / float64(least)
			}
		}
	}
	return sum / float64(max(1, len(words)-1))
}

// The best of BM25 are not judged again by how close the words stand: the weight
// that the development half of the questions chooses adds less to the other half
// than would pay for reading the texts of the head again. Should that change, this
// test says so.
func TestQuality_ProximityAddsTooLittle(t *testing.T) {
	sets := []set{sciFact(t)}
	for _, l := range []string{"en", "de", "es", "ru", "zh", "hi"} {
		sets = append(sets, xquad(t, l))
	}
	weights := []float64{0, 0.1, 0.2, 0.4}
	const worth = 0.005 // of nDCG@10
	var all [2][]float64
	for _, s := range sets {
		x := NewIndex([]*Block{Build(s.entries)})
		entries := map[int64]Entry{}
		for _, e := range s.entries {
			entries[e.Chunk] = e
		}
		var sums [2][]float64
		var n [2]float64
		for half := range sums {
			sums[half] = make([]float64, len(weights))
		}
		for i, q := range s.questions {
			if len(s.questions) > 400 && i%3 > 0 { // a third of XQuAD
				continue
			}
			h := fnv.New32a()
			_, _ = h.Write([]byte(q.text))
			half := h.Sum32() >> 7 & 1
			n[half]++
			query := NewQuery(q.text, s.languages)
			hits, err := x.Search(context.Background(), query, nil, 20)
			if err != nil {
				t.Fatal(err)
			}
			near := map[int64]float64{}
			for _, h := range hits {
				near[h.Chunk] = nearness(x, query, entries[h.Chunk])
			}
			for k, w := range weights {
				again := slices.Clone(hits)
				slices.SortStableFunc(again, func(a, b Hit) int { return cmp.Compare(b.Score+w*near[b.Chunk], a.Score+w*near[a.Chunk]) })
				sums[half][k] += ndcg(again, q.relevant)
			}
		}
		for half := range sums {
			for k := range weights {
				sums[half][k] /= n[half]
			}
			all[half] = append(all[half], sums[half]...)
		}
		t.Logf("%s: nDCG@10 by weight %v: development %.4f, other half %.4f", s.name, weights, sums[0], sums[1])
	}
	gain := func(half, k int) float64 {
		sum := 0.0
		for at := 0; at < len(all[half]); at += len(weights) {
			sum += all[half][at+k] - all[half][at]
		}
		return sum / float64(len(sets))
	}
	chosen := 0
	for k := range weights {
		if gain(0, k) > gain(0, chosen) {
			chosen = k
		}
	}
	t.Logf("chosen weight %v: gain %.4f, on the other half %.4f", weights[chosen], gain(0, chosen), gain(1, chosen))
	if gain(1, chosen) > worth {
		t.Errorf("proximity is worth building in: %.4f", gain(1, chosen))
	}
}
