package lab

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	"referent/rag"
	"referent/rag/chunk"
	"referent/rag/lexical/analyze"
)

// Row is one passage of a set, searched as one chunk.
type Row struct {
	ID       string // as judgements name it
	Document string // rows of one document share it; empty: a document of its own
	Title    string // counts as the title of a document
	Heading  string
	Header   string // embedded in front of Text
	Text     string
	Language string // ISO 639-1; empty: not known
	Locator  rag.Locator
	Stretch  Stretch   // of the text of its document, where that was cut
	Kind     string    // of its file; empty: text
	Class    rag.Class // empty: unknown
}

// Question is one question of a set, with what is known to be right.
type Question struct {
	ID         string
	Text       string
	History    []rag.Message
	Slice      string // what it is reported under beside the whole; empty: nothing
	Relevant   Grades
	References []Reference // facts to be found, in place of Relevant
	Reference  string      // the rewrite that somebody else made; empty: none
	OldTopic   string      // what the history is about and the question is not

	Document  string    // that holds the evidence
	Evidence  []Stretch // places to be found, in place of Relevant
	Documents []int64   // searched alone, by the place of their row from 1; none: all
	Answers   []string  // right answers by people; of a question without one, the refusal is right
	Gate      *Gate     // what a gate of S10 does with it
}

// Set is questions over one corpus.
type Set struct {
	Suite     string // S0, S1, …
	Name      string
	Manner    Manner // how its questions are asked
	Rows      []Row  // none: only rewrites are judged
	Questions []Question
}

// Hash names the content of a set, so that a run is not continued on another.
func (s Set) Hash() string {
	h := sha256.New()
	// Strings, numbers and maps, which are written in order: no error is possible.
	_ = json.NewEncoder(h).Encode(s)
	return hex.EncodeToString(h.Sum(nil))
}

// index names what is searched: the passages, and the versions of what cuts and
// analyses them.
func (s Set) index() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s analyzer %d chunks %d", Set{Rows: s.Rows}.Hash(), analyze.Version, chunk.Version))
	return hex.EncodeToString(sum[:])
}

// Sample returns n questions, the same ones on every machine, in their order: those
// whose ids have the smallest FNV-1a hashes. n of 0 or less is all of them.
func Sample(questions []Question, n int) []Question {
	if n <= 0 || n >= len(questions) {
		return questions
	}
	hash := func(q Question) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(q.ID))
		return h.Sum64()
	}
	place := make([]int, len(questions))
	for i := range place {
		place[i] = i
	}
	slices.SortFunc(place, func(a, b int) int {
		return cmp.Or(cmp.Compare(hash(questions[a]), hash(questions[b])), cmp.Compare(a, b))
	})
	place = place[:n]
	slices.Sort(place)
	out := make([]Question, n)
	for i, p := range place {
		out[i] = questions[p]
	}
	return out
}
