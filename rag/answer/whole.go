package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"referent/rag/language"
)

// Whole is a kind of question about a whole document.
type Whole string

// The closed list of kinds.
const (
	Overview Whole = "overview" // what is it about, summarise, comment on
	List     Whole = "list"     // list all, enumerate
)

// Named is a document as a question may name it.
type Named struct {
	ID    int64
	Title string
	Path  string
}

// WholeQuestion tells whether a question is one about a whole document, by the
// word lists alone, and names the words that say what it is about. It looks at
// the question in its own language, and in all of them where that is not sure.
func WholeQuestion(question string) (kind Whole, about []language.Word, ok bool) {
	l, kind, entry := fits(question)
	if entry == "" {
		return "", nil, false
	}
	return kind, subject(l, question, entry), true
}

// WholeLanguage is the language of the list that such a question fits, which
// says more than so few words otherwise do; empty for another question.
func WholeLanguage(question string) string {
	l, _, entry := fits(question)
	if entry == "" {
		return ""
	}
	return l.Code
}

func fits(question string) (l *language.Language, kind Whole, entry string) {
	own, sure := language.Detect(question)
	codes := []string{own}
	if !sure {
		codes = append(codes, slices.DeleteFunc(language.Codes(), func(c string) bool { return c == own })...)
	}
	for _, code := range codes {
		l := language.For(code)
		if entry := l.Fits("listing", question); entry != "" {
			return l, List, entry
		}
		if entry := l.Fits("overview", question); entry != "" {
			return l, Overview, entry
		}
	}
	return nil, "", ""
}

// subject is the content words of a question without those of the entry that it
// fits and those that only say "this document".
func subject(l *language.Language, question, entry string) []language.Word {
	said := map[string]bool{}
	for _, w := range language.Words(entry) {
		said[w.Lower] = true
	}
	return slices.DeleteFunc(l.ContentWords(question), func(w language.Word) bool { return said[w.Lower] || l.Is("document", w.Lower) })
}

// FindDocument finds the one document that a question of a kind is about: named
// by its file, by its title, or the only one there is. narrowed says that the
// person chose where to look. Nothing is found where two fit equally well.
func FindDocument(question string, kind Whole, about []language.Word, named []Named, narrowed bool) (Named, bool) {
	best, at, tie := 0, -1, false
	for i, d := range named {
		switch n := names(question, kind, about, d); {
		case n > best:
			best, at, tie = n, i, false
		case n == best && n > 0:
			tie = true
		}
	}
	if at >= 0 && !tie {
		return named[at], true
	}
	if len(named) == 1 && (narrowed || kind == Overview && len(about) == 0) {
		return named[0], true
	}
	return Named{}, false
}

// Besides lists the words that a question about a document is about besides its
// name.
func (d Named) Besides(question string, about []language.Word) []language.Word {
	code, _ := language.Detect(question)
	l := language.For(code)
	file := d.Path[strings.LastIndexAny(d.Path, `/\`)+1:]
	keys := l.Keys(d.Title + " " + strings.NewReplacer("-", " ", "_", " ", ".", " ").Replace(file))
	return slices.DeleteFunc(slices.Clone(about), func(w language.Word) bool { return l.Holds(keys, w) })
}

// byFile is more than any title can weigh.
const byFile = 1000

// standsIn tells whether a file's name stands in a text for itself, not as a part
// of a longer name or word. A full stop or a hyphen after it may end a sentence or
// begin a clause, where no letter or digit follows.
func standsIn(text, file string) bool {
	inName := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".-_", r) }
	for at := 0; ; {
		i := strings.Index(text[at:], file)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after := strings.TrimLeft(text[i+len(file):], ".-_")
		follows, _ := utf8.DecodeRuneInString(after)
		if !inName(before) && !inName(follows) {
			return true
		}
		at = i + 1
	}
}

// names weighs how well a question names a document; 0: not. Either the file's
// name stands in the question, or the title's words do, or the name holds all
// that the question is about. A title of one word is no name in a list: "list
// all pets" does not ask about the document Pets.
func names(question string, kind Whole, about []language.Word, d Named) int {
	file := d.Path[strings.LastIndexAny(d.Path, `/\`)+1:]
	stem := file
	if dot := strings.LastIndexByte(file, '.'); dot >= 0 {
		stem = file[:dot]
		if standsIn(strings.ToLower(question), strings.ToLower(file)) {
			return byFile + len(file)
		}
	}
	best := 0
	for _, name := range []string{d.Title, strings.NewReplacer("-", " ", "_", " ", ".", " ").Replace(stem)} {
		code, _ := language.Detect(question)
		l := language.For(code)
		keys := l.Keys(name)
		asked := map[string]bool{}
		held := 0
		for _, w := range about {
			asked[l.Key(w.Lower)] = true
			if l.Holds(keys, w) {
				held++
			}
		}
		whole := 0
		words := l.ContentWords(name)
		for _, w := range words {
			if l.Holds(asked, w) {
				whole++
			}
		}
		titled := len(words) > 1 && whole == len(words)
		covered := kind == Overview && len(about) > 0 && held == len(about)
		if titled || covered {
			best = max(best, 2*held+whole)
		}
	}
	return best
}
