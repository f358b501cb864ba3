// Package lab measures engines and answers: the stages of a turn, on questions
// whose right passages and answers are known.
//
// Its words: a set is questions over one corpus; a suite is the sets that measure
// one thing; a row is a passage, searched as one chunk; a shelf is the rows of a
// set in memory, behind the same index and retrievers as the library; an item is
// the record of one question under one engine and one retriever; a run is a file
// of items; the reference is the rewrite that came with a set.
//
// Settings are pinned and replies are given. Sets differ in how far a turn goes:
// up to the hits, up to the prompt, or to the checked answer. A run can be stopped
// at any item and goes on from there; a rewrite or an answer that is stored is
// judged again without a model. Figures are ratios over items with
// paired bootstrap intervals. What is not installed is said and never replaced.
// The verdict is a pure function of the figures; it changes no setting.
package lab
