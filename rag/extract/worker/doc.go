// Package worker reads files in child processes of our own executable, the
// parse role, so that a hostile or broken file costs itself and nothing else.
//
// A worker reads one document at a time. The parent gives each a deadline (10 s
// and 2 s a megabyte, 120 s at most, and more for each picture whose words are
// recognised) and a cap on memory, and kills the worker
// that passes either; the next document gets a fresh one. What a worker makes ready
// before a document (the PDF module) has no deadline. How a worker ended is
// told as ErrTimedOut, ErrMemory or ErrDied, together with a status and a
// sentence for the file; how often a file may do that is the library's rule.
//
// Frames: a request, then progress, the extraction's head, its text and blocks
// in pieces, and an end. Nothing of a document is ever written to the error
// output.
package worker
