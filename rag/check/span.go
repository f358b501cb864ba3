package check

import (
	"strings"
	"unicode/utf8"

	"referent/rag/language"
)

// span finds the part of a passage's original text that an answer's sentence
// rests on: the sentence that shares most content words and values with it, with
// its neighbour if that adds at least two more words. Start and end are code
// points; a text that shares nothing is cited as a whole.
func span(l *language.Language, passage, sentence string) (start, end int) {
	if l == nil {
		return 0, 0
	}
	wanted := l.Keys(sentence)
	values := l.Values(sentence)
	for _, v := range values {
		wanted[language.Fold(strings.ToLower(v.Text))] = true
	}
	spans := l.Sentences(passage)
	shared := make([]map[string]bool, len(spans))
	best := -1
	for i, s := range spans {
		shared[i] = map[string]bool{}
		text := passage[s.Start:s.End]
		for k := range l.Keys(text) {
			if wanted[k] {
				shared[i][k] = true
			}
		}
		if len(values) > 0 {
			known := language.NewKnown(l)
			known.Add(text)
			for _, v := range values {
				if known.Holds(v) {
					shared[i]["="+v.Text] = true
				}
			}
		}
		if best < 0 || len(shared[i]) > len(shared[best]) {
			best = i
		}
	}
	if best < 0 || len(shared[best]) == 0 {
		return 0, utf8.RuneCountInString(passage)
	}
	from, to := spans[best].Start, spans[best].End
	for _, n := range []int{best - 1, best + 1} {
		if n < 0 || n >= len(spans) {
			continue
		}
		more := 0
		for k := range shared[n] {
			if !shared[best][k] {
				more++
			}
		}
		if more >= 2 {
			from, to = min(from, spans[n].Start), max(to, spans[n].End)
		}
	}
	return utf8.RuneCountInString(passage[:from]), utf8.RuneCountInString(passage[:to])
}
