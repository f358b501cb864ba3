// Package kernel multiplies one query vector with many stored ones: float32
// and int8 dot products over a block of rows in one call.
//
// The C code holds an AVX2 form and a scalar form; which one runs is decided
// once, from what the processor can do. Without cgo the same work is done in
// Go. Integer results are equal bit for bit in every form; float results
// differ only by the order of additions, about 1e-6 for unit vectors.
//
// A row is Dimensions values, rows lie one after the other. Stored int8 codes
// are bytes of value+128, the query is signed; AVX2 widens both, so nothing
// saturates. The package knows nothing of chunks, scales or filters.
package kernel
