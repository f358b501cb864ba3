package compress

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"referent/rag/language"
)

// MaxHeadline is the longest headline in code points, without the ellipsis.
const MaxHeadline = 240

const ellipsis = "…"

// Headline is the first sentence of a text, cut to MaxHeadline. A balanced code
// fence is never cut open: it is kept whole or left out. Where only white space
// follows, the text has lost nothing and stays as it is.
func Headline(text, code string) string {
	fences := language.Fences(text)
	end := len(text)
	if sentences := language.For(code).Sentences(text); len(sentences) > 0 {
		end = sentences[0].End
		// A fence before the first sentence mark is a unit of its own.
		if len(fences) > 0 && fences[0].End <= end && strings.TrimSpace(text[:fences[0].Start]) == "" {
			end = fences[0].End
		}
	}
	if utf8.RuneCountInString(text[:end]) > MaxHeadline {
		end = cut(text, fences)
	}
	if strings.TrimSpace(text[end:]) == "" {
		return text
	}
	return strings.TrimRightFunc(text[:end], unicode.IsSpace) + ellipsis
}

// cut returns the byte offset of the last white space within MaxHeadline code
// points, else of the last grapheme border, moved out of any fence.
func cut(text string, fences []language.Span) int {
	limit, n := len(text), 0
	for i := range text {
		if n == MaxHeadline {
			limit = i
			break
		}
		n++
	}
	end := 0
	if r, _ := utf8.DecodeRuneInString(text[limit:]); limit < len(text) && unicode.IsSpace(r) {
		end = limit
	} else {
		end = strings.LastIndexFunc(text[:limit], unicode.IsSpace)
	}
	if strings.TrimSpace(text[:max(end, 0)]) == "" {
		end = border(text, limit)
	}
	for _, f := range fences {
		if end <= f.Start || end >= f.End {
			continue
		}
		if strings.TrimSpace(text[:f.Start]) != "" {
			return f.Start
		}
		return f.End
	}
	return end
}

// border is the last grapheme border at or before a byte offset; the first
// grapheme is kept whole even if it is longer.
func border(text string, limit int) int {
	end := 0
	for g := graphemes.FromString(text); g.Next(); {
		if next := end + len(g.Value()); next <= limit || end == 0 {
			end = next
			continue
		}
		break
	}
	return end
}
