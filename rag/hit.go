package rag

import "encoding/json"

// Leg is what one leg of retrieval said about a hit. Rank counts from 1.
type Leg struct {
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
}

// Trace keeps every leg's judgement; nil where a leg did not find the hit.
type Trace struct {
	BM25   *Leg `json:"bm25"`
	Dense  *Leg `json:"dense"`
	Fused  *Leg `json:"fused"`
	Rerank *Leg `json:"rerank"`
}

// HitOwner says why a hit is in the list.
type HitOwner string

// A match answers the search; a hint extra was found without a guessed filter.
const (
	OwnerMatch     HitOwner = "match"
	OwnerHintExtra HitOwner = "hint_extra"
)

// Packing is the decision about a candidate.
type Packing string

// The closed list of packing decisions.
const (
	Packed            Packing = "packed"
	PackedBudget      Packing = "budget"
	PackedFloor       Packing = "floor"
	PackedDuplicateOf Packing = "duplicate_of"
)

// Strategy is how a passage was rendered for the prompt.
type Strategy string

// The closed list of rendering strategies.
const (
	StrategyVerbatim Strategy = "verbatim"
	StrategyHeadline Strategy = "headline"
	StrategyStub     Strategy = "stub"
)

// Hit is a chunk that was found, with everything that explains it. Before
// packing, N, Packing, Rendered, Strategy and RenderedTokens are unset.
type Hit struct {
	Rank        int      `json:"rank"`
	N           int      `json:"n"` // citation number; 0 before packing or when not packed
	Chunk       int64    `json:"chunk"`
	ContentHash string   `json:"content_hash"`
	Document    int64    `json:"document"`
	Path        string   `json:"path"`
	Title       string   `json:"title"`
	Heading     string   `json:"heading"`
	Locator     Locator  `json:"locator"`
	Text        string   `json:"text"`
	Score       float64  `json:"score"`
	Trace       Trace    `json:"trace"`
	Owner       HitOwner `json:"owner"`
	Class       Class    `json:"class"`
	Pinned      bool     `json:"pinned"`
	Packing     Packing  `json:"packing"`
	DuplicateOf int64    `json:"duplicate_of"`
	Rendered    string   `json:"rendered"`
	Strategy    Strategy `json:"strategy"`
	// RenderedTokens is the cost in the prompt, in tokens of the answer model.
	RenderedTokens int `json:"rendered_tokens"`

	// Not in the JSON: what later stages need.
	Parent      int64   `json:"-"`
	Header      string  `json:"-"`
	Language    string  `json:"-"`
	Offset      int     `json:"-"` // code points in the document's text
	Length      int     `json:"-"`
	TermShare   float64 `json:"-"` // share of the search text's IDF mass that the hit holds, 0 to 1
	PassedFloor bool    `json:"-"`
	TextTokens  int     `json:"-"` // stored count in tokens of the answer model; 0: not counted yet
}

// MarshalJSON writes the contract of `referent search --json`: numbers and
// texts that are not set yet are null.
func (h Hit) MarshalJSON() ([]byte, error) {
	type plain Hit // without this method
	return json.Marshal(struct {
		plain
		N              *int      `json:"n"`
		Heading        *string   `json:"heading"`
		Packing        *Packing  `json:"packing"`
		DuplicateOf    *int64    `json:"duplicate_of"`
		Rendered       *string   `json:"rendered"`
		Strategy       *Strategy `json:"strategy"`
		RenderedTokens *int      `json:"rendered_tokens"`
	}{plain(h), ptr(h.N), ptr(h.Heading), ptr(h.Packing), ptr(h.DuplicateOf), ptr(h.Rendered), ptr(h.Strategy), ptr(h.RenderedTokens)})
}
