// Package lexical finds chunks by their words: an inverted index scored by
// BM25.
//
// A Block is immutable: a sorted dictionary and, for each term, the chunks
// that hold it with a count. An Index is a list of blocks that is searched as
// one; scores do not depend on how chunks are spread over blocks. Nothing is
// stored here: blocks are built from the chunk table and can be built again.
// A removed chunk leaves nothing behind in a block, no posting and no word.
//
// Words: a posting is a chunk with the count of one term; df is the number of
// chunks that hold a term; idf its rarity; a group is a word of the question
// in all languages of the corpus (see analyze); the share of a hit is the part
// of the question's content, weighed by idf, that it holds.
package lexical
