// Package kernel does the arithmetic of a vector search over many rows in one
// call: dot products with float32, half precision and int8 rows, and the sums
// of a sketch.
//
// The C code has a form for AVX2, AVX-512 and NEON and a scalar one; which one
// runs is decided once, from what the processor can do. Without cgo the same
// work is done in Go. Integer results are equal bit for bit in every form;
// float results differ only by the order of additions, about 1e-6 for unit
// vectors.
//
// A row is Dimensions values, rows lie one after the other. Stored int8 codes
// are bytes of value+128, the query is signed; nothing saturates. The package
// knows nothing of chunks, scales or filters.
package kernel
