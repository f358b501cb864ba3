// Package inference holds the contracts of model work: what a caller may ask
// of a model and what it gets back. It knows no library, no process and no
// file format; the rooms below it do.
//
// A model plays a role: answer (writes to the person), condense (rewrites a
// question), embed (text to vector) or rerank (judges a passage). One file may
// play several roles. A Host loads models and hands out the small interfaces
// Generator, Embedder, Reranker and Tokenizer; package llama implements it in
// this process, package worker in a child process, package fake without any
// model. All three pass one conformance suite (inference/conformance).
//
// Package inference never imports storage, rag or app.
package inference
