package answer

import (
	"strings"

	"referent/rag/language"
)

// Refusal is the one sentence that says that the documents do not answer, in
// the language of the question; English where there are no lists.
func Refusal(code string) string { return language.For(code).Refusal }

// Refuses tells whether a model's answer is a refusal: the fixed sentence in any
// language, alone or at the beginning, or the words of a refusal at the
// beginning of an answer of one sentence that cites nothing.
func Refuses(text, code string) bool {
	plain := strings.ToLower(strings.TrimSpace(text))
	if plain == "" {
		return true
	}
	for _, c := range language.Codes() {
		if strings.HasPrefix(plain, strings.ToLower(strings.TrimSuffix(Refusal(c), "."))) {
			return true
		}
	}
	if markers.MatchString(text) {
		return false
	}
	l := language.For(code)
	return l.BeginsWith("refusal", text) != "" && len(l.Sentences(text)) == 1
}
