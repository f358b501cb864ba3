// Command compare measures the search index beside its peers in one run: the
// word index beside SQLite FTS5 and bleve, the vectors beside sqlite-vec,
// chromem-go, hnswlib (with the tag of that name) and plainly reading the same
// bytes, and a whole library as the program keeps it: hybrid searches, the
// start, a document that is added, memory.
//
// Texts come from a generator with a fixed seed. Vectors are drawn around those
// that the starter model gives to real passages of the public sets; queries are
// real questions. What is embedded and what peers have built stays in the user's
// cache folder. Each query is asked of all engines in turn. The table gives
// medians by the clock and of the processor, their ratios, the machine and the
// versions; ratios count, milliseconds do not. It is a module of its own so that
// no peer becomes a dependency of the program.
package main
