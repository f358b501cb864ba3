//go:build models

package llama

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"referent/inference"
)

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func isUnit(v []float32) bool { return math.Abs(dot(v, v)-1) < 1e-5 }

// sharedE5 is a host with the starter embedder, whose vocabulary takes seconds to
// load: one for all tests that do not change it. TestMain closes it.
var sharedE5 = sync.OnceValues(func() (*Host, error) {
	h, err := New(Config{RuntimeDir: runtimeDir("cpu"), Threads: 1})
	if err != nil {
		return nil, err
	}
	_, err = h.Load(context.Background(), inference.LoadSpec{Roles: []inference.Role{inference.RoleEmbed}, Path: modelFile(e5), Profile: e5Profile}, nil)
	openE5.Store(h)
	return h, err
})

// openE5 is the shared host, once a test has asked for it.
var openE5 atomic.Pointer[Host]

func embedderE5(t testing.TB) inference.Embedder {
	t.Helper()
	h, err := sharedE5()
	if err != nil {
		t.Fatal(err)
	}
	m, err := h.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func embed(t testing.TB, m inference.Embedder, kind inference.TextKind, texts ...string) [][]float32 {
	t.Helper()
	v, err := m.Embed(context.Background(), kind, texts, inference.PriorityIndexing)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEmbed_MeaningCrossesLanguages(t *testing.T) {
	m := embedderE5(t)
	if d := m.Info().Dimensions; d != 384 {
		t.Errorf("%d dimensions", d)
	}
	questions := embed(t, m, inference.KindQuery,
		"How long is the bridge over the river?", "What does a litre of milk cost?", "When is the heating switched off?")
	passages := embed(t, m, inference.KindPassage,
		"Il ponte sul fiume è lungo quaranta metri.", "Ein Liter Milch kostet einen Euro zwanzig.", "暖房は五月一日に止められます。")
	for i, q := range questions {
		if !isUnit(q) || !isUnit(passages[i]) {
			t.Error("a vector is not of unit length")
		}
		for j, p := range passages {
			if i != j && dot(q, p) >= dot(q, passages[i]) {
				t.Errorf("question %d is nearer to passage %d (%.4f) than to its own (%.4f)", i, j, dot(q, p), dot(q, passages[i]))
			}
		}
	}
}

func TestEmbed_ABatchEqualsSingleTexts(t *testing.T) {
	m := embedderE5(t)
	var texts []string
	for i := range 24 {
		texts = append(texts, strings.Repeat(fmt.Sprintf("flat %d on floor %d. ", i, i%7), 1+i%12))
	}
	together := embed(t, m, inference.KindPassage, texts...)
	for i, text := range texts {
		if i%4 != 0 {
			continue
		}
		if c := dot(embed(t, m, inference.KindPassage, text)[0], together[i]); c < 0.9999 {
			t.Errorf("text %d: cosine %.6f", i, c)
		}
	}
}

func TestEmbed_NormalisesBeforeTokenising(t *testing.T) {
	m := embedderE5(t)
	v := embed(t, m, inference.KindPassage, "five 123 km", " ﬁve\n\n１２３　ｋｍ ")
	if c := dot(v[0], v[1]); c < 0.99999 {
		t.Errorf("cosine %.6f", c)
	}
	q := embed(t, m, inference.KindQuery, "five 123 km")
	if c := dot(v[0], q[0]); c > 0.9999 {
		t.Errorf("queries and passages have different prefixes, but the cosine is %.6f", c)
	}
}

func TestEmbed_LongTextsAreTheMeanOfTheirPieces(t *testing.T) {
	m := embedderE5(t)
	long := strings.Repeat("The lift is inspected every year. ", 90) // more than one window
	v := embed(t, m, inference.KindPassage, long, "The lift is inspected every year.", "Cats sleep.")
	if near, far := dot(v[0], v[1]), dot(v[0], v[2]); near <= far+0.05 {
		t.Errorf("to its own sentence %.4f, to another %.4f", near, far)
	}
}

func TestEmbed_StopsWithTheContext(t *testing.T) {
	m := embedderE5(t)
	ctx, cancel := context.WithCancel(context.Background())
	texts := make([]string, 50)
	for i := range texts {
		texts[i] = strings.Repeat("rope and tar ", 100)
	}
	batches := 0
	_, err := m.Embed(inference.WithProgress(ctx, func() {
		if batches++; batches == 1 {
			cancel()
		}
	}), inference.KindPassage, texts, inference.PriorityIndexing)
	if err == nil || batches > 2 {
		t.Errorf("%v after %d batches", err, batches)
	}
}
