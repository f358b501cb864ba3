// Command compare measures the search index beside its peers in one run: the
// word index beside SQLite FTS5 and bleve, the vectors beside sqlite-vec,
// chromem-go and plainly reading the same bytes.
//
// Texts and vectors come from a generator with a fixed seed, the same ones for
// every engine, and each query is asked of all engines in turn. The indexes of
// the peers are kept in the user's cache folder. The table gives medians, their
// ratio, the machine and the versions; ratios count, milliseconds do not. It is
// a module of its own so that no peer becomes a dependency of the program.
package main
