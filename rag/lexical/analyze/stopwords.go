package analyze

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

//go:embed stop/*.txt
var stopFiles embed.FS

// stopWords maps a lower-case word to the languages in which it carries no
// content. It is read once, on the first question.
var stopWords = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	files, err := stopFiles.ReadDir("stop")
	if err != nil {
		return m // an embedded folder is always there
	}
	for _, f := range files {
		language := strings.TrimSuffix(f.Name(), ".txt")
		b, err := stopFiles.ReadFile("stop/" + f.Name())
		if err != nil {
			continue
		}
		for w := range strings.FieldsSeq(string(b)) {
			m[w] = append(m[w], language)
		}
	}
	return m
})

// stopGuess finds the language of a question by its stop words.
type stopGuess struct{ hits map[string]int }

func (s *stopGuess) count(word string) {
	for _, l := range stopWords()[bare(word)] {
		if s.hits == nil {
			s.hits = map[string]int{}
		}
		s.hits[l]++
	}
}

// best returns the languages with the most stop words; among equals, those of
// the corpus.
func (s *stopGuess) best(corpus []string) []string {
	most := 0
	var best []string
	for l, n := range s.hits {
		if n > most {
			most, best = n, nil
		}
		if n == most {
			best = append(best, l)
		}
	}
	inCorpus := slices.DeleteFunc(slices.Clone(best), func(l string) bool { return !slices.Contains(corpus, l) })
	if len(inCorpus) > 0 {
		return inCorpus
	}
	return best
}

func isStopWord(word string, languages []string) bool {
	for _, l := range stopWords()[bare(word)] {
		if slices.Contains(languages, l) {
			return true
		}
	}
	return false
}

// bare is the form in which the lists hold a word: no apostrophe.
func bare(word string) string { return strings.ReplaceAll(word, "'", "") }

// stopSigns marks the signs of a run, by the byte where each begins, that
// belong to grammar or to a question word. Only Chinese and Japanese have
// lists; nil means none.
func stopSigns(run string, sc script) map[int]bool {
	if sc != scriptIdeograph {
		return nil
	}
	var marks map[int]bool
	for _, p := range stopPhrases {
		for from := 0; ; {
			i := strings.Index(run[from:], p)
			if i < 0 {
				break
			}
			if marks == nil {
				marks = map[int]bool{}
			}
			for k := range p {
				marks[from+i+k] = true
			}
			from += i + len(p)
		}
	}
	return marks
}

var stopPhrases = strings.Fields(`什么 甚么 什麼 怎么 怎麼 怎样 如何 为什么 為什麼 哪里 哪裡 哪儿 哪个 哪些 哪一 多少 几个 谁 誰 多长 多長 多久 多大 多高 多远 多重 几年 几天 几月 几点 幾年 是 的 了 吗 嗎 呢 在 有 和 与 被 把 请问 什么时候
です ます でした ました という から まで より には では とは への した して する された いる ある この その どの なに 何 いつ どこ だれ 誰 どう なぜ どれ いくら いくつ どのくらい ください の は が を に で と も へ`)
