package lab

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"referent/rag"
	"referent/rag/language"
)

// supportedShare is the share of a sentence's content words that must stand in
// the passages it cites: it keeps 99.8 % of true sentences of ClapNQ and rejects
// every wrong passage (measured).
const supportedShare = 0.5

var (
	marker = regexp.MustCompile(`\[(\d+(?:\s*,\s*\d+)*)\]`)
	digits = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
)

// statement is a sentence of an answer with the passages that it cites.
type statement struct {
	words []language.Word
	cited []int
}

// statements are the sentences of an answer that say something: two content words
// or more. A marker behind the full stop belongs to the sentence before it.
func statements(l *language.Language, text string) []statement {
	var out []statement
	for _, span := range l.Sentences(text) {
		part := text[span.Start:span.End]
		s := statement{words: l.ContentWords(marker.ReplaceAllString(part, " "))}
		for _, m := range marker.FindAllStringSubmatch(part, -1) {
			for _, n := range strings.Split(m[1], ",") {
				if k, err := strconv.Atoi(strings.TrimSpace(n)); err == nil && !slices.Contains(s.cited, k) {
					s.cited = append(s.cited, k)
				}
			}
		}
		switch {
		case len(s.words) >= 2:
			out = append(out, s)
		case len(s.words) == 0 && len(out) > 0:
			last := &out[len(out)-1]
			last.cited = append(last.cited, s.cited...)
		}
	}
	return out
}

// scoreAnswer judges an answer by what stands in its passages, without the check
// of the product (after ALCE, Gao et al. 2023, with words in place of a model):
//
//   - numbers_grounded: every number of the answer stands in a passage before the
//     model; only of answers with a number
//   - supported: share of sentences that all cited passages together hold; of a
//     sentence without a citation, any passage
//   - citation_recall: share of sentences that cite, and are held by what they cite
//   - citation_precision: share of citations whose own passage holds the sentence
//   - cites_right: some citation names the right passage
//   - coverage: the largest share of the content words of a right answer
//
// A refusal has none of them but coverage, of 0.
func scoreAnswer(scores map[string]float64, q Question, text string, refused bool, passages []rag.Hit) {
	scores["refused"] = one(refused)
	if len(q.Answers) > 0 {
		scores["coverage"] = 0
	}
	if refused {
		return
	}
	code, _ := language.Detect(q.Text)
	l := language.For(code)
	held := map[int]map[string]bool{}
	var all []int
	everything := q.Text
	for _, h := range passages {
		held[h.N] = l.Keys(h.Title + " " + h.Rendered)
		all = append(all, h.N)
		everything += "\n" + h.Title + "\n" + h.Rendered
	}
	scoreNumbers(scores, marker.ReplaceAllString(text, " "), everything)
	scoreCitations(scores, l, q, statements(l, text), held, all, passages)
	for _, right := range q.Answers {
		scores["coverage"] = max(scores["coverage"], coverage(l, right, text))
	}
}

func scoreNumbers(scores map[string]float64, text, evidence string) {
	known := map[string]bool{}
	for _, n := range digits.FindAllString(evidence, -1) {
		known[plainNumber(n)] = true
	}
	if found := digits.FindAllString(text, -1); len(found) > 0 {
		scores["numbers_grounded"] = one(!slices.ContainsFunc(found, func(n string) bool { return !known[plainNumber(n)] }))
	}
}

// plainNumber drops the commas between thousands.
func plainNumber(n string) string { return strings.ReplaceAll(n, ",", "") }

func scoreCitations(scores map[string]float64, l *language.Language, q Question, said []statement, held map[int]map[string]bool, all []int,
	passages []rag.Hit) {
	if len(said) == 0 {
		return
	}
	supported, recalled, citations, precise, right := 0, 0, 0, 0, false
	for _, s := range said {
		cited := s.cited
		if len(cited) == 0 {
			cited = all
		}
		ok := holds(l, s.words, held, cited)
		supported += int(one(ok))
		recalled += int(one(ok && len(s.cited) > 0))
		for _, n := range s.cited {
			citations++
			precise += int(one(holds(l, s.words, held, []int{n})))
			right = right || slices.ContainsFunc(passages, func(h rag.Hit) bool { return h.N == n && q.Relevant[h.ContentHash] > 0 })
		}
	}
	scores["supported"] = float64(supported) / float64(len(said))
	scores["citation_recall"] = float64(recalled) / float64(len(said))
	if citations > 0 {
		scores["citation_precision"] = float64(precise) / float64(citations)
	}
	if len(q.Relevant) > 0 {
		scores["cites_right"] = one(right)
	}
}

// holds tells whether passages together hold enough of the words.
func holds(l *language.Language, words []language.Word, held map[int]map[string]bool, numbers []int) bool {
	n := 0
	for _, w := range words {
		if slices.ContainsFunc(numbers, func(k int) bool { return held[k] != nil && l.Holds(held[k], w) }) {
			n++
		}
	}
	return float64(n) >= supportedShare*float64(len(words))
}

// coverage is the share of the content words of a right answer that are said.
func coverage(l *language.Language, right, said string) float64 {
	wanted, have := l.Keys(right), l.Keys(said)
	n := 0
	for k := range wanted {
		if have[k] {
			n++
		}
	}
	return ratio(float64(n), float64(len(wanted)))
}
