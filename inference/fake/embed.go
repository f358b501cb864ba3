package fake

import (
	"context"
	"hash/fnv"
	"math"
	"strings"
	"unicode"

	"referent/inference"
)

// FloorCosine separates texts that share a content word from texts that share
// none, for the vectors of this package.
const FloorCosine = 0.25

// stopWords carry a tenth of the weight of a content word in vectors and none
// in ranking; English, Italian and German.
var stopWords = words(`a about after all also an and any are as at be been but by can did do does for from had has have
how i if in into is it its may me much must my no not of on one only or our shall she should so such than that the their
them then there these they this to us was we were what when where which who why will with would you your he
che chi come con cosa da dal dei del della delle di dove e ed gli i il in la le lo ma nel non o per quale quando quanto
se si sono su un una uno
aber als am auch auf aus bei bin bis das dass dem den der des die ein eine einem einen einer er es für hat ich ihr im ist
man mit nach nicht noch oder sich sie sind über um und uns von war was wann wer wie wir wo zu zum zur`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// terms returns the lower-case words of a text.
func terms(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// stem is the first six code points of a word without an English plural: rough
// on purpose, the same in every language, and enough to make inflections meet.
func stem(word string) string {
	if len(word) > 3 {
		word = strings.TrimSuffix(word, "s")
	}
	if r := []rune(word); len(r) > 6 {
		return string(r[:6])
	}
	return word
}

// Vector returns the unit vector of a text: each word adds its stem (weight 2)
// and its character 3-grams with marked borders (weight 1 in all).
func Vector(text string, dimensions int) []float32 {
	v := make([]float64, dimensions)
	add := func(feature string, weight float64) {
		f := fnv.New64a()
		_, _ = f.Write([]byte(feature)) // a hash never fails
		sum := f.Sum64()
		if sum>>63 == 1 {
			weight = -weight
		}
		v[sum%uint64(dimensions)] += weight
	}
	for _, w := range terms(text) {
		weight := 1.0
		if stopWords[w] {
			weight = 0.1
		}
		add("w"+stem(w), 2*weight)
		marked := []rune("^" + w + "$")
		grams := max(1, len(marked)-2)
		for i := 0; i+3 <= len(marked); i++ {
			add("g"+string(marked[i:i+3]), weight/math.Sqrt(float64(grams)))
		}
	}
	return unit(v)
}

// unit scales to length 1; a text without any word gets the first axis.
func unit(v []float64) []float32 {
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	out := make([]float32, len(v))
	if sum == 0 {
		out[0] = 1
		return out
	}
	for i, x := range v {
		out[i] = float32(x / math.Sqrt(sum))
	}
	return out
}

// Embed implements inference.Embedder. Query and passage give one vector.
func (c *handle) Embed(ctx context.Context, kind inference.TextKind, texts []string, p inference.Priority) ([][]float32, error) {
	_, release, err := c.host.use(c.role)
	if err != nil {
		return nil, err
	}
	defer release()
	c.host.note(Call{Kind: "embed", Role: c.role, TextKind: kind, Texts: texts, Priority: p})
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := c.host.step(ctx, Step{PhaseEmbed, c.role, i}); err != nil {
			return nil, err
		}
		out[i] = Vector(t, c.host.cfg.Dimensions)
		inference.Progress(ctx)
	}
	return out, ctx.Err()
}

// Rerank implements inference.Reranker: the share of the query's content stems
// that the passage holds; 0 for a query without any.
func (c *handle) Rerank(ctx context.Context, query string, passages []string) ([]float32, error) {
	_, release, err := c.host.use(c.role)
	if err != nil {
		return nil, err
	}
	defer release()
	c.host.note(Call{Kind: "rerank", Role: c.role, Texts: append([]string{query}, passages...)})
	wanted := contentStems(query)
	out := make([]float32, len(passages))
	for i, p := range passages {
		if err := c.host.step(ctx, Step{PhaseRerank, c.role, i}); err != nil {
			return nil, err
		}
		if len(wanted) == 0 {
			continue
		}
		held, hits := contentStems(p), 0
		for w := range wanted {
			if held[w] {
				hits++
			}
		}
		out[i] = float32(hits) / float32(len(wanted))
		inference.Progress(ctx)
	}
	return out, ctx.Err()
}

func contentStems(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range terms(text) {
		if !stopWords[w] {
			m[stem(w)] = true
		}
	}
	return m
}
