// Package answer builds the prompt for an answer and writes answers without a
// model: quotations from the evidence, and the fixed refusal.
//
// Its words: the system prompt is constant, so that its part of the cache is
// reused by every turn; generation history is earlier messages as flat (role,
// text) pairs between the system prompt and the question; the last message holds
// the numbered evidence and the person's own words, byte for byte and once.
//
// History is never evidence. Document text arrives neutralised (package
// neutral). The package calls no model and reads no store.
package answer
