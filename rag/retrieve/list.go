package retrieve

import (
	"context"
	"slices"

	"referent/rag"
	"referent/storage/index"
)

// Listing is the documents that a scope and filters leave, by path. Others are
// those that only guesses left out.
type Listing struct {
	Documents []index.DocumentColumns
	Others    int
}

// List names documents without searching anything. Filters have owners as in a
// search: a guess narrows the list, and what it left out is counted. Restricted
// documents are never listed. Errors: invalid_filter, library_busy,
// storage_failed.
func (s *Set) List(ctx context.Context, scope rag.Scope, filters []rag.Filter) (Listing, error) {
	snap := s.deps.Snapshot()
	if snap == nil {
		return Listing{}, &rag.Error{Code: rag.CodeLibraryBusy, Message: "The library is still being opened.", Hint: "Ask again in a moment."}
	}
	var collections map[string]int64
	if s.deps.Collections != nil {
		var err error
		if collections, err = s.deps.Collections(ctx); err != nil {
			return Listing{}, failure(err)
		}
	}
	narrow, err := snap.Allowed(scope, filters, collections)
	if err != nil {
		return Listing{}, failure(err)
	}
	out := Listing{Documents: snap.Documents(narrow)}
	hard := slices.DeleteFunc(slices.Clone(filters), droppableGuess)
	if len(hard) == len(filters) {
		return out, nil
	}
	wide, err := snap.Allowed(scope, hard, collections)
	if err != nil {
		return Listing{}, failure(err)
	}
	out.Others = len(snap.Documents(wide)) - len(out.Documents)
	return out, nil
}
