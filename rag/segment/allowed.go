package segment

import (
	"cmp"
	"slices"
	"strings"

	"referent/rag"
	"referent/rag/segment/bitmap"
)

// Allowed returns the chunks that a scope and filters leave, all of them
// together; filters only narrow. collections maps names to ids. Hidden
// documents are never in it. Nil means every chunk. The error is a *rag.Error
// with CodeInvalidFilter.
func (s *Snapshot) Allowed(scope rag.Scope, filters []rag.Filter, collections map[string]int64) (*Bitmap, error) {
	match, err := compileScope(scope, collections)
	if err != nil {
		return nil, err
	}
	for _, f := range filters {
		m, err := compile(f, collections)
		if err != nil {
			return nil, err
		}
		match = append(match, m)
	}
	if len(match) == 0 && !s.anyHidden() {
		return nil, nil
	}
	out := bitmap.New(s.words.Chunks())
	base := 0
	for _, b := range s.blocks {
		pass := make([]bool, len(b.docs))
		for i, d := range b.docs {
			pass[i] = d.visible() && !slices.ContainsFunc(match, func(m matcher) bool { return !m(d) })
		}
		b.eachRun(func(doc, from, to int) {
			if pass[doc] {
				out.SetRange(base+from, base+to)
			}
		})
		base += b.words.Len()
	}
	return out, nil
}

func compileScope(scope rag.Scope, collections map[string]int64) ([]matcher, error) {
	var match []matcher
	if len(scope.Collections) > 0 {
		ids := make([]int64, 0, len(scope.Collections))
		for _, name := range scope.Collections {
			id, ok := collections[name]
			if !ok {
				return nil, unknownCollection(name)
			}
			ids = append(ids, id)
		}
		match = append(match, func(d document) bool {
			return slices.ContainsFunc(d.Collections, func(id int64) bool { return slices.Contains(ids, id) })
		})
	}
	if scope.PathUnder != "" {
		root := pathKey(scope.PathUnder, foldsCase)
		match = append(match, func(d document) bool { return d.path != "" && under(d.path, root) })
	}
	if len(scope.Types) > 0 {
		match = append(match, func(d document) bool {
			return slices.ContainsFunc(scope.Types, func(t string) bool { return strings.EqualFold(t, d.Kind) })
		})
	}
	if len(scope.Documents) > 0 {
		match = append(match, func(d document) bool { return slices.Contains(scope.Documents, d.ID) })
	}
	return match, nil
}

func (s *Snapshot) findHidden() bool {
	for _, b := range s.blocks {
		if slices.ContainsFunc(b.docs, func(d document) bool { return !d.gone && !d.visible() }) {
			return true
		}
	}
	return false
}

// Restricted is the number of restricted documents in the collections of a
// scope. Paths, kinds and filters do not narrow it: a count that followed them
// would tell what is in those documents.
func (s *Snapshot) Restricted(scope rag.Scope, collections map[string]int64) int {
	if len(scope.Collections) == 0 {
		return len(s.restricted)
	}
	n := 0
	for _, d := range s.restricted {
		if slices.ContainsFunc(scope.Collections, func(name string) bool {
			id, ok := collections[name]
			return ok && slices.Contains(d.Collections, id)
		}) {
			n++
		}
	}
	return n
}

// revision is that of a document's words here; 0 when there are none.
func (s *Snapshot) revision(id int64) int64 {
	newest := int64(0)
	for _, b := range s.blocks {
		if i, ok := b.find(id); ok {
			newest = max(newest, b.docs[i].Revision)
		}
	}
	return newest
}

func (s *Snapshot) isRestricted(id int64) bool {
	_, found := slices.BinarySearchFunc(s.restricted, id, func(d document, id int64) int { return cmp.Compare(d.ID, id) })
	return found
}
