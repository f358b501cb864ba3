package lexical

import (
	"container/heap"
	"slices"
)

// top keeps the k best hits, the worst of them in front.
type top struct {
	k     int
	hits  worstFirst
	least float32 // what a hit must reach; 0 while there is room
}

func newTop(k int) *top { return &top{k: k} }

func (t *top) offer(h Hit) {
	if len(t.hits) < t.k {
		heap.Push(&t.hits, h)
	} else if better(h, t.hits[0]) {
		t.hits[0] = h
		heap.Fix(&t.hits, 0)
	}
	if len(t.hits) == t.k {
		t.least = float32(t.hits[0].Score)
	}
}

func (t *top) sorted() []Hit {
	out := slices.Clone([]Hit(t.hits))
	slices.SortFunc(out, func(a, b Hit) int {
		if better(a, b) {
			return -1
		}
		return 1
	})
	return out
}

// better orders by score, equals by the older chunk.
func better(a, b Hit) bool {
	if a.Score != b.Score {
		return a.Score > b.Score
	}
	return a.Chunk < b.Chunk
}

type worstFirst []Hit

func (w worstFirst) Len() int           { return len(w) }
func (w worstFirst) Less(i, j int) bool { return better(w[j], w[i]) }
func (w worstFirst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *worstFirst) Push(x any)        { *w = append(*w, x.(Hit)) }
func (w *worstFirst) Pop() any {
	old := *w
	x := old[len(old)-1]
	*w = old[:len(old)-1]
	return x
}
