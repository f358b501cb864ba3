// Package check judges an answer in code, against what the model saw: the
// evidence of this turn as rendered, and the question. History is no excuse.
//
// Its words: a marker is a citation like [2]; a value is a number, a date or a
// name (package language); a sentence is supported where at least half of its
// content words stand in a passage that it cites; a sibling is another thing of
// the kind that the sentence names ("Quay House" to "Mill House"), and a passage
// that names only the sibling supports nothing; a planted value is one that only
// the history knows, and a sentence that states one is withheld in every
// mode.
//
// The check cannot see a negation or a contradiction. It is a pure function of
// its input but for the optional similarity across languages.
package check
