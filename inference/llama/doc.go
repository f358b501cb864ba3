// Package llama runs models in this process through the llama.cpp libraries.
// It implements inference.Host and is the only importer of the binding.
//
// Its words: a library is the one set of shared libraries of this process; a
// resident is a model file in memory, its weights loaded once; an evaluator is
// one context of a resident with the tokens it has evaluated; a turnstile lets
// the users of a device pass one decode call at a time, the urgent ones first.
//
// The library ends the process on input it does not expect, and nothing in Go
// can catch that. Every such input is stopped here: NUL bytes before the
// tokeniser, batches larger than the context accepts, encoder inputs longer
// than a micro-batch, files that parse but cannot be loaded, parallel loads.
// Callbacks into Go are made once for the process, because each one takes a
// slot that is never returned. No goroutine is ever locked to its thread.
//
// A cut of the cache is believed only if the positions show it: some kinds of
// memory report success and then compute wrong logits. Where they do not match,
// everything is cleared and evaluated again.
//
// The window's process never uses this package; package worker does.
package llama
