package retrieve

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"referent/rag/lexical"
	"referent/rag/lexical/analyze"
	"referent/storage/index"
)

// quotes are the pairs of marks that quote, by the opening one.
var quotes = map[rune]string{'"': `"`, '“': "”", '„': "“”", '«': "»", '»': "«", '「': "」", '『': "』"}

// quoted returns the phrases in quotation marks, folded. A mark without its
// partner quotes nothing.
func quoted(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		opening, size := rune(0), 1
		for _, r := range text[i:] {
			opening, size = r, len(string(r))
			break
		}
		closing, ok := quotes[opening]
		if !ok {
			i += size
			continue
		}
		rest := text[i+size:]
		end := strings.IndexAny(rest, closing)
		if end < 0 {
			i += size
			continue
		}
		if p := foldText(rest[:end]); p != "" {
			out = append(out, p)
		}
		i += size + end + len(string([]rune(rest[end:])[:1]))
	}
	return out
}

// foldText is the form in which phrases are compared: NFKC, no case, single
// spaces.
func foldText(s string) string {
	return strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(s))), " ")
}

// holdsPhrases tells whether a chunk holds every phrase, in its text or above.
func holdsPhrases(c index.Chunk, phrases []string) bool {
	if len(phrases) == 0 {
		return true
	}
	text := foldText(c.Header + "\n" + c.Text)
	for _, p := range phrases {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// wantsExact tells whether a query is for the letter rather than the sense: it
// names an identifier, or half of its content is numbers.
func wantsExact(q lexical.Query) bool {
	content, numbers := 0, 0
	for _, g := range q.Groups {
		if !g.Content {
			continue
		}
		content++
		switch g.Kind {
		case analyze.Identifier:
			return true
		case analyze.Number, analyze.Date:
			numbers++
		}
	}
	return numbers > 0 && 2*numbers >= content
}
