package compress

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"referent/rag"
)

// Passage is what is rendered. Tokens is the cost of Text if it is known, else 0.
type Passage struct {
	ID       int64
	Text     string
	Class    rag.Class
	Language string // ISO 639-1; chooses the list of abbreviations
	Tokens   int
}

// Rendered is a passage as a prompt shows it.
type Rendered struct {
	Text     string
	Tokens   int
	Strategy rag.Strategy
}

// Counter returns how many tokens a text costs; 0 for an empty text.
type Counter func(text string) int

// Render renders a passage. Pinned passages, facts, unknown and foreign classes
// stay verbatim.
func Render(p Passage, pinned bool, count Counter) Rendered {
	full := Rendered{Text: p.Text, Tokens: p.Tokens, Strategy: rag.StrategyVerbatim}
	if strings.TrimSpace(p.Text) == "" {
		return Rendered{Strategy: rag.StrategyVerbatim}
	}
	if full.Tokens == 0 {
		full.Tokens = count(p.Text)
	}
	text, strategy := Shorten(p, pinned)
	if strategy == rag.StrategyVerbatim {
		return full
	}
	if tokens := count(text); tokens <= full.Tokens {
		return Rendered{Text: text, Tokens: tokens, Strategy: strategy}
	}
	return full
}

// Shorten returns the shorter text that Render would weigh against the source,
// without counting, so that a caller can count many texts in one call.
func Shorten(p Passage, pinned bool) (text string, strategy rag.Strategy) {
	if pinned || strings.TrimSpace(p.Text) == "" {
		return p.Text, rag.StrategyVerbatim
	}
	switch p.Class {
	case rag.ClassSnapshot:
		if h := Headline(p.Text, p.Language); h != p.Text {
			return h, rag.StrategyHeadline
		}
	case rag.ClassTransient:
		s := Stub(p.ID, p.Class)
		if utf8.RuneCountInString(s) <= utf8.RuneCountInString(p.Text) {
			return s, rag.StrategyStub
		}
	}
	return p.Text, rag.StrategyVerbatim
}

// Stub names a passage without its content; the text is found again by the id.
func Stub(id int64, class rag.Class) string {
	return fmt.Sprintf("[stub: passage=%d class=%s]", id, class)
}
