// Package lexical finds chunks by their words: an inverted index scored by
// BM25.
//
// A Block is immutable and one run of bytes, perhaps a mapped file: a sorted,
// front-coded dictionary and, for each term, the chunks that hold it with a
// count, bit-packed by 128 with the greatest impact of each packet. An Index is
// a list of blocks that is searched as one, reading only packets that can
// matter; scores do not depend on how chunks are spread over blocks. Blocks are
// built from the chunk table and can be built again. A merge leaves nothing of
// a removed chunk behind, no posting and no word.
//
// Words: a posting is a chunk with the count of one term; df is the number of
// chunks that hold a term; idf its rarity; a group is a word of the question
// in all languages of the corpus (see analyze); the share of a hit is the part
// of the question's content, weighed by idf, that it holds.
package lexical
