package language

import "strings"

// longestAsking is how many words a way to ask has at most: "qual è la".
const longestAsking = 3

// Measures returns the words of a question that only name the measure that is
// asked for, in lower case: "high" of "How high is the deposit?", "height" of
// "What is the height of the fence?". They say what kind of answer is wanted; a
// text that gives it need not hold them. A word counts right behind a way to ask
// of its language, in any language that has lists.
func Measures(question string) map[string]bool {
	found := map[string]bool{}
	words := Words(question)
	for _, code := range Codes() {
		l := For(code)
		for i, w := range words {
			if l.Is("how_much", w.Lower) && l.asks("how", words[:i]) || l.Is("quantity", w.Lower) && l.asks("what", words[:i]) {
				found[w.Lower] = true
			}
		}
	}
	return found
}

// asks tells whether words end with an entry of a section.
func (l *Language) asks(section string, words []Word) bool {
	phrase := ""
	for n := 1; n <= min(longestAsking, len(words)); n++ {
		phrase = strings.TrimSpace(words[len(words)-n].Lower + " " + phrase)
		if l.Is(section, phrase) {
			return true
		}
	}
	return false
}
