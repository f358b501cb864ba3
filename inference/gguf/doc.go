// Package gguf reads, checks and writes GGUF files, the container of
// llama.cpp models: a list of key/value pairs, a table of tensors and the
// aligned tensor data behind it.
//
// Open and Read take only the header; tensor data is never loaded. A header
// from a stranger is data: every count and length is bounded by the size of
// the file before memory is taken, and a bad one is an error, never a panic.
// Check decides whether a file may be handed to the library, which ends the
// process on some files that parse; its errors are sentences for people.
// Writer writes version 3 with an alignment of 32 bytes, streaming and
// reproducible: equal input gives equal bytes.
//
// Words: a shape lists the fastest-moving dimension first, as GGUF does; a
// layer is one block of the model ("blk.N."); an extent is a tensor's place in
// the data section, in bytes.
//
// Package gguf knows nothing of a runtime or a device. The format is described
// in the file docs/gguf.md of the ggml project.
package gguf
