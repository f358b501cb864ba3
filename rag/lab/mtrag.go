package lab

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// readMTRAG reads the conversations of MTRAG, each domain with a corpus as a set
// of its own. The reference rewrites were made by a model: they are a strong
// reference and no ceiling.
func readMTRAG(root string) ([]Set, error) {
	dir := filepath.Join(root, "mtrag")
	corpora, err := filepath.Glob(filepath.Join(dir, "corpus_*.jsonl*"))
	if err != nil {
		return nil, err
	}
	if len(corpora) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrAbsent, dir)
	}
	type query struct {
		ID        string `json:"id"`
		Domain    string `json:"domain"`
		Turn      int    `json:"turn"`
		LastTurn  string `json:"last_turn"`
		Reference string `json:"reference_rewrite"`
	}
	queries, err := readLines[query](dir, "queries.jsonl")
	if err != nil {
		return nil, err
	}
	said, err := readHistories(dir)
	if err != nil {
		return nil, err
	}
	var sets []Set
	for _, file := range corpora {
		name := strings.TrimSuffix(filepath.Base(file), ".gz")
		domain := strings.TrimSuffix(strings.TrimPrefix(name, "corpus_"), ".jsonl")
		rows, err := readLines[row](dir, name)
		if err != nil {
			return nil, err
		}
		judged, err := readJudgements(filepath.Join(dir, "qrels"), domain+".tsv")
		if err != nil {
			return nil, err
		}
		set := Set{Suite: "S4", Name: "mtrag_" + domain}
		for _, r := range rows {
			set.Rows = append(set.Rows, Row{ID: r.ID, Text: r.Text, Language: "en"}) // the text begins with the title
		}
		for _, q := range queries {
			history, known := said[q.ID]
			if q.Domain != domain || judged[q.ID] == nil {
				continue
			}
			if !known {
				return nil, errors.New("mtrag: no conversation has the turn " + q.ID)
			}
			set.Questions = append(set.Questions, Question{ID: q.ID, Text: q.LastTurn, History: messages(history), Slice: turnSlice(q.Turn), Relevant: judged[q.ID], Reference: q.Reference})
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// readHistories returns what was said before each turn, by the id of the turn.
func readHistories(dir string) (map[string][]exchange, error) {
	conversations, err := readLines[struct {
		Turns []struct {
			ID    string `json:"task_id"`
			User  string `json:"user"`
			Agent string `json:"agent"`
		} `json:"turns"`
	}](dir, "conversations.jsonl")
	if err != nil {
		return nil, err
	}
	said := map[string][]exchange{}
	for _, c := range conversations {
		var history []exchange
		for _, t := range c.Turns {
			said[t.ID] = history[:len(history):len(history)]
			history = append(history, exchange{t.User, t.Agent})
		}
	}
	return said, nil
}
