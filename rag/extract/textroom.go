package extract

import "slices"

const (
	knownText    = 1 << 20  // bytes of text after which the rest can be foretold
	maxTextAhead = 32 << 20 // bytes that are set aside at most for text that was not read yet
)

// textRoom sets memory aside for the text and the blocks of a large document, of
// which it is told how much was read: what grows by itself is kept twice while it
// moves, in a place that may be far too large.
type textRoom struct {
	d    *document
	all  int64 // bytes of the source
	read int64 // of them
}

// Write counts what was read of the source.
func (r *textRoom) Write(p []byte) (int, error) {
	r.read += int64(len(p))
	return len(p), nil
}

// make sees to it that n more bytes have room. When they have none, the text
// moves to a place for as much as the whole source will have, if the rest of it
// is like what was read.
func (r *textRoom) make(n int) {
	if r == nil || r.d.text.Len() < knownText || r.d.text.Cap()-r.d.text.Len() >= n+len(separator) {
		return
	}
	text := r.d.text.String()
	length := float64(len(text) + n)
	rest := max(length*float64(r.all-r.read)/float64(max(r.read, 1)), 0) + length/16
	rest = min(rest, maxTextAhead)
	r.d.text.Reset()
	r.d.text.Grow(int(length + rest))
	r.d.text.WriteString(text)
	r.d.blocks = slices.Grow(r.d.blocks, int(float64(len(r.d.blocks))*rest/length)+1)
	r.d.share(0)
}
