// Package process runs parts of the program as child processes of its own
// executable, so that a fault in foreign code (a library's assertion, a
// driver, a hostile file) ends the child and never the window.
//
// A Role is a hidden first argument, --role=model. Dispatch recognises it and
// must be the first thing in main and, through TestMain, in tests: before the
// command line, settings or any data folder. Spawn starts a child in a role.
// Parent and child exchange frames over the child's standard input and output;
// a Pipe reads and writes them at either end.
//
// A child dies with its parent: closing its input ends it, and on Linux the
// kernel kills it too. It writes no core dump, may have a memory cap, and of
// its error output only lines that are known to hold no document text are
// kept. How it ended is told as a Death.
//
// Nothing of ours is imported here; every layer may use this package.
package process
