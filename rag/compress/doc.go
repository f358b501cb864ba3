// Package compress renders a passage by its retention class: facts in full,
// snapshots as a headline, transient notes as a one-line stub.
//
// Rendering is a pure function: no model, clock, randomness, environment or
// store. It is total (every input has a result), byte-stable over calls and
// processes, and never costs more tokens than the source:
//
//   - verbatim is the source itself;
//   - a headline is a beginning of the source, at most with an ellipsis, and is
//     given up for verbatim where the tokenizer counts it higher;
//   - a stub is given up where it is longer or costs more than the source.
//
// The caller counts tokens, so that one cost function serves every place that
// packs.
package compress
