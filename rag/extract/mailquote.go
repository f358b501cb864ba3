package extract

import (
	"regexp"
	"strings"

	"referent/rag"
)

// mailSpan is a run of lines that is either the sender's own or quoted.
type mailSpan struct {
	text   string
	quoted bool
}

func (s mailSpan) kind() rag.BlockKind {
	if s.quoted {
		return rag.BlockNote
	}
	return rag.BlockParagraph
}

// splitQuoted cuts a plain message into its own text and what it quotes of
// earlier ones: lines behind ">", the line that introduces them, and all below
// a mark like "Original Message". The signs of quotation are taken off.
func splitQuoted(text string) []mailSpan {
	lines := strings.Split(text, "\n")
	quoted := make([]bool, len(lines))
	for i, l := range lines {
		if strings.HasPrefix(l, ">") {
			quoted[i] = true
			introduced(lines, quoted, i)
		} else if beginsEarlier(lines[i:min(len(lines), i+6)]) {
			for j := i; j < len(lines); j++ {
				quoted[j] = true
			}
			break
		}
	}
	var spans []mailSpan
	for i, l := range lines {
		if quoted[i] {
			l = strings.TrimLeft(l, "> ")
		}
		if n := len(spans); n > 0 && (spans[n-1].quoted == quoted[i] || strings.TrimSpace(l) == "") {
			spans[n-1].text += "\n" + strings.TrimRight(l, " \t")
			continue
		}
		spans = append(spans, mailSpan{strings.TrimRight(l, " \t"), quoted[i]})
	}
	return spans
}

// introduced marks the line above a quotation that says who wrote it when: it
// ends in a colon, or breaks over two lines of which the second does.
func introduced(lines []string, quoted []bool, i int) {
	for i--; i >= 0 && strings.TrimSpace(lines[i]) == ""; i-- {
	}
	if i < 0 || quoted[i] || !strings.HasSuffix(strings.TrimSpace(lines[i]), ":") {
		return
	}
	blank := func(i int) bool { return i < 0 || strings.TrimSpace(lines[i]) == "" }
	if !blank(i-1) && blank(i-2) && introduction.MatchString(lines[i-1]) {
		quoted[i-1], quoted[i] = true, true
	}
	quoted[i] = quoted[i] || introduction.MatchString(lines[i])
}

// introduction knows "On … wrote:" by its date or address; the words differ by
// language and program.
var introduction = regexp.MustCompile(`(\d{1,2}[:.h]\d{2}|\b\d{4}\b|@|\b(wrote|writes|scritto|schrieb|écrit|escribió|escreveu|schreef|skrev|napisał))`)

// earlierMark are the lines by which mail programs part an answer from what it
// answers.
var earlierMark = regexp.MustCompile(`(?i)^[-_ ]{2,}\s*(original message|ursprüngliche nachricht|originalnachricht|messaggio originale|message d'origine|message original|mensaje original|mensagem original|oorspronkelijk bericht|forwarded message|weitergeleitete nachricht|messaggio inoltrato)\b`)

var (
	headFrom = regexp.MustCompile(`(?i)^\W{0,2}(from|von|da|de|van|od)\W{0,2}:\W{0,2} ?\S`)
	headSent = regexp.MustCompile(`(?i)^\W{0,2}(sent|date|gesendet|datum|inviato|data|envoyé|enviado|fecha|verzonden|wysłano)\W{0,2}:\W{0,2} ?\S`)
)

// beginsEarlier tells whether an earlier message begins at the first line: a
// mark, or a head of sender and date within the lines below.
func beginsEarlier(lines []string) bool {
	if len(lines) == 0 {
		return false
	}
	if earlierMark.MatchString(lines[0]) {
		return true
	}
	if !headFrom.MatchString(lines[0]) {
		return false
	}
	for _, l := range lines[1:min(len(lines), 5)] {
		if headSent.MatchString(l) {
			return true
		}
	}
	return false
}
