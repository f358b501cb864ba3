package lexical

import (
	"bytes"
	"encoding/binary"
	"sort"
)

// entry is what the dictionary knows of a term.
type entry struct {
	df   int    // chunks that hold it
	list []byte // its postings and what lies behind them
}

// walker reads the dictionary in order.
type walker struct {
	b      *Block
	next   int // number of the next term
	at     int // in dict
	offset uint64
	term   []byte // the present one; valid until the next step
	entry  entry
}

// walk begins at a group of 16 terms.
func (b *Block) walk(group int) walker {
	return walker{b: b, next: group * groupTerms, at: int(binary.LittleEndian.Uint32(b.heads[4*group:]))}
}

// step moves to the next term; false behind the last one.
func (w *walker) step() bool {
	if w.next == w.b.terms {
		return false
	}
	if w.next%groupTerms == 0 {
		w.offset = w.number()
	}
	shared, suffix := int(w.number()), int(w.number())
	w.term = append(w.term[:shared], w.b.dict[w.at:w.at+suffix]...)
	w.at += suffix
	w.entry = entry{df: int(w.number()), list: w.b.postings[w.offset:]}
	w.offset += w.number()
	w.next++
	return true
}

func (w *walker) number() uint64 {
	v, n := binary.Uvarint(w.b.dict[w.at:])
	w.at += n
	return v
}

// find looks a term up.
func (b *Block) find(term string) (entry, bool) {
	groups := len(b.heads) / 4
	// The first group whose head is greater; the term is in the one before.
	group := sort.Search(groups, func(g int) bool { return string(b.head(g)) > term }) - 1
	if group < 0 {
		return entry{}, false
	}
	w := b.walk(group)
	for range groupTerms {
		if !w.step() {
			break
		}
		switch bytes.Compare(w.term, []byte(term)) {
		case 0:
			return w.entry, true
		case 1:
			return entry{}, false
		}
	}
	return entry{}, false
}

// head is the first term of a group, which is written whole.
func (b *Block) head(group int) []byte {
	w := b.walk(group)
	w.number() // where its postings begin
	w.number() // no shared prefix
	n := int(w.number())
	return b.dict[w.at : w.at+n]
}
