package answer

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"referent/rag"
	"referent/rag/language"
)

const (
	// mostOutline and mostItems bound what an outline quotes.
	mostOutline = 6
	mostItems   = 12
	// longOutline is the longest sentence that an overview quotes, in code points.
	longOutline = 300
)

// Outline answers about a whole document without a model, in its own words: an
// overview quotes the first full sentence of passages spread evenly over it, a
// list every sentence or line that holds a word of what is asked for. A sentence
// that limits the one before it comes with it. The text is the refusal where
// there is nothing to quote.
func (q Quoter) Outline(kind Whole, about []language.Word, hits []rag.Hit) string {
	var chosen []sentence
	if kind == List {
		chosen = q.items(about, hits)
	} else {
		chosen = spread(openings(hits), mostOutline)
	}
	if len(chosen) == 0 {
		return Refusal(q.Language)
	}
	lines := make([]string, len(chosen))
	for i, s := range chosen {
		lines[i] = "“" + s.text + "” [" + strconv.Itoa(hits[s.hit].N) + "]"
	}
	return strings.Join(lines, "\n")
}

// openings is the first full sentence of each packed hit.
func openings(hits []rag.Hit) []sentence {
	var out []sentence
	seen := map[string]bool{}
	for i, h := range hits {
		if h.Packing != rag.Packed {
			continue
		}
		l := passageLanguage(h, language.For("en"))
		for _, span := range l.Sentences(h.Text) {
			text := h.Text[span.Start:span.End]
			if utf8.RuneCountInString(text) > longOutline || len(language.Words(text)) < 4 || !strings.HasSuffix(text, ".") || seen[text] {
				continue
			}
			seen[text] = true
			out = append(out, withLimit(sentence{hit: i, span: span, text: text}, hits))
			break
		}
	}
	return out
}

// spread keeps n of a list, evenly, the first and the last among them.
func spread(all []sentence, n int) []sentence {
	if len(all) <= n {
		return all
	}
	out := make([]sentence, 0, n)
	for i := range n {
		out = append(out, all[i*(len(all)-1)/(n-1)])
	}
	return out
}

// items are the sentences that hold a word of what is asked for.
func (q Quoter) items(about []language.Word, hits []rag.Hit) []sentence {
	var out []sentence
	for i, h := range hits {
		if h.Packing != rag.Packed {
			continue
		}
		l := passageLanguage(h, language.For(q.Language))
		for _, span := range l.Sentences(h.Text) {
			text := h.Text[span.Start:span.End]
			if utf8.RuneCountInString(text) > longSentence || !hasWords(text) || !holdsAny(l, l.Keys(text), about) {
				continue
			}
			s := withLimit(sentence{hit: i, span: span, text: text}, hits)
			if len(out) > 0 && overlaps(out[len(out)-1], s) {
				continue
			}
			if out = append(out, s); len(out) == mostItems {
				return out
			}
		}
	}
	return out
}

func holdsAny(l *language.Language, keys map[string]bool, words []language.Word) bool {
	for _, w := range words {
		if l.Holds(keys, w) {
			return true
		}
	}
	return false
}
