package lab

import (
	"slices"
	"strings"
	"unicode"

	"referent/rag/language"
)

// words are the runs of letters, digits and marks of a text, in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// TokenF1 is the harmonic mean of precision and recall over the words of a
// rewrite and of its reference, each word counted as often as it occurs (as in
// SQuAD, articles kept). Two texts without words are equal.
func TokenF1(rewrite, reference string) float64 {
	got, want := words(rewrite), words(reference)
	if len(got) == 0 && len(want) == 0 {
		return 1
	}
	left := map[string]int{}
	for _, w := range want {
		left[w]++
	}
	shared := 0
	for _, w := range got {
		if left[w] > 0 {
			left[w]--
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(got)+len(want))
}

// RougeL is the F-measure, with equal weights, of the longest common
// subsequence of words (Lin 2004). Two texts without words are equal.
func RougeL(rewrite, reference string) float64 {
	a, b := words(rewrite), words(reference)
	if len(a) == 0 && len(b) == 0 {
		return 1
	}
	row := make([]int, len(b)+1) // lengths for the words of a so far
	for _, w := range a {
		diagonal := 0
		for j, v := range b {
			above := row[j+1]
			if w == v {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return 2 * float64(row[len(b)]) / float64(len(a)+len(b))
}

// Kept tells whether a rewrite has every word with a digit of the question.
// asked is false where the question has none.
func Kept(question, rewrite string) (kept, asked bool) {
	have := words(rewrite)
	kept = true
	for _, w := range words(question) {
		if !strings.ContainsFunc(w, unicode.IsDigit) {
			continue
		}
		asked = true
		kept = kept && slices.Contains(have, w)
	}
	return kept, asked
}

// OldTopicWords counts the content words of an earlier topic that are searched
// although the question does not have them; inflected forms are one word.
func OldTopicWords(topic, question string, searched []string) int {
	code, _ := language.Detect(question)
	l := language.For(code)
	asked, found := l.Keys(question), l.Keys(strings.Join(searched, " "))
	n := 0
	for key := range l.Keys(topic) {
		if found[key] && !asked[key] {
			n++
		}
	}
	return n
}

// unchanged tells whether exactly the question is searched, but for case, white
// space and marks.
func unchanged(question string, searched []string) bool {
	return len(searched) == 1 && slices.Equal(words(question), words(searched[0]))
}
