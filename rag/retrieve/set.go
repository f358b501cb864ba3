package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"referent/inference"
	"referent/rag"
	"referent/rag/segment"
	"referent/storage/index"
)

// ChunkReader reads stored chunks; *index.Store is one. Chunks that are gone or
// restricted are left out.
type ChunkReader interface {
	Chunks(ctx context.Context, ids []int64) ([]index.Chunk, error)
}

// Deps is what retrieval stands on. Embedder, Reranker and Collections may be
// nil: no such model, no collections.
type Deps struct {
	Snapshot    func() *segment.Snapshot // nil while the library is being opened
	Store       ChunkReader
	Embedder    func() (inference.Embedder, error)
	Reranker    func() (inference.Reranker, error)
	Collections func(ctx context.Context) (map[string]int64, error) // ids by name
}

// Retriever finds hits for a query. Safe for concurrent use. Errors are
// *rag.Error: invalid_filter, no_model, cancelled, storage_failed, library_busy.
type Retriever interface {
	Name() string
	Retrieve(ctx context.Context, q Query) (Result, error)
}

// The names of the retrievers.
const (
	BM25     = "bm25"
	Dense    = "dense"
	Hybrid   = "hybrid"
	Reranked = "reranked"
)

// Set holds the retrievers.
type Set struct {
	deps Deps
	all  []retriever
}

// New makes the retrievers over what they need.
func New(d Deps) *Set {
	return &Set{deps: d, all: []retriever{
		{name: BM25, words: true},
		{name: Dense, meaning: true},
		{name: Hybrid, words: true, meaning: true},
		{name: Reranked, words: true, meaning: true, judged: true},
	}}
}

// Names lists the retrievers.
func (s *Set) Names() []string {
	names := make([]string, len(s.all))
	for i, r := range s.all {
		names[i] = r.name
	}
	return names
}

// Lookup returns a retriever by name; an empty name is hybrid. Errors:
// unknown_retriever, and no_model for reranked while no rerank model is there.
func (s *Set) Lookup(name string) (Retriever, error) {
	if name == "" {
		name = Hybrid
	}
	i := slices.IndexFunc(s.all, func(r retriever) bool { return r.name == name })
	if i < 0 {
		return nil, &rag.Error{Code: rag.CodeUnknownRetriever, Message: fmt.Sprintf("There is no retriever %q.", name),
			Hint: "Retrievers: " + strings.Join(s.Names(), ", ") + "."}
	}
	r := s.all[i]
	r.deps = s.deps
	if r.judged {
		if _, err := r.reranker(); err != nil {
			return nil, err
		}
	}
	return &r, nil
}

// retriever is one way through the common path.
type retriever struct {
	name    string
	words   bool // asks the word index
	meaning bool // asks the vectors
	judged  bool // asks the rerank model
	deps    Deps
}

func (r *retriever) Name() string { return r.name }

func (r *retriever) embedder() (inference.Embedder, error) {
	if r.deps.Embedder == nil {
		return nil, noModel("search by meaning", nil)
	}
	e, err := r.deps.Embedder()
	if err != nil {
		return nil, noModel("search by meaning", err)
	}
	return e, nil
}

func (r *retriever) reranker() (inference.Reranker, error) {
	if r.deps.Reranker == nil {
		return nil, noModel("reranking", nil)
	}
	m, err := r.deps.Reranker()
	if err != nil {
		return nil, noModel("reranking", err)
	}
	return m, nil
}

func noModel(role string, cause error) error {
	return &rag.Error{Code: rag.CodeNoModel, Message: "No model for " + role + " is loaded.", Hint: "Load one under Models, or choose another retriever.", Cause: cause}
}

// failure puts an error of a lower room into a sentence.
func failure(err error) error {
	var known *rag.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &rag.Error{Code: rag.CodeCancelled, Reason: rag.ReasonCancelled, Message: "The search was stopped.", Cause: err}
	}
	return &rag.Error{Code: rag.CodeStorageFailed, Message: "The library could not be read.", Hint: "Run the doctor command to check the data folder.", Cause: err}
}
