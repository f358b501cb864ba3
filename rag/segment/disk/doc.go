// Package disk keeps the files of a search index in one folder: each is
// written once, checked by size and checksum, and mapped into memory.
//
// A file is written to the folder "tmp", brought to the medium, and renamed, so
// that a name stands for a whole file or none. Which files count is not known
// here: the caller lists them elsewhere after a write, and tells which ones may
// go. Everything in the folder can be deleted at any time.
package disk
