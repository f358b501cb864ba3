package segment

import (
	"errors"
	"strings"
	"testing"

	"referent/rag"
)

// Whatever a filter says, it is refused with the code of filters or it narrows.
func FuzzFilter(f *testing.F) {
	f.Add("date", "between", "2024-01-01 2024-12-31")
	f.Add("type", "in", "pdf text")
	f.Add("folder", "gt", "/home/ada")
	f.Add("collection", "nin", "house town")
	f.Add("document", "eq", "3")
	f.Fuzz(func(t *testing.T, field, op, values string) {
		s := shelf(t)
		filter, err := rag.NewFilter(field, op, strings.Fields(values), rag.OwnerUser)
		var allow *Bitmap
		if err == nil {
			allow, err = s.Allowed(rag.Scope{}, []rag.Filter{filter}, names)
		}
		if err != nil {
			if !errors.Is(err, &rag.Error{Code: rag.CodeInvalidFilter}) {
				t.Fatalf("%q %q %q: %v", field, op, values, err)
			}
			return
		}
		for _, chunk := range chunksOf(s, allow) {
			if chunk == 6 {
				t.Fatal("a hidden document was let through")
			}
		}
	})
}
