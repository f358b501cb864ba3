package engine

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"referent/rag"
	"referent/rag/language"
)

// rejection is what a rule of the guard found; the zero value accepts.
type rejection struct {
	reason rag.Reason
	detail string
}

var (
	quotedRE     = regexp.MustCompile(`"([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“\n]{1,200})“|«\s?([^»\n]{1,200}?)\s?»`)
	identifierRE = regexp.MustCompile(`[\pL\d]+(?:[_.\-/:@#][\pL\d]+)*`)
	camelRE      = regexp.MustCompile(`^\p{Ll}+\p{Lu}|^\p{Lu}\p{Ll}+\p{Lu}`)
)

// guard judges a rewrite by what was said. Every rule has its own sentence.
func guard(l *language.Language, question, rewrite string, said []rag.Message, o Options) rejection {
	for _, rule := range []func(*language.Language, string, string, []rag.Message, Options) rejection{
		oneLine, notLong, notAnswer, keepsLanguage, keepsQuoted, keepsIdentifiers, keepsValues, keepsNegation, addsNothing, sharesWord, oneSentence,
	} {
		if r := rule(l, question, rewrite, said, o); r.reason != "" {
			return r
		}
	}
	return rejection{}
}

func rejected(format string, args ...any) rejection {
	return rejection{rag.ReasonGuardRejected, fmt.Sprintf(format, args...)}
}

func oneLine(_ *language.Language, _, rewrite string, _ []rag.Message, _ Options) rejection {
	if strings.ContainsAny(rewrite, "\n\r") {
		return rejected("The rewrite has more than one line.")
	}
	return rejection{}
}

func notLong(_ *language.Language, question, rewrite string, _ []rag.Message, o Options) rejection {
	most := o.CondenseMaxChars
	if most <= 0 {
		most = 512
	}
	if n := runes(rewrite); n > most {
		return rejection{rag.ReasonTooLong, fmt.Sprintf("The rewrite has %d characters; %d are allowed.", n, most)}
	}
	limit := max(40, 3*len(strings.Fields(question)))
	if n := len(strings.Fields(rewrite)); n > limit {
		return rejection{rag.ReasonTooLong, fmt.Sprintf("The rewrite has %d words; %d are allowed.", n, limit)}
	}
	return rejection{}
}

func oneSentence(l *language.Language, question, rewrite string, _ []rag.Message, _ Options) rejection {
	if n := len(l.Sentences(rewrite)); n > max(1, len(l.Sentences(question))) {
		return rejected("The rewrite has %d sentences.", n)
	}
	return rejection{}
}

// notAnswer finds lead-ins, refusals, the previous answer and the form of an
// answer: a statement with a full stop in reply to a question.
func notAnswer(l *language.Language, question, rewrite string, said []rag.Message, _ Options) rejection {
	for _, section := range []string{"refusal", "lead_in"} {
		if p := l.BeginsWith(section, rewrite); p != "" && l.BeginsWith(section, question) != p {
			return rejected("The rewrite begins like an answer: “%s”.", p)
		}
	}
	for i := len(said) - 1; i >= 0; i-- {
		if said[i].Role != roleAssistant {
			continue
		}
		if sameText(said[i].Text, rewrite) || len(strings.Fields(rewrite)) >= 5 && strings.Contains(normal(said[i].Text), normal(rewrite)) {
			return rejected("The rewrite repeats the previous answer.")
		}
		break
	}
	if strings.HasSuffix(rewrite, ".") && asks(l, question) && !asks(l, rewrite) {
		return rejected("The rewrite is a statement, not a question.")
	}
	return rejection{}
}

// asks tells whether a text has the form of a question.
func asks(l *language.Language, text string) bool {
	t := strings.TrimSpace(text)
	if strings.HasSuffix(t, "?") || strings.HasSuffix(t, "？") {
		return true
	}
	w := language.Words(t)
	return len(w) > 0 && l.Is("question", w[0].Lower)
}

func keepsLanguage(l *language.Language, _, rewrite string, _ []rag.Message, _ Options) rejection {
	if code, sure := language.Detect(rewrite); sure && code != l.Code {
		name := language.For(code).Name
		if name == "" {
			name = code
		}
		return rejected("The rewrite is in another language: %s.", name)
	}
	return rejection{}
}

func keepsQuoted(_ *language.Language, question, rewrite string, _ []rag.Message, _ Options) rejection {
	low := strings.ToLower(rewrite)
	for _, m := range quotedRE.FindAllStringSubmatch(question, -1) {
		inner := strings.TrimSpace(strings.Join(m[1:], ""))
		if inner != "" && !strings.Contains(low, strings.ToLower(inner)) {
			return rejected("The rewrite dropped “%s”.", inner)
		}
	}
	return rejection{}
}

