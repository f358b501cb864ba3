// Package segment is the searchable state of the library: what the word index,
// the vectors and the filters see, as one snapshot at a time.
//
// The truth is in storage; an Index is built from it at start and follows it
// by small changes. It holds immutable blocks of chunks: a new document is a
// new small block, small blocks are joined as they gather, and a removed
// document is taken out of its block at once, words and vectors with it. Every
// change publishes a Snapshot through an atomic pointer. Readers take one and
// never wait; a snapshot never changes under them.
//
// Words: an ordinal is the position of a chunk in a snapshot; columns are what
// filters look at, kept for each document; masked documents are hidden but
// still there. Restricted documents have no posting, no vector and no ordinal
// here: only their number is known.
package segment
