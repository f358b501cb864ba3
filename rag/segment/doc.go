// Package segment is the searchable state of the library: what the word index,
// the vectors and the filters see, as one snapshot at a time.
//
// The truth is in storage; an Index follows it by small changes. It holds
// immutable blocks of chunks: a new document is a new small block in memory,
// small blocks are joined as they gather, and thousands of chunks become a
// segment: a file of words and one of vectors, mapped, listed in a manifest,
// and merged in the background. A segment notes the revision of each document,
// so a start knows without reading a text which documents it still describes;
// the rest is built anew. Every change publishes a Snapshot through an atomic
// pointer. Readers take one and never wait; a snapshot never changes.
//
// Words: an ordinal is the position of a chunk in a snapshot; columns are what
// filters look at, kept for each document; masked documents are hidden but
// still there; what is gone from a segment only waits for a merge. Restricted
// documents have no posting, no vector and no ordinal here, and their words
// leave the files at once: only their number is known.
package segment
