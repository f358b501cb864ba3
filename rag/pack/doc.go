// Package pack chooses which hits become evidence and how each is rendered.
//
// Its words: a block is a passage as the prompt shows it, label line and text;
// its cost is what the tokenizer of the answer model counts for it; the budget
// bounds the sum of all costs and is never exceeded. One cost function serves
// every place that packs, and what is emitted is what was accounted.
//
// Hits are packed in rank order. Pinned ones stand outside the trim and are
// verbatim; they may take half of the budget. Extras of a guessed filter may
// take a quarter and come after all matches. Under compression the best hits
// are offered in full, as without it, and those that do not fit as headlines;
// the others are shortened at once. A parent replaces its child's text
// only where budget is left. Every hit leaves with a decision.
package pack
