package lexical

import (
	"cmp"
	"slices"
	"strings"

	"referent/rag/lexical/analyze"
)

// Entry is a chunk as the index reads it.
type Entry struct {
	Chunk    int64
	Language string // ISO 639-1; empty if not known
	Text     string
	Title    string // of the document
	Heading  string // path of headings above the text
	FileName string // without folders; its extension counts as a word
}

// fieldWeight is how often a word of a title, heading or file name counts,
// against once in the text: a name says what a chunk is about.
const fieldWeight = 2

// Build makes a block of at most MaxBlock entries with distinct chunks, in any
// order. Entries beyond MaxBlock are not read; the caller splits.
func Build(entries []Entry) *Block {
	entries = slices.Clone(entries[:min(len(entries), MaxBlock)])
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Chunk, b.Chunk) })
	w := writer{terms: make(map[string]*list), order: make([]*list, 0, 256)}
	chunks := make([]int64, len(entries))
	lengths := make([]uint16, len(entries))
	for i, e := range entries {
		chunks[i] = e.Chunk
		lengths[i] = w.entry(uint32(i), e)
	}
	slices.SortFunc(w.order, func(a, b *list) int { return strings.Compare(a.name, b.name) })
	out := newEncoder(chunks, lengths)
	for _, l := range w.order {
		out.add([]byte(l.name), l.ords, l.counts)
	}
	return out.finish()
}

type list struct {
	name   string
	ords   []uint32
	counts []uint8
}

type writer struct {
	terms map[string]*list
	order []*list
}

// entry adds the terms of a chunk and returns its length.
func (w *writer) entry(ord uint32, e Entry) uint16 {
	length := 0
	field := func(text string, weight int) {
		analyze.Text(text, e.Language, func(term string, aux bool) {
			if !aux {
				length++
			}
			w.add(ord, term, weight)
		})
	}
	field(e.Text, 1)
	field(e.Title, fieldWeight)
	field(e.Heading, fieldWeight)
	if stem := strings.TrimSuffix(e.FileName, extension(e.FileName)); stem != e.Title { // a title taken from the name says nothing twice
		field(e.FileName, fieldWeight)
	}
	return uint16(min(length, 1<<16-1))
}

func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[i:]
	}
	return ""
}

func (w *writer) add(ord uint32, term string, weight int) {
	l := w.terms[term]
	if l == nil {
		l = &list{name: strings.Clone(term)} // a term may be a part of its text
		w.terms[l.name] = l
		w.order = append(w.order, l)
	}
	if n := len(l.ords); n > 0 && l.ords[n-1] == ord {
		l.counts[n-1] = uint8(min(int(l.counts[n-1])+weight, 255))
		return
	}
	l.ords = append(l.ords, ord)
	l.counts = append(l.counts, uint8(weight))
}
