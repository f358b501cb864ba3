package engine

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"referent/rag"
	"referent/rag/language"
)

// longQuestion is the number of words above which a question is taken to stand
// alone, whatever small words it holds.
const longQuestion = 60

// Refers is the gate: does a question lean on the conversation? It fires on a
// reference word anywhere, on an opener at the start, on three words or fewer,
// on a definite noun phrase whose head occurs in the last two turns, and on a
// question whose only content is empty ("What happened in 1987?"). why names
// what fired. A question that brings its own subject does not fire it, nor does a
// "why" or a pronoun for a name in the question that nobody has said.
func Refers(l *language.Language, question string, history []rag.Message) (refers bool, why string) {
	words := language.Words(question)
	said := &memory{l: l, history: history}
	switch {
	case len(words) > longQuestion:
		return false, ""
	case len(words) <= 3 && !wholeScript(words) && !said.defines(words):
		return true, "three words or fewer"
	}
	if o := l.BeginsWith("opener", question); o != "" && !answersItself(l, o, words) && !(l.Is("question", o) && said.newName(words[1:])) {
		return true, "begins with “" + o + "”"
	}
	if w, ok := reference(l, question, said); ok {
		return true, "says “" + w + "”"
	}
	recent := newest(history, 4)
	if np, ok := definite(l, words, recent); ok {
		return true, "speaks of “" + np + "”"
	}
	if emptyContent(l, words) {
		return true, "names no subject"
	}
	return false, ""
}

// wholeScript tells whether the words are pairs of a script without spaces,
// where three "words" say nothing about length.
func wholeScript(words []language.Word) bool {
	return len(words) > 1 && words[0].Text[0] >= 0xE0
}

// answersItself tells whether an opener belongs to a full question of its own:
// "No smoking signs: where are they sold?" begins with "no" as a determiner.
func answersItself(l *language.Language, opener string, words []language.Word) bool {
	return (opener == "no" || opener == "not") && len(words) > 4 && !l.Is("question", words[1].Lower) && l.Content(words[1]) && l.Code == "en"
}

// attached finds a pronoun at the end of an infinitive ("pagarlo", "pagarla").
var attached = map[string]*regexp.Regexp{
	"it": regexp.MustCompile(`^\pL{2,}[aei]r(lo|la|li|le|gli)$`),
	"es": regexp.MustCompile(`^\pL{2,}[aei]r(lo|la|los|las|le|les)$`),
}

// reference finds a word that stands for something said before.
func reference(l *language.Language, question string, said *memory) (string, bool) {
	text := question
	lower := strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	if len(lower) != len(text) {
		text = lower // a few letters change their length; capitals are then unknown
	}
	for _, p := range l.Phrases("impersonal") {
		for at := strings.Index(lower, p); at >= 0; {
			if wordBorder(lower, at, at+len(p)) {
				blank := strings.Repeat(" ", len(p))
				lower = lower[:at] + blank + lower[at+len(p):]
				text = text[:at] + blank + text[at+len(p):]
			}
			next := strings.Index(lower[at+1:], p)
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	words := language.Words(text)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1].Lower
		}
		switch {
		case l.Is("polite", w.Text) && i > 0: // German "Sie" is the listener
			continue
		case l.Is("reference", w.Lower):
			if l.Code == "en" && !pointsBack(l, words, i) || said.explained(words, i) {
				continue
			}
			return w.Text, true
		case l.Is("clitic", w.Lower) && (l.Is("after_clitic", next) || next == "" && l.Code == "de"):
			return w.Text, true
		case len(w.Lower) >= 6 && attached[l.Code] != nil && attached[l.Code].MatchString(w.Lower):
			return w.Text, true
		}
	}
	return "", false
}

// pointsBack rules out English reference words in other uses: "that" as a
// relative pronoun, "one" as a number, "it" and "they" stay as they are.
func pointsBack(l *language.Language, words []language.Word, i int) bool {
	next, before := "", language.Word{}
	if i+1 < len(words) {
		next = words[i+1].Lower
	}
	if i > 0 {
		before = words[i-1]
	}
	switch words[i].Lower {
	case "that":
		relative := i > 0 && l.Content(before) && (l.Is("question", next) || next != "" && capital(words[i+1])) // "the rule that is", "the band that Ann joined"
		return !relative
	case "one":
		return next == "" || !l.Content(words[i+1])
	case "more", "other", "above", "same", "such", "both", "either":
		return true
	}
	return true
}

