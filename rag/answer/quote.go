package answer

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"referent/rag"
	"referent/rag/language"
)

// Quoter chooses sentences of the evidence. Rarity weighs a word by how few
// chunks hold it, and Meaning returns cosines of sentences to the search text;
// both may be nil.
type Quoter struct {
	Language string
	Rarity   func(word string) float64
	Meaning  func(sentences []string) ([]float64, error)
}

const (
	// byWords is how many sentences with the best words are judged by meaning.
	byWords = 12
	// mostQuotes and the share of the best score bound what is quoted.
	mostQuotes = 3
	shareBest  = 0.75
	// longSentence is cut from the choice: a table or a list without marks.
	longSentence = 600
)

// sentence is a candidate with its place in the passage.
type sentence struct {
	hit   int
	span  language.Span
	text  string
	words float64
	score float64
}

// Quote answers from packed hits in their own words: the best sentences, each
// quoted whole and cited. A sentence that limits the one before it ("However,
// …", "This does not apply …") is quoted with it, so that a negation or a hedge
// never gets lost. The text is the refusal where there is nothing to quote.
func (q Quoter) Quote(search string, hits []rag.Hit) string {
	l := language.For(q.Language)
	all := q.collect(l, search, hits)
	slices.SortStableFunc(all, func(a, b sentence) int { return compare(b.words, a.words) })
	all = all[:min(byWords, len(all))]
	q.judge(all)
	slices.SortStableFunc(all, func(a, b sentence) int { return compare(b.score, a.score) })
	var chosen []sentence
	for _, s := range all {
		if len(chosen) == mostQuotes || len(chosen) > 0 && s.score < shareBest*all[0].score {
			break
		}
		if !slices.ContainsFunc(chosen, func(c sentence) bool { return overlaps(c, s) || c.text == s.text }) {
			chosen = append(chosen, withLimit(s, hits))
		}
	}
	if len(chosen) == 0 {
		return Refusal(q.Language)
	}
	slices.SortStableFunc(chosen, func(a, b sentence) int { return hits[a.hit].N - hits[b.hit].N })
	lines := make([]string, len(chosen))
	for i, s := range chosen {
		lines[i] = "“" + s.text + "” [" + strconv.Itoa(hits[s.hit].N) + "]"
	}
	return strings.Join(lines, "\n")
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// collect scores every sentence of the packed hits by the words it shares with
// the search text, better ranks a little higher.
func (q Quoter) collect(l *language.Language, search string, hits []rag.Hit) []sentence {
	wanted := l.ContentWords(search)
	total := 0.0
	for _, w := range wanted {
		total += q.rarity(w)
	}
	var all []sentence
	for i, h := range hits {
		if h.Packing != rag.Packed {
			continue
		}
		hl := passageLanguage(h, l)
		for _, span := range hl.Sentences(h.Text) {
			text := h.Text[span.Start:span.End]
			if utf8.RuneCountInString(text) > longSentence || !hasWords(text) {
				continue
			}
			keys := hl.Keys(text)
			got := 0.0
			for _, w := range wanted {
				if hl.Holds(keys, w) || keys[l.Key(w.Lower)] {
					got += q.rarity(w)
				}
			}
			score := 0.05 / float64(1+i)
			if total > 0 {
				score += got / total
			}
			if strings.HasSuffix(text, "?") || !strings.ContainsAny(text[len(text)-1:], ".!") {
				score -= 0.1 // a heading or a question says less than a sentence
			}
			all = append(all, sentence{hit: i, span: span, text: text, words: score, score: score})
		}
	}
	return all
}

// hasWords leaves out list markers, rules and empty table rows.
func hasWords(text string) bool {
	return strings.ContainsFunc(text, unicode.IsLetter) && len(language.Words(text)) >= 2
}

func passageLanguage(h rag.Hit, fallback *language.Language) *language.Language {
	if h.Language != "" {
		return language.For(h.Language)
	}
	if code, sure := language.Detect(h.Text); sure {
		return language.For(code)
	}
	return fallback
}

func (q Quoter) rarity(w language.Word) float64 {
	if q.Rarity == nil {
		return 1
	}
	return max(q.Rarity(w.Text), 0.1)
}

// judge adds meaning to the score; words alone decide where it is not there.
func (q Quoter) judge(all []sentence) {
	if q.Meaning == nil || len(all) == 0 {
		return
	}
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = s.text
	}
	cosines, err := q.Meaning(texts)
	if err != nil || len(cosines) != len(all) {
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range cosines {
		low, high = min(low, c), max(high, c)
	}
	for i := range all {
		if high > low {
			all[i].score += (cosines[i] - low) / (high - low) * 0.8
		}
	}
}

func overlaps(a, b sentence) bool {
	return a.hit == b.hit && a.span.Start < b.span.End && b.span.Start < a.span.End
}

// withLimit extends a sentence by the one behind it that limits it, and, if it
// is itself a limit, by the one before it.
func withLimit(s sentence, hits []rag.Hit) sentence {
	text := hits[s.hit].Text
	l := passageLanguage(hits[s.hit], language.For("en"))
	spans := l.Sentences(text)
	at := slices.IndexFunc(spans, func(sp language.Span) bool { return sp.Start == s.span.Start })
	if at < 0 {
		return s
	}
	if at > 0 && limits(l, text[spans[at].Start:spans[at].End]) {
		s.span.Start = spans[at-1].Start
	}
	if at+1 < len(spans) && limits(l, text[spans[at+1].Start:spans[at+1].End]) {
		s.span.End = spans[at+1].End
	}
	s.text = text[s.span.Start:s.span.End]
	return s
}

// limits tells whether a sentence takes back part of the one before it.
func limits(l *language.Language, text string) bool {
	return l.BeginsWith("exception", strings.TrimSpace(text)) != ""
}
