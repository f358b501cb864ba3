// Package engine decides what to search for, given a question and the
// conversation before it. A chat engine never answers, never retrieves and
// never changes the question: its result says what is searched, why, and what
// it cost.
//
// Its words: the gate is a deterministic test whether a question refers back;
// the window is the part of the history that an engine looks at; a rewrite is a
// standalone search text that a model wrote; the guard is the set of rules that
// a rewrite must keep; a failure policy says what is searched instead.
//
// An engine is one file and one line in Default. Engines are stateless and
// shared by all turns: what a turn observed is in its result. The registry
// wraps each of them in what all have in common: the current question is taken
// out of its own history, latency is measured, the question is kept byte for
// byte, and nothing that is searched is ever empty. Package isolation holds the
// proof that an engine which promises to ignore history does.
package engine
