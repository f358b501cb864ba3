package retrieve

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/segment"
	"referent/storage/index"
)

// world is a library in memory with verbs for the stories of this package.
// Its store keeps what the real one keeps; its embedder is a bag of words.
type world struct {
	t        *testing.T
	index    *segment.Index
	chunks   map[int64]index.Chunk
	columns  map[int64]index.DocumentColumns
	embedder *bagOfWords
	reranker *wordCounter
	names    map[string]int64
	leaks    bool // the store also returns restricted chunks, asked for or not
	nextID   int64
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, chunks: map[int64]index.Chunk{}, columns: map[int64]index.DocumentColumns{}, names: map[string]int64{"house": 1, "town": 2}}
	x, err := segment.Open(context.Background(), emptySource{}, "bag")
	if err != nil {
		t.Fatal(err)
	}
	w.index = x
	w.embedder = &bagOfWords{}
	return w
}

type emptySource struct{}

func (emptySource) EachChunk(context.Context, int64, func(index.Chunk) error) error { return nil }
func (emptySource) EachDocumentColumns(context.Context, func(index.DocumentColumns) error) error {
	return nil
}
func (emptySource) EachVector(context.Context, string, func(int64, []float32) error) error {
	return nil
}

// add puts a document in, one chunk a text, and returns the chunks' ids.
func (w *world) add(document int64, path string, change func(*index.DocumentColumns), texts ...string) []int64 {
	c := index.DocumentColumns{ID: document, Path: path, Kind: "text", Language: "en", Label: "public", Searchable: true,
		ModTime: time.Date(2024, 3, 1, 12, 0, 0, 0, time.Local)}
	if change != nil {
		change(&c)
	}
	w.columns[document] = c
	var chunks []index.Chunk
	var ids []int64
	for i, text := range texts {
		w.nextID++
		name := path[strings.LastIndexByte(path, '/')+1:]
		ch := index.Chunk{ID: w.nextID, Document: document, Parent: 100 + document, Ordinal: i, ContentHash: name + text, Text: text,
			Language: c.Language, Path: path, FileName: name, Kind: c.Kind, Locator: fmt.Sprintf(`{"page":%d}`, i+1)}
		w.chunks[ch.ID] = ch
		chunks = append(chunks, ch)
		ids = append(ids, ch.ID)
	}
	w.index.Add(c, chunks)
	if c.Label == "restricted" {
		return ids
	}
	var vectors []segment.ChunkVector
	for _, ch := range chunks {
		vectors = append(vectors, segment.ChunkVector{Chunk: ch.ID, V: bag(ch.Text)})
	}
	if err := w.index.SetVectors("bag", vectors); err != nil {
		w.t.Fatal(err)
	}
	return ids
}

// Chunks is the store: restricted chunks are left out, unless it leaks.
func (w *world) Chunks(_ context.Context, ids []int64) ([]index.Chunk, error) {
	var out []index.Chunk
	for _, id := range ids {
		if c, ok := w.chunks[id]; ok && (w.leaks || w.columns[c.Document].Label != "restricted") {
			out = append(out, c)
		}
	}
	if w.leaks {
		for _, c := range w.chunks {
			if w.columns[c.Document].Label == "restricted" {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

func (w *world) set() *Set {
	return New(Deps{
		Snapshot: w.index.Snapshot,
		Store:    w,
		Embedder: func() (inference.Embedder, error) {
			if w.embedder == nil {
				return nil, inference.ErrNoModel
			}
			return w.embedder, nil
		},
		Reranker: func() (inference.Reranker, error) {
			if w.reranker == nil {
				return nil, inference.ErrNoModel
			}
			return w.reranker, nil
		},
		Collections: func(context.Context) (map[string]int64, error) { return w.names, nil },
	})
}

func (w *world) search(retriever string, q Query) Result {
	w.t.Helper()
	r, err := w.set().Lookup(retriever)
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := r.Retrieve(context.Background(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	for i, h := range res.Hits {
		if h.Rank != i+1 {
			w.t.Fatalf("hit %d has rank %d", i+1, h.Rank)
		}
	}
	return res
}

func (w *world) ask(text string) Query { return Query{Texts: []string{text}} }

func chunksOf(hits []rag.Hit) []int64 {
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.Chunk)
	}
	return ids
}

func documentsOf(hits []rag.Hit) []int64 {
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.Document)
	}
	return ids
}

func (w *world) expect(what string, got, want []int64) {
	w.t.Helper()
	if !slices.Equal(got, want) {
		w.t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func filter(t *testing.T, owner rag.FilterOwner, field, op string, values ...string) rag.Filter {
	t.Helper()
	f, err := rag.NewFilter(field, op, values, owner)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// bagOfWords embeds a text as the sum of one fixed direction a word, so that
// texts which share words are near. It counts its calls and can be made to fail.
type bagOfWords struct {
	floor float64
	calls int
	fail  error
}

const bagDims = 64

func bag(text string) []float32 {
	v := make([]float32, bagDims)
	v[0] = 1e-3 // an empty text has a direction too
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ' ' || r == '.' || r == '?' || r == '"' }) {
		h := fnv.New64a()
		h.Write([]byte(word))
		seed := h.Sum64()
		for j := range v {
			seed = seed*6364136223846793005 + 1442695040888963407
			v[j] += float32(int64(seed>>33)%1000-500) / 500
		}
	}
	return v
}

func (b *bagOfWords) Info() inference.ModelInfo {
	return inference.ModelInfo{Profile: inference.Profile{FloorCosine: b.floor}, Dimensions: bagDims}
}

func (b *bagOfWords) Embed(ctx context.Context, _ inference.TextKind, texts []string, _ inference.Priority) ([][]float32, error) {
	b.calls++
	if b.fail != nil {
		return nil, b.fail
	}
	var out [][]float32
	for _, t := range texts {
		v, sum := bag(t), 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(sum))
		}
		out = append(out, v)
	}
	return out, ctx.Err()
}

// wordCounter judges a passage by the share of the query's words that it holds,
// and remembers what it was shown.
type wordCounter struct {
	floor float64
	shown []string
	query string
	fail  bool
}

func (r *wordCounter) Info() inference.ModelInfo {
	return inference.ModelInfo{Profile: inference.Profile{RerankFloor: r.floor}}
}

func (r *wordCounter) Rerank(_ context.Context, query string, passages []string) ([]float32, error) {
	r.shown, r.query = append(r.shown, passages...), query
	if r.fail {
		return nil, errors.New("the model died")
	}
	var out []float32
	words := strings.Fields(strings.ToLower(query))
	for _, p := range passages {
		n := 0
		for _, word := range words {
			if strings.Contains(strings.ToLower(p), word) {
				n++
			}
		}
		out = append(out, float32(n)/float32(len(words)))
	}
	return out, nil
}
