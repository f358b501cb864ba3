package segment

import (
	"cmp"
	"slices"

	"referent/storage/index"
)

// Documents returns the columns of the documents with an allowed chunk, by
// path. Hidden ones are never among them.
func (s *Snapshot) Documents(allow *Bitmap) []index.DocumentColumns {
	var out []index.DocumentColumns
	taken := map[int64]bool{}
	s.eachAllowed(allow, func(d document, _, _ int) bool {
		if !taken[d.ID] && d.visible() {
			taken[d.ID] = true
			out = append(out, d.DocumentColumns)
		}
		return true
	})
	slices.SortFunc(out, func(a, b index.DocumentColumns) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID))
	})
	return out
}
