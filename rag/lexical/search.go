package lexical

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"referent/rag/segment/bitmap"
)

// window is how many ordinals are scored at a time: their sums stay in the
// first cache.
const window = 4096

// Search scores with block-max MaxScore (Turtle and Flood 1995; Ding and Suel
// 2011) over windows of ordinals. Words whose greatest contributions together
// cannot reach the k-th best score only refine chunks that the other words
// found; a window that cannot reach it is not read at all. The result is that
// of scoring everything.
func (x *Index) Search(ctx context.Context, q Query, allow *bitmap.Bitmap, k int) ([]Hit, error) {
	if k <= 0 {
		return nil, ctx.Err()
	}
	defer runtime.KeepAlive(x) // cursors point into its blocks
	scored, _ := x.plan(q)
	if len(scored) == 0 {
		return nil, ctx.Err()
	}
	x.norm.once.Do(x.norm.fill)
	r := readers.Get().(*reader)
	best := newTop(k)
	for _, i := range x.order {
		if err := ctx.Err(); err != nil {
			readers.Put(r)
			return nil, err
		}
		if b := x.blocks[i]; r.open(b, scored, x) {
			r.run(b, x.base[i], allow, best)
		}
	}
	readers.Put(r) // not after a fault in a mapped file: its sums are not zero then
	return best.sorted(), nil
}

func largestFirst(blocks []*Block) []int {
	order := make([]int, len(blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(blocks[b].Len(), blocks[a].Len()) })
	return order
}

// queryWord is a group of the query in one block.
type queryWord struct {
	weight  float32 // idf·unit
	cursors []*cursor
	bound   uint32 // in the present window
}

// reader is the working memory of a search; it is used again.
type reader struct {
	norm    *norm
	stretch float64
	words   []queryWord
	spare   []*cursor
	used    int
	sums    [window]uint32 // zero between windows
	group   [window]uint32
	touched [window / 64]uint64
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// open sets cursors on the words of a block; false when it holds none.
func (r *reader) open(b *Block, scored []weighed, x *Index) bool {
	r.norm, r.stretch = &x.norm, max(1, x.norm.average/b.average)
	r.words, r.used = r.words[:0], 0
	for _, s := range scored {
		w := queryWord{weight: float32(s.idf * unit)}
		for _, v := range s.Variants {
			if e, ok := b.find(v); ok {
				w.cursors = append(w.cursors, r.cursor(e))
			}
		}
		if len(w.cursors) > 0 {
			r.words = append(r.words, w)
		}
	}
	return len(r.words) > 0
}

func (r *reader) cursor(e entry) *cursor {
	if r.used == len(r.spare) {
		r.spare = append(r.spare, new(cursor))
	}
	c := r.spare[r.used]
	r.used++
	c.open(e.list, e.df)
	return c
}

// run offers the chunks of a block to best.
func (r *reader) run(b *Block, base int, allow *bitmap.Bitmap, best *top) {
	for lo := 0; lo < b.Len(); lo += window {
		hi := min(lo+window, b.Len())
		if !allow.Any(base+lo, base+hi) {
			continue
		}
		var all uint64
		for i := range r.words {
			w := &r.words[i]
			impact := uint8(0)
			for _, c := range w.cursors {
				impact = max(impact, c.bound(uint32(lo), uint32(hi)))
			}
			w.bound = bound(w.weight, impact, r.stretch)
			all += uint64(w.bound)
		}
		if all == 0 || all < uint64(best.least) {
			continue
		}
		slices.SortFunc(r.words, func(a, b queryWord) int { return cmp.Compare(a.bound, b.bound) })
		optional, rest := 0, uint64(0) // words that cannot carry a chunk alone, and what they add at most
		for optional < len(r.words) && rest+uint64(r.words[optional].bound) < uint64(best.least) {
			rest += uint64(r.words[optional].bound)
			optional++
		}
		for i := optional; i < len(r.words); i++ {
			if r.words[i].bound > 0 {
				r.add(b, &r.words[i], uint32(lo), uint32(hi))
			}
		}
		r.collect(b, base, lo, allow, r.words[:optional], rest, best)
	}
}

// add adds the contributions of a word to the sums of a window.
func (r *reader) add(b *Block, w *queryWord, lo, hi uint32) {
	if len(w.cursors) == 1 {
		r.each(b, w.cursors[0], lo, hi, w.weight, &r.sums, false)
		return
	}
	for _, c := range w.cursors {
		r.each(b, c, lo, hi, w.weight, &r.group, true)
	}
	for k, set := range r.touched {
		for ; set != 0; set &= set - 1 {
			i := k<<6 + bits.TrailingZeros64(set)
			r.sums[i] += r.group[i]
			r.group[i] = 0
		}
	}
}

// each brings the contributions of one list into sums: added, or the greater of
// the two where variants of a word compete.
func (r *reader) each(b *Block, c *cursor, lo, hi uint32, weight float32, sums *[window]uint32, greater bool) {
	table := &r.norm.table
	for i := c.at; i < c.blocks; i++ {
		c.load(i)
		k := 0
		if c.ords[0] < lo {
			k, _ = slices.BinarySearch(c.ords[:c.n], lo)
		}
		for ; k < c.n; k++ {
			ord := c.ords[k]
			if ord >= hi {
				return
			}
			tf, length := c.count(k), b.length(int(ord))
			var fraction float32
			if tf <= tableCounts && length < tableLengths {
				fraction = table[tf-1][length]
			} else {
				fraction = r.norm.exact(int(tf), int(length))
			}
			at := (ord - lo) % window
			r.touched[at>>6] |= 1 << (at & 63)
			if add := contribution(weight, fraction); greater {
				sums[at] = max(sums[at], add)
			} else {
				sums[at] += add
			}
		}
	}
}

// collect completes the chunks that were touched and offers them. rest is what
// the optional words, weakest first, add at most together.
func (r *reader) collect(b *Block, base, lo int, allow *bitmap.Bitmap, optional []queryWord, rest uint64, best *top) {
	for k, set := range r.touched {
		r.touched[k] = 0
		for ; set != 0; set &= set - 1 {
			at := k<<6 + bits.TrailingZeros64(set)
			sum := uint64(r.sums[at])
			r.sums[at] = 0
			ord := lo + at
			if sum+rest < uint64(best.least) || !allow.Has(base+ord) || !b.live.Has(ord) {
				continue
			}
			open := rest
			for i := len(optional) - 1; i >= 0; i-- {
				w := &optional[i]
				if w.bound == 0 {
					break
				}
				sum += uint64(r.probe(b, w, ord))
				if open -= uint64(w.bound); sum+open < uint64(best.least) {
					break
				}
			}
			if sum >= uint64(best.least) {
				best.offer(scoredChunk{score: uint32(sum), chunk: b.chunks[ord]})
			}
		}
	}
}

// probe is what a word adds to one chunk.
func (r *reader) probe(b *Block, w *queryWord, ord int) uint32 {
	most := uint32(0)
	for _, c := range w.cursors {
		if tf := c.find(uint32(ord)); tf > 0 {
			most = max(most, contribution(w.weight, r.norm.of(tf, b.length(ord))))
		}
	}
	return most
}
