// Package language is what the rooms of a turn know about natural language:
// words, sentences, numbers, dates and names in English, Italian, German,
// French and Spanish, and which of them a text is written in.
//
// Its words: a stop word carries grammar and no subject; a content word is any
// other; the key of a word is its folded stem, so that "Films" and "film" are
// one; a value is a number, a date, a name or an identifier, in a form that two
// spellings of the same thing share ("three" and "3", "1.000,5" and "1000.5").
//
// The lists are text files under lists, one a language. A language without a
// list works with empty ones: its words, digits and sentences are still found.
//
// Everything here is a pure function of its text: no model, clock or index.
// The analyzers of the index (rag/lexical/analyze) are a different thing: they
// decide what can be found, this package decides what was said.
package language
