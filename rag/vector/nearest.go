package vector

import "slices"

// candidate is a row that may be among the nearest.
type candidate struct {
	score float32
	chunk int64
	page  *page
	row   int
}

// before orders by score, equals by the older chunk.
func (c candidate) before(o candidate) bool {
	if c.score != o.score {
		return c.score > o.score
	}
	return c.chunk < o.chunk
}

// nearest keeps the k best candidates in a heap, the worst of them in front.
type nearest struct {
	k    int
	kept []candidate
}

func newNearest(k int) *nearest { return &nearest{k: k} }

// least is the score below which a candidate is not wanted.
func (n *nearest) least() float32 {
	if len(n.kept) < n.k {
		return -1 << 30
	}
	return n.kept[0].score
}

func (n *nearest) offer(c candidate) {
	switch {
	case len(n.kept) < n.k:
		n.kept = append(n.kept, c)
		for i := len(n.kept) - 1; i > 0; {
			parent := (i - 1) / 2
			if !n.kept[parent].before(n.kept[i]) {
				break
			}
			n.kept[i], n.kept[parent] = n.kept[parent], n.kept[i]
			i = parent
		}
	case c.before(n.kept[0]):
		n.kept[0] = c
		n.sink()
	}
}

// sink brings the front to its place.
func (n *nearest) sink() {
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(n.kept); child++ {
			if n.kept[worst].before(n.kept[child]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		n.kept[i], n.kept[worst] = n.kept[worst], n.kept[i]
		i = worst
	}
}

// hits returns what was kept, best first.
func (n *nearest) hits() []Hit {
	slices.SortFunc(n.kept, func(a, b candidate) int {
		if a.before(b) {
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
