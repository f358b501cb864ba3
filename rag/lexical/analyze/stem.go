package analyze

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
)

// stemmer is one language's way from a lower-case word to its stem.
type stemmer struct {
	script script
	stem   func(string) string
	cache  *stemCache
}

// stemmers by ISO 639-1 code.
var stemmers = map[string]*stemmer{
	"ar": snowball(scriptArabic, arabic.Stem),
	"da": snowball(scriptLatin, danish.Stem),
	"de": snowball(scriptLatin, german.Stem),
	"en": kljensen(scriptLatin, english.Stem),
	"es": kljensen(scriptLatin, spanish.Stem),
	"fi": snowball(scriptLatin, finnish.Stem),
	"fr": kljensen(scriptLatin, french.Stem),
	"ga": snowball(scriptLatin, irish.Stem),
	"hu": kljensen(scriptLatin, hungarian.Stem),
	"it": snowball(scriptLatin, italian.Stem),
	"nl": snowball(scriptLatin, dutch.Stem),
	"no": kljensen(scriptLatin, norwegian.Stem),
	"pt": snowball(scriptLatin, portuguese.Stem),
	"ro": snowball(scriptLatin, romanian.Stem),
	"ru": kljensen(scriptCyrillic, russian.Stem),
	"sv": kljensen(scriptLatin, swedish.Stem),
	"ta": snowball(scriptTamil, tamil.Stem),
	"tr": snowball(scriptLatin, turkish.Stem),
}

func snowball(s script, f func(*snowballstem.Env) bool) *stemmer {
	return &stemmer{script: s, cache: newStemCache(), stem: func(w string) string {
		env := snowballstem.NewEnv(w)
		f(env)
		return env.Current()
	}}
}

// kljensen stems stop words too: a question and a document must agree on
// every word, common or not.
func kljensen(s script, f func(string, bool) string) *stemmer {
	return &stemmer{script: s, cache: newStemCache(), stem: func(w string) string { return f(w, true) }}
}

// stemLanguage chooses the stemmer for a run of one script in a text of the
// given language: the text's own where it is written in that script, else the
// commonest language of the script. English for foreign and unknown Latin text
// is a choice that a question repeats, so both sides agree.
func stemLanguage(s script, language string) string {
	if language == "nb" || language == "nn" {
		language = "no"
	}
	if st, ok := stemmers[language]; ok && st.script == s {
		return language
	}
	switch s {
	case scriptLatin:
		if latinUnstemmed[language] {
			return ""
		}
		return "en"
	case scriptCyrillic:
		if language == "" || scriptOfLanguage(language) != scriptCyrillic {
			return "ru"
		}
	case scriptArabic:
		if language == "" || scriptOfLanguage(language) != scriptArabic {
			return "ar"
		}
	case scriptTamil:
		return "ta"
	}
	return ""
}

// languages in Latin letters that have no stemmer here; English suffix rules
// would only harm them.
var latinUnstemmed = map[string]bool{"pl": true, "cs": true, "sk": true, "hr": true, "sl": true, "et": true, "lv": true,
	"lt": true, "vi": true, "id": true, "ms": true, "eu": true, "ca": true, "sq": true, "mt": true, "is": true, "cy": true, "gl": true, "sw": true}

// scriptOfLanguage names the script of a language without a stemmer that
// shares its script with one that has.
func scriptOfLanguage(language string) script {
	switch language {
	case "uk", "be", "bg", "sr", "mk", "kk", "mn", "ky", "tg":
		return scriptCyrillic
	case "fa", "ur", "ps", "ckb", "sd", "ug":
		return scriptArabic
	}
	return scriptNone
}

// maxWord bounds what a stemmer gets, in bytes; longer words are no words.
const maxWord = 48

// stem returns the folded stem of a word as written, for a language of
// stemLanguage. textLanguage rules the lower case.
func stem(word, language, textLanguage string) string {
	w := lower(word, textLanguage)
	st := stemmers[language]
	if st == nil || len(w) > maxWord {
		return fold(w)
	}
	if s, ok := st.cache.get(w); ok {
		return s
	}
	s := fold(st.safeStem(w))
	if s == "" {
		s = fold(w)
	}
	st.cache.put(w, s)
	return s
}

// safeStem returns the word itself where a generated stemmer panics: a word
// that nobody can stem must still be found as it is written.
func (s *stemmer) safeStem(w string) (out string) {
	defer func() {
		if recover() != nil {
			out = w
		}
	}()
	return s.stem(w)
}
