package segment

import (
	"slices"
	"sync"

	"referent/rag/lexical"
	"referent/rag/segment/bitmap"
	"referent/rag/vector"
	"referent/storage/index"
)

// Bitmap is a set of chunk ordinals of one snapshot; nil means all.
type Bitmap = bitmap.Bitmap

// Snapshot is one state of the library. It never changes; all methods are safe
// for concurrent use.
type Snapshot struct {
	blocks     []*block
	words      *lexical.Index
	dense      *vector.Index
	restricted []document // ascending by id
	model      string
	gone       int                      // chunks that only wait for a merge
	damaged    func()                   // hears that a file could not be read; nil: there are no files
	intact     func(index.Segment) bool // whether files are what was written
	languages  func() []string
	anyHidden  func() bool
}

func newSnapshot(blocks []*block, restricted []document, model string, depth int) *Snapshot {
	words := make([]*lexical.Block, len(blocks))
	s := &Snapshot{blocks: blocks, restricted: restricted, model: model}
	for i, b := range blocks {
		words[i] = b.words
		s.gone += b.gone
	}
	s.words, s.dense = lexical.NewIndex(words), vector.NewIndex(vectorsOf(blocks))
	if s.dense.Count() >= vector.SketchFrom {
		s.dense = s.dense.WithSketch(depth)
	}
	s.languages = sync.OnceValue(s.findLanguages)
	s.anyHidden = sync.OnceValue(s.findHidden)
	return s
}

// Lexical finds chunks by words. A file that is cut short meanwhile is a
// *rag.Error with CodeStorageFailed of the one search that meets it.
func (s *Snapshot) Lexical() lexical.Searcher {
	if s.damaged == nil {
		return s.words
	}
	return guardedWords{s.words, s}
}

// Dense finds chunks by meaning, with the same error.
func (s *Snapshot) Dense() vector.Searcher {
	if s.damaged == nil {
		return s.dense
	}
	return guardedVectors{s.dense, s}
}

// Model is the embedding model whose vectors are here.
func (s *Snapshot) Model() string { return s.model }

// Chunks is the number of chunks, hidden ones too.
func (s *Snapshot) Chunks() int { return s.words.Chunks() - s.gone }

// DocumentFrequency is the number of chunks that hold an index term.
func (s *Snapshot) DocumentFrequency(term string) int { return s.Lexical().DocumentFrequency(term) }

// Languages lists the languages of the documents, sorted; the empty one stands
// for documents whose language is not known. Not to be changed.
func (s *Snapshot) Languages() []string { return s.languages() }

func (s *Snapshot) findLanguages() []string {
	seen := map[string]bool{}
	for _, b := range s.blocks {
		for _, d := range b.docs {
			if !d.gone {
				seen[d.Language] = true
			}
		}
	}
	out := make([]string, 0, len(seen))
	for l := range seen {
		out = append(out, l)
	}
	slices.Sort(out)
	return out
}

// Document returns the columns of a document that can be found; false for one
// that is not here, hidden or restricted.
func (s *Snapshot) Document(id int64) (index.DocumentColumns, bool) {
	for _, b := range s.blocks {
		if i, ok := b.find(id); ok && b.docs[i].visible() {
			return b.docs[i].DocumentColumns, true
		}
	}
	return index.DocumentColumns{}, false
}

// Holds tells whether a chunk of a document can be found.
func (s *Snapshot) Holds(chunk, document int64) bool {
	for _, b := range s.blocks {
		if id, ok := b.documentOf(chunk); ok {
			i, _ := b.find(id)
			return id == document && b.docs[i].visible()
		}
	}
	return false
}

// OneDocument tells whether all allowed chunks are of a single document.
func (s *Snapshot) OneDocument(allow *Bitmap) bool {
	first, count := int64(0), 0
	s.eachAllowed(allow, func(d document, _, _ int) bool {
		if count == 0 || d.ID != first {
			first, count = d.ID, count+1
		}
		return count < 2
	})
	return count == 1
}

// LeftOut returns the documents that are allowed and that a narrower set does
// not hold; nil where there are none.
func (s *Snapshot) LeftOut(allow, narrower *Bitmap) map[int64]bool {
	var out map[int64]bool
	s.eachAllowed(allow, func(d document, from, to int) bool {
		for ord := from; ord < to && !out[d.ID]; ord++ {
			if allow.Has(ord) && !narrower.Has(ord) {
				if out == nil {
					out = map[int64]bool{}
				}
				out[d.ID] = true
			}
		}
		return true
	})
	return out
}

// eachAllowed hands the stretches that hold an allowed chunk, with the ordinals
// of the snapshot, until fn returns false.
func (s *Snapshot) eachAllowed(allow *Bitmap, fn func(d document, from, to int) bool) {
	base, more := 0, true
	for _, b := range s.blocks {
		b.eachRun(func(doc, from, to int) {
			if d := b.docs[doc]; more && !d.gone && allow.Any(base+from, base+to) {
				more = fn(d, base+from, base+to)
			}
		})
		base += b.words.Len()
	}
}
