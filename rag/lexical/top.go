package lexical

import "slices"

// scoredChunk is a chunk with its score in units.
type scoredChunk struct {
	score uint32
	chunk int64
}

// before orders by score, equals by the older chunk.
func (a scoredChunk) before(b scoredChunk) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return a.chunk < b.chunk
}

// top keeps the k best chunks in a heap, the worst of them in front.
type top struct {
	k     int
	heap  []scoredChunk
	least uint32 // what a chunk must reach; 0 while there is room
}

func newTop(k int) *top { return &top{k: k} }

func (t *top) offer(c scoredChunk) {
	switch {
	case len(t.heap) < t.k:
		t.heap = append(t.heap, c)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if !t.heap[parent].before(t.heap[i]) {
				break
			}
			t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
			i = parent
		}
	case c.before(t.heap[0]):
		t.heap[0] = c
		t.sink()
	}
	if len(t.heap) == t.k {
		t.least = t.heap[0].score
	}
}

// sink brings the front to its place.
func (t *top) sink() {
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if t.heap[worst].before(t.heap[child]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

func (t *top) sorted() []Hit {
	slices.SortFunc(t.heap, func(a, b scoredChunk) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	out := make([]Hit, len(t.heap))
	for i, c := range t.heap {
		out[i] = Hit{Chunk: c.chunk, Score: float64(c.score) / unit}
	}
	return out
}
