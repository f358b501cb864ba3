// Package retrieve finds the passages for a search text. It asks the word index
// and the vectors, joins what they say, and returns ranked hits that carry
// every judgement that was made of them.
//
// Four retrievers share one path: bm25 (words), dense (meaning), hybrid (both,
// fused by rank) and reranked (hybrid, judged again by a model). A leg that
// finds nothing, or that has no model, never lowers the other. The floor says
// of each hit whether it is good enough to be evidence; nothing is dropped for
// it here, so that a refusal can show the nearest miss.
//
// Filters have owners. A user's filter and a restriction are absolute; a guess
// is a hint: what it left out is searched once more and appended, marked, after
// the hits that match. A scope is never dropped. Restricted documents are not
// in the index, and a stored chunk that the snapshot does not hold is thrown
// away before anything judges it.
//
// The package knows no history, no prompt and no budget.
package retrieve
