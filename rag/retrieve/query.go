package retrieve

import (
	"strings"

	"referent/rag"
)

// What a Query means where it says nothing.
const (
	DefaultK           = 8
	DefaultPerDocument = 5
	DefaultHintExtras  = 3 // of the setting; a zero Query asks for none
)

// The two ways to join the legs.
const (
	FusionRRF    = "rrf"
	FusionConvex = "convex"
)

// Query is one search. Its zero values are the defaults named.
type Query struct {
	Texts       []string     // one, or two for a comparison: both will be in the result
	RerankText  string       // what a reranker judges by; empty: the first text
	Vector      []float32    // in place of the first text's own vector, any length but zero
	Scope       rag.Scope    // never dropped
	Filters     []rag.Filter // by owner
	K           int          // hits wanted; 0: DefaultK
	Offset      int          // hits passed over; extras of a guess are of the same page
	PerDocument int          // most hits of one document; 0: DefaultPerDocument
	HintExtras  int          // most hits beyond a guessed filter; 0: none
	Fusion      string       // FusionRRF or FusionConvex; empty: FusionRRF
	FloorCosine float64      // 0: what the embedding model was calibrated to
}

func (q Query) withDefaults() Query {
	var texts []string
	for _, t := range q.Texts {
		if strings.TrimSpace(t) != "" {
			texts = append(texts, t)
		}
	}
	q.Texts = texts
	if q.K <= 0 {
		q.K = DefaultK
	}
	q.K = max(q.K, len(q.Texts))
	q.Offset = max(q.Offset, 0)
	if q.PerDocument <= 0 {
		q.PerDocument = DefaultPerDocument
	}
	if q.RerankText == "" && len(texts) > 0 {
		q.RerankText = texts[0]
	}
	return q
}

// Result is what a search found.
type Result struct {
	Hits            []rag.Hit    // ranked: matches first, then hint extras
	Considered      []rag.Hit    // dropped before the last hit as duplicates of one, by what they repeat
	Adjacent        [][]int64    // runs of hits that follow each other in one document
	RestrictedCount int          // restricted documents that were not searched
	DroppedFilters  []rag.Filter // guesses that the hint extras do not keep; empty without extras
	Notes           []string     // sentences for people: what could not be used
	Floor           float64      // the dense floor in force, a cosine; 0: none
	Retriever       string
	EmbedMS         float64
	SearchMS        float64 // everything but embedding and reranking
	RerankMS        float64
}
