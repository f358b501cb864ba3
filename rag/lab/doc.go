// Package lab measures engines: the stages of a turn up to retrieval, on
// questions whose right passages are known.
//
// Its words: a set is questions over one corpus; a suite is the sets that measure
// one thing; a row is a passage, searched as one chunk; a shelf is the rows of a
// set in memory, behind the same index and retrievers as the library; an item is
// the record of one question under one engine and one retriever; a run is a file
// of items; the reference is the rewrite that came with a set.
//
// Settings are pinned, replies are given, and nothing is generated but rewrites.
// A run can be stopped at any item and goes on from there; a rewrite that is
// stored is searched again without a model. Figures are ratios over items with
// paired bootstrap intervals. What is not installed is said and never replaced.
// The verdict is a pure function of the figures; it changes no setting.
package lab
