package engine

import (
	"context"

	"referent/rag"
)

// simple searches the question. It looks at the history only to say whether
// there is any; package isolation proves that nothing else depends on it.
type simple struct{}

func (simple) Name() string { return "simple" }

func (simple) Sentence() string {
	return "Searches your words. The conversation cannot change what is searched."
}

func (simple) Prepare(_ context.Context, req Request, _ Tools) (rag.Prepared, error) {
	if len(req.History) == 0 {
		return verbatim(req, rag.StatusNoHistory), nil
	}
	return verbatim(req, rag.StatusVerbatimEngine), nil
}