// keepsIdentifiers keeps tokens that look like names of things for machines:
// with digits and letters, inner signs, inner capitals, or all capitals.
func keepsIdentifiers(_ *language.Language, question, rewrite string, _ []rag.Message, _ Options) rejection {
	low := strings.ToLower(rewrite)
	for _, token := range identifierRE.FindAllString(question, -1) {
		if identifier(token) && !strings.Contains(low, strings.ToLower(token)) {
			return rejected("The rewrite dropped “%s”.", token)
		}
	}
	return rejection{}
}

func identifier(token string) bool {
	letters, digits, upper, lower, signs := 0, 0, 0, 0, strings.ContainsAny(token, "_/:@#")
	for _, r := range token {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
			} else if unicode.IsLower(r) {
				lower++
			}
		}
	}
	return letters > 0 && digits > 0 || signs && letters > 1 || camelRE.MatchString(token) || upper >= 2 && lower == 0
}

// keepsValues holds on to the numbers, dates and names of the question: a name
// that is lost is another question.
func keepsValues(l *language.Language, question, rewrite string, _ []rag.Message, _ Options) rejection {
	known := language.NewKnown(l)
	known.Add(rewrite)
	for _, v := range l.Values(question) {
		if !known.Holds(v) {
			return rejected("The rewrite dropped “%s”.", v.Text)
		}
	}
	return rejection{}
}

// keepsNegation compares polarity. In a correction ("No, not the blue one") it
// is the assistant who is denied; a negation from the last exchange may be
// carried.
func keepsNegation(l *language.Language, question, rewrite string, said []rag.Message, _ Options) rejection {
	asked, wrote := negation(l, question), negation(l, rewrite)
	if asked != "" && wrote == "" && !corrects(l, question) {
		return rejected("The rewrite dropped “%s”.", asked)
	}
	if asked == "" && wrote != "" {
		for _, m := range newest(said, 2) {
			if negation(l, m.Text) != "" {
				return rejection{}
			}
		}
		return rejected("The rewrite added “%s”.", wrote)
	}
	return rejection{}
}

// negation is the first word of a text that denies.
func negation(l *language.Language, text string) string {
	words := language.Words(text)
	if corrects(l, text) {
		words = words[1:]
	}
	for _, w := range words {
		if l.Is("negation", w.Lower) {
			return w.Text
		}
	}
	return ""
}

// corrects tells whether a text begins by denying what was said before it: a
// negation that is also an opener, with a comma or nothing behind it.
func corrects(l *language.Language, text string) bool {
	words := language.Words(text)
	if len(words) == 0 || !l.Is("negation", words[0].Lower) || !l.Is("opener", words[0].Lower) {
		return false
	}
	return len(words) == 1 || strings.HasPrefix(strings.TrimSpace(text[words[0].End:]), ",")
}

// addsNothing allows a content word only if somebody said it. Words of the
// section "vague" (cost, year, happen) carry no subject: "And how much for a
// shop?" may be spelt out as what a shop costs. A value or a capital is never vague.
func addsNothing(l *language.Language, question, rewrite string, said []rag.Message, _ Options) rejection {
	known := language.NewKnown(l)
	known.Add(question)
	for _, m := range said {
		known.Add(m.Text)
	}
	for _, v := range l.Values(rewrite) {
		if v.Kind != language.KindName && !known.Holds(v) {
			return rejected("The rewrite added “%s”, which nobody said.", v.Text)
		}
	}
	for _, w := range l.ContentWords(rewrite) {
		if strings.Trim(w.Text, "0123456789") == "" || known.Word(w) || l.Is("question", w.Lower) || w.Text == w.Lower && l.Is("vague", w.Lower) {
			continue
		}
		return rejected("The rewrite added “%s”, which nobody said.", w.Text)
	}
	return rejection{}
}

func sharesWord(l *language.Language, question, rewrite string, _ []rag.Message, _ Options) rejection {
	words := l.ContentWords(question)
	keys := l.Keys(rewrite)
	for _, w := range words {
		if l.Holds(keys, w) {
			return rejection{}
		}
	}
	if len(words) == 0 {
		return rejection{}
	}
	return rejected("The rewrite shares no word with the question.")
}

// added lists the content words of a rewrite that the question does not hold.
func added(l *language.Language, question, rewrite string) []string {
	keys := l.Keys(question)
	var out []string
	for _, w := range l.ContentWords(rewrite) {
		if !l.Holds(keys, w) {
			keys[l.Key(w.Lower)] = true
			out = append(out, w.Text)
		}
	}
	return out
}
