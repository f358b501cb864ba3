// Package lab measures engines: the same search code as the product, on
// conversations whose right passages are known. Suite S0 is the product's own:
// the sample library and its conversations.
//
// Replies are scripted, so that every engine sees the same history and no
// answer is generated. A reference is found when a chunk of its source that
// contains its fact is among the best k. The lab sees the product through
// System and imports nothing of it; it never chooses a default by itself.
package lab
