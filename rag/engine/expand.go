package engine

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"referent/rag"
	"referent/rag/language"
)

// expand adds the rarest words of earlier questions, when the gate says that
// the question refers back. It calls no model. On dependent follow-ups this
// closes most of the distance to a rewrite written by a person (measured on
// CANARD; first and last question do better than all of them).
type expand struct{}

func (expand) Name() string { return "expand" }

func (expand) Sentence() string {
	return "Searches your words, and adds the rarest words of your earlier questions when you refer back to them."
}

func (expand) Prepare(_ context.Context, req Request, tools Tools) (rag.Prepared, error) {
	if p, decided := opening(req); decided {
		return p, nil
	}
	return expanded(req, tools.Corpus), nil
}

// expanded is the engine behind its opening; condense falls back on it.
func expanded(req Request, corpus Corpus) rag.Prepared {
	l := speech(req)
	refers, _ := Refers(l, req.Question, req.History)
	if !refers {
		return verbatim(req, rag.StatusGated)
	}
	turns := anchors(req.History)
	words := rarest(l, req, turns, corpus)
	if len(words) == 0 {
		p := verbatim(req, rag.StatusUnchanged)
		p.HistoryMessagesUsed = len(turns)
		return p
	}
	text := strings.TrimSpace(req.Question) + " " + strings.Join(words, " ")
	return rag.Prepared{Status: rag.StatusExpanded, SearchQuery: text, SearchQueries: []string{text},
		RerankQuery: req.Question, AddedWords: words, HistoryMessagesUsed: len(turns)}
}

// anchors returns the first and the last message of the person.
func anchors(history []rag.Message) []string {
	var said []string
	for _, m := range history {
		if m.Role != roleAssistant && strings.TrimSpace(m.Text) != "" {
			said = append(said, m.Text)
		}
	}
	switch len(said) {
	case 0, 1:
		return said
	}
	return []string{said[0], said[len(said)-1]}
}

type candidate struct {
	text  string
	place int
	rank  float64 // lower is better
}

// rarest picks the words of the turns that fewest chunks hold and returns them
// in the order in which they were said. A word that no chunk holds can find
// nothing and comes last; so do words that name nothing.
func rarest(l *language.Language, req Request, turns []string, corpus Corpus) []string {
	limit := req.Options.ExpandWords
	if limit <= 0 {
		limit = 3
	}
	seen := l.Keys(req.Question)
	var all []candidate
	for _, turn := range turns {
		for _, w := range l.ContentWords(turn) {
			key := l.Key(w.Lower)
			if seen[key] || utf8.RuneCountInString(w.Text) > 40 {
				continue
			}
			seen[key] = true
			all = append(all, candidate{w.Text, len(all), rarity(l, w, corpus)})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch {
		case a.rank < b.rank:
			return -1
		case a.rank > b.rank:
			return 1
		}
		return 0
	})
	all = all[:min(limit, len(all))]
	slices.SortFunc(all, func(a, b candidate) int { return a.place - b.place })
	words := make([]string, len(all))
	for i, c := range all {
		words[i] = c.text
	}
	return words
}

// rarity orders words: the number of chunks with the word's rarest term.
func rarity(l *language.Language, w language.Word, corpus Corpus) float64 {
	const nowhere = 1e9
	rank := float64(nowhere)
	if corpus == nil { // names and long words tend to be rare
		rank = 1000 - float64(utf8.RuneCountInString(w.Text))
		if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsUpper(r) {
			rank -= 500
		}
	} else {
		for _, term := range corpus.Analyze(w.Text) {
			if df := corpus.DocumentFrequency(term); df > 0 {
				rank = min(rank, float64(df))
			}
		}
	}
	if l.Is("vague", w.Lower) {
		rank += nowhere
	}
	return rank
}
