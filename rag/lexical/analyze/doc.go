// Package analyze turns text into index terms, and a search text into groups
// of terms. It is the only place that knows what a word is.
//
// The steps: NFKC, runs of one script, lower case, stem, fold accents. The
// stem comes before the fold because stemmers read accents. Han, kana, Hangul,
// Thai, Lao, Khmer and Burmese have no word borders: they become overlapping
// pairs. Identifiers are kept whole beside their parts, numbers also without
// group separators, dates also in ISO form. Nothing is dropped as too common;
// stop words only decide which words of a question carry content.
//
// Words: a unit is one thing read from the text (a word, a number, a pair of
// signs); a term is a string in the index; an auxiliary unit is a second
// reading of text that another unit already covers, so it adds no length; a
// group is a word of a question with its form in every language of the corpus.
//
// Text and Query must give equal terms for equal words. Any change of what
// Text returns raises Version, and every index is rebuilt.
package analyze
