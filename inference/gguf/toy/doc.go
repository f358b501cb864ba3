// Package toy writes small real models, so that tests go through the real
// load, tokenise, decode and sample path without a download. In the program only
// package selftest runs them, to find out whether a backend computes right.
//
// Chat is a chat model with a canned answer: a llama model, one with a sliding
// window, or a hybrid one. Its layers are random and quiet;
// its output matrix makes token i be followed by next(i). Whatever the prompt,
// it writes the chosen text and then its end token, on any device and in any
// quantisation. It can emit a character in single bytes, a think block, or
// never end.
//
// Embedder is a BERT encoder with mean pooling: texts that share words of its
// list are close. Reranker is a BERT cross-encoder that likes chosen words: the
// larger their share in a pair, the higher its score.
//
// All of them load in llama.cpp v0.5.0, stay under 6 MB and come out equal byte
// for byte for equal options.
package toy
