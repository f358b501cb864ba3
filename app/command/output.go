package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"referent/rag"
)

// line prints one JSON object on stdout.
func (t *terminal) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Stdout, "%s\n", b)
	return err
}

// print writes to stdout, note to stderr unless --quiet.
func (t *terminal) print(format string, args ...any) {
	_, _ = fmt.Fprintf(t.Stdout, format, args...)
}

func (t *terminal) note(format string, args ...any) {
	if !t.quiet {
		_, _ = fmt.Fprintf(t.Stderr, format+"\n", args...)
	}
}

// dim and bold mark text of stdout on a terminal and leave it alone elsewhere.
func (t *terminal) dim(s string) string  { return t.style("2", s) }
func (t *terminal) bold(s string) string { return t.style("1", s) }

func (t *terminal) style(code, s string) string {
	if !t.Color || t.noColor || t.json {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Sentence is what a person reads about an error.
func Sentence(err error) string {
	var known *rag.Error
	if errors.As(err, &known) {
		return printable(known.Error())
	}
	s := printable(capital(err.Error()))
	if !strings.ContainsAny(s[max(0, len(s)-1):], ".?!") {
		s += "."
	}
	return s
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// printable keeps a document's or model's text from steering the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control)) {
			return -1
		}
		return r
	}, s)
}

// place says where in a document a passage stands.
func place(l rag.Locator) string {
	switch {
	case l.Page > 0 && l.PageTo > l.Page:
		return fmt.Sprintf("pages %d–%d", l.Page, l.PageTo)
	case l.Page > 0 && l.PageLabel != "" && l.PageLabel != fmt.Sprint(l.Page):
		return fmt.Sprintf("page %s (%d)", l.PageLabel, l.Page)
	case l.Page > 0:
		return fmt.Sprintf("page %d", l.Page)
	case l.Slide > 0:
		return fmt.Sprintf("slide %d", l.Slide)
	case l.Sheet != "":
		return strings.TrimSpace(l.Sheet + " " + l.Cell)
	case l.LineFrom > 0 && l.LineTo > l.LineFrom:
		return fmt.Sprintf("lines %d–%d", l.LineFrom, l.LineTo)
	case l.LineFrom > 0:
		return fmt.Sprintf("line %d", l.LineFrom)
	case l.Section != "":
		return l.Section
	case l.Paragraph > 0:
		return fmt.Sprintf("paragraph %d", l.Paragraph)
	case l.Message != "":
		return l.Message
	case l.CellIndex > 0:
		return fmt.Sprintf("cell %d", l.CellIndex)
	}
	return l.Pointer
}

// excerpt returns the first n code points of a text on one line.
func excerpt(s string, n int) string {
	s = printable(strings.Join(strings.Fields(s), " "))
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n])) + "…"
	}
	return s
}

// searched says what was searched and why, in the words of the window.
func searched(p rag.Prepared) string {
	failed := "Rewrite failed: " + reasonText(p) + ". "
	texts := strings.Join(p.SearchQueries, " · ")
	switch p.Status {
	case rag.StatusNoHistory:
		return "Searched your words. First question, no earlier messages."
	case rag.StatusVerbatimEngine:
		return "Searched your words. The engine " + p.Engine + " does not rewrite."
	case rag.StatusDisabled:
		return "Searched your words. Rewriting is off."
	case rag.StatusGated:
		return "Searched your words. The question stands on its own."
	case rag.StatusUnchanged:
		return "Searched your words. The rewrite is the same."
	case rag.StatusRewritten:
		return fmt.Sprintf("Searched for: %s (%s, rewritten in %s)", texts, p.Engine, duration(p.LatencyMS))
	case rag.StatusExpanded:
		if len(p.AddedWords) == 0 { // an old turn whose words may not be shown any more
			return fmt.Sprintf("Searched for: %s (%s)", texts, p.Engine)
		}
		return fmt.Sprintf("Searched for: %s (%s, added %s from earlier questions)", texts, p.Engine, quoteWords(p.AddedWords))
	case rag.StatusBlended:
		if p.Alpha != nil {
			return fmt.Sprintf("Searched your words, mixed with the conversation (%s, %.0f %% question, %s).", p.Engine, *p.Alpha*100, messages(p.HistoryMessagesUsed))
		}
	case rag.StatusResearched:
		return fmt.Sprintf("Searched for: %s (%s)", texts, p.Engine)
	case rag.StatusUserEdited:
		return "Searched for: " + texts + " (the text you edited)"
	case rag.StatusUserWords:
		return "Searched your words, as you chose."
	case rag.StatusFailedExpanded:
		return failed + "Searched your words plus " + quoteWords(p.AddedWords) + " from earlier questions."
	case rag.StatusFailedVerbatim:
		return failed + "Searched your words instead."
	case rag.StatusFailedStopped:
		return "No answer: the rewrite failed (" + reasonText(p) + ")."
	}
	return "Searched for: " + texts
}

func messages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return itoa(n) + " messages"
}

// stepText says what a call of research did.
func stepText(s rag.Step) string {
	text := fmt.Sprintf("step %d: %s %s", s.N, s.Tool, printable(string(s.Arguments)))
	if s.RepeatedOf != nil {
		return fmt.Sprintf("%s, the same as step %d", text, *s.RepeatedOf)
	}
	return fmt.Sprintf("%s, %d found", text, s.Hits)
}

func quoteWords(words []string) string { return `"` + strings.Join(words, " ") + `"` }

func reasonText(p rag.Prepared) string {
	if p.Detail != "" {
		return strings.TrimSuffix(p.Detail, ".")
	}
	switch p.Reason {
	case rag.ReasonTimeout:
		return "timeout after " + duration(p.LatencyMS)
	case rag.ReasonCallError:
		return "the model did not respond"
	case rag.ReasonBadBody:
		return "the reply could not be read"
	case rag.ReasonMissingField:
		return "the reply had no query"
	case rag.ReasonEmptyQuery:
		return "the reply was empty"
	case rag.ReasonTooLong:
		return "the rewrite was too long"
	case rag.ReasonGuardRejected:
		return "the rewrite changed the question"
	case rag.ReasonContextOverflow:
		return "the conversation did not fit"
	case rag.ReasonCancelled:
		return "you stopped it"
	}
	return strings.ReplaceAll(string(p.Reason), "_", " ")
}

// duration writes milliseconds as people read them.
func duration(ms float64) string {
	if ms < 1000 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}
