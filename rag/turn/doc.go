// Package turn runs one question through the rooms, in one direction:
//
//	prepare → retrieve → rerank → pack → generate → check → persist
//
// It alone knows the order. Every stage is a span with a time, also one that
// had nothing to do or was never reached; spans hold ids, names, scores and
// counts, never text. Events leave in a fixed order and end with exactly one
// Done or Failed.
//
// Two turns take a shorter way: one about a whole document reads it in parts
// instead of searching, and one that repeats an earlier turn may be given that
// turn's evidence. Stages, events and checks are the same.
//
// What the history can reach is decided here: the engine's window, and, if the
// setting says so, flat pairs in front of the question. It never reaches the
// route of a turn, the evidence, or a citation. Nothing is stored unless the
// whole turn is: a cancelled or failed turn leaves no trace but its Outcome.
package turn
