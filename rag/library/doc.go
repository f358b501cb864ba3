// Package library keeps the index in step with the files of a person: it
// watches folders, knows what changed, reads one file after the other and makes
// it searchable, by words at once and by meaning as soon as the vectors are
// there. Only this package knows the order of the stages: extract, chunk,
// store, search.
//
// Words: a root is a folder or file that the user added; the ledger is what the
// store knows of each file; a reconcile compares a root with the ledger; a path
// is quiet when its size and time have stayed the same for a while; a vanished
// file is masked at once and purged after the grace time, so that both halves
// of a move meet; an offline root is one that is away, and keeps its index.
//
// The queue is in the store: whatever ends the program, the next start goes on
// where it stopped. A file that cannot be read costs only itself. Package
// library never writes to the folders that it watches.
package library
