// Package vector finds chunks by meaning: the stored vectors nearest to a
// query vector by cosine.
//
// A Block holds the vectors of a block of chunks in pages, twice: as int8 codes
// that a search scans, and in half precision, which judges the best of the scan
// again, so that the ranking is that of the floats. There is no graph. Pages
// are immutable and copied when a vector is added, so a reader never waits and
// never sees half a vector. An encoded block is one run of bytes, perhaps a
// mapped file, that its pages point into; it also has a sketch of one bit a
// dimension. In a large index the sketches choose whose codes are read, at a
// depth that Calibrate measures on the stored vectors themselves.
//
// Words: a row is one vector, unit length; a code is a row in int8 with one
// scale; a page is the rows of up to 256 neighbouring ordinals. Chunks without
// a vector are simply not found here. The package knows no model and no text.
package vector
