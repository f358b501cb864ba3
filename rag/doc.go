// Package rag is the vocabulary of the product: the types, closed lists and
// events that its rooms hand to each other. It holds no logic but validation
// and the JSON form of what crosses a border.
//
// A question walks engine → retrieve → compress and pack → answer → check; a
// file walks extract → chunk → library → segment. Only turn and library know
// the order. Package rag imports none of its rooms, nor app, nor anything below
// inference but inference/process.
//
// Words: a turn is one question and its answer; history is earlier messages as
// (role, text) pairs; a chunk is the indexed and cited unit; a parent is the
// section or page around it; a passage is a hit rendered for the prompt;
// evidence is this turn's passages. JSON is lower snake case, absent values are
// null, times are milliseconds, offsets count Unicode code points.
package rag
