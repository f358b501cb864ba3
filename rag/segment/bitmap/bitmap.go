package bitmap

import "math/bits"

// Bitmap is a set of ordinals below a fixed length. Building is for one
// goroutine; a finished one may be read by many.
type Bitmap struct {
	words  []uint64
	length int
}

// New returns an empty set over ordinals 0 to length-1.
func New(length int) *Bitmap {
	return &Bitmap{words: make([]uint64, (length+63)/64), length: length}
}

// Len is the number of ordinals that the set is about, in it or not.
func (b *Bitmap) Len() int { return b.length }

// Set puts ordinal i into the set. i must be below Len.
func (b *Bitmap) Set(i int) { b.words[i>>6] |= 1 << (i & 63) }

// Has tells whether ordinal i is in the set. A nil set holds everything; what
// lies at or beyond Len is in no other set.
func (b *Bitmap) Has(i int) bool {
	if b == nil {
		return true
	}
	return i>>6 < len(b.words) && b.words[i>>6]&(1<<(i&63)) != 0
}

// Count is the number of ordinals in the set.
func (b *Bitmap) Count() int {
	n := 0
	for _, w := range b.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Any tells whether an ordinal from (inclusive) to (exclusive) is in the set.
func (b *Bitmap) Any(from, to int) bool {
	if b == nil {
		return from < to
	}
	to = min(to, b.length)
	for i := from; i < to; {
		w := b.words[i>>6] >> (i & 63)
		if w != 0 {
			return i+bits.TrailingZeros64(w) < to
		}
		i = (i | 63) + 1
	}
	return false
}

// Each calls fn for every ordinal of the set, ascending.
func (b *Bitmap) Each(fn func(int)) {
	for k, w := range b.words {
		for ; w != 0; w &= w - 1 {
			fn(k<<6 + bits.TrailingZeros64(w))
		}
	}
}

// Clear takes ordinal i out of the set.
func (b *Bitmap) Clear(i int) { b.words[i>>6] &^= 1 << (i & 63) }

// SetRange puts the ordinals from (inclusive) to (exclusive) into the set.
func (b *Bitmap) SetRange(from, to int) {
	for i := from; i < to; {
		if i&63 == 0 && to-i >= 64 {
			b.words[i>>6] = ^uint64(0)
			i += 64
			continue
		}
		b.Set(i)
		i++
	}
}

// Clone returns a set of the same ordinals; nil for nil.
func (b *Bitmap) Clone() *Bitmap {
	if b == nil {
		return nil
	}
	return &Bitmap{words: append([]uint64(nil), b.words...), length: b.length}
}