func wordBorder(s string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, _ := utf8.DecodeRuneInString(s[end:])
	letter := func(r rune, there bool) bool { return there && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	return !letter(before, start > 0) && !letter(after, end < len(s))
}

// definite finds a definite noun phrase whose head occurs in the recent
// messages. A phrase that describes itself by words that nobody said ("the
// parental leave policy") is a new subject, even if its head was used before; one
// that is a name ("the Harlow Bridge") says itself what it stands for.
func definite(l *language.Language, words []language.Word, recent []rag.Message) (string, bool) {
	if !l.Has("definite") || len(recent) == 0 {
		return "", false
	}
	keys := map[string]bool{}
	for _, m := range recent {
		for k := range l.Keys(m.Text) {
			keys[k] = true
		}
	}
	for i, w := range words {
		if !l.Is("definite", w.Lower) {
			continue
		}
		var phrase []language.Word
		for j := i + 1; j < len(words) && len(phrase) < 4 && (l.Content(words[j]) || l.Is("modifier", words[j].Lower)); j++ {
			phrase = append(phrase, words[j])
		}
		if len(phrase) == 0 || named(l, phrase) {
			continue
		}
		if np, ok := headed(l, phrase, keys, l.Has("head_first")); ok && !ownSubject(l, words, phrase, keys) {
			return np, true
		}
	}
	return "", false
}

// named tells whether a phrase begins with a name of two words or more; one
// capital is no name in "the German edition". In German capitals make no names.
func named(l *language.Language, phrase []language.Word) bool {
	return l.Code != "de" && len(phrase) > 1 && capital(phrase[0]) && capital(phrase[1])
}

// headed tests one phrase: the head is its last word (English, German) or its
// first (Romance languages); what qualifies the head must be known too.
func headed(l *language.Language, phrase []language.Word, keys map[string]bool, first bool) (string, bool) {
	for len(phrase) > 1 && first && l.Is("modifier", phrase[0].Lower) {
		phrase = phrase[1:]
	}
	if first {
		phrase = phrase[:1]
	}
	if l.Code != "en" && !first && len(phrase) > 1 { // German: the phrase ends at its first noun
		for i, w := range phrase {
			if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsUpper(r) {
				phrase = phrase[:i+1]
				break
			}
		}
	}
	// English verbs follow the noun: take the longest known beginning as well.
	for n := len(phrase); n > 0; n-- {
		all := true
		for _, w := range phrase[:n] {
			all = all && (keys[l.Key(w.Lower)] || l.Is("modifier", w.Lower))
		}
		head := phrase[n-1]
		if all && keys[l.Key(head.Lower)] && !l.Is("vague", head.Lower) && (n == len(phrase) || !first && verbAfter(l, phrase[n])) {
			return joined(phrase[:n]), true
		}
	}
	return "", false
}

// verbAfter guesses that a word behind a noun is its verb and no part of the
// phrase: a small-letter word that ends like one.
func verbAfter(l *language.Language, w language.Word) bool {
	if l.Code != "en" {
		return false
	}
	if l.Is("vague", w.Lower) {
		return true
	}
	for _, s := range []string{"ed", "s", "en"} {
		if strings.HasSuffix(w.Lower, s) && w.Text == w.Lower {
			return true
		}
	}
	return false
}

// ownSubject tells whether most of the question's content outside the phrase is
// new and names something: two or more words that nobody said.
func ownSubject(l *language.Language, words, phrase []language.Word, keys map[string]bool) bool {
	unknown := 0
	for _, w := range words {
		if w.Start >= phrase[0].Start && w.End <= phrase[len(phrase)-1].End || !l.Content(w) || l.Is("vague", w.Lower) {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsUpper(r) && w.Start > 0 && l.Code != "de" && !keys[l.Key(w.Lower)] {
			unknown += 2 // a new name
		} else if !keys[l.Key(w.Lower)] {
			unknown++
		}
	}
	return unknown >= 3
}

func joined(words []language.Word) string {
	var out []string
	for _, w := range words {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// emptyContent tells whether a question has content words, and all of them name
// nothing.
func emptyContent(l *language.Language, words []language.Word) bool {
	for _, w := range words {
		if l.Content(w) && !l.Is("vague", w.Lower) && strings.Trim(w.Text, "0123456789") != "" {
			return false
		}
	}
	return len(words) > 0 && l.Has("vague")
}
