package vector

import (
	"container/heap"
	"slices"
)

// candidate is a row that may be among the nearest.
type candidate struct {
	score float32
	chunk int64
	page  *page
	row   int
}

func better(a, b candidate) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return a.chunk < b.chunk
}

// nearest keeps the k best candidates, the worst of them in front.
type nearest struct {
	k    int
	kept worstFirst
}

func newNearest(k int) *nearest { return &nearest{k: k} }

func (n *nearest) wants(c candidate) bool {
	return len(n.kept) < n.k || better(c, n.kept[0])
}

func (n *nearest) offer(c candidate) {
	if len(n.kept) < n.k {
		heap.Push(&n.kept, c)
	} else if better(c, n.kept[0]) {
		n.kept[0] = c
		heap.Fix(&n.kept, 0)
	}
}

// hits returns what was kept, best first.
func (n *nearest) hits() []Hit {
	slices.SortFunc(n.kept, func(a, b candidate) int {
		if better(a, b) {
			return -1
		}
		return 1
	})
	out := make([]Hit, len(n.kept))
	for i, c := range n.kept {
		out[i] = Hit{Chunk: c.chunk, Cosine: float64(c.score)}
	}
	return out
}

type worstFirst []candidate

func (w worstFirst) Len() int           { return len(w) }
func (w worstFirst) Less(i, j int) bool { return better(w[j], w[i]) }
func (w worstFirst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *worstFirst) Push(x any)        { *w = append(*w, x.(candidate)) }
func (w *worstFirst) Pop() any {
	old := *w
	x := old[len(old)-1]
	*w = old[:len(old)-1]
	return x
}
