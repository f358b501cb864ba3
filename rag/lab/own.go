package lab

import (
	"fmt"
	"path/filepath"

	"referent/rag"
	"referent/rag/language"
)

// readOwn reads a set of one's own: corpus.jsonl, queries.jsonl and qrels.tsv in
// one folder.
func readOwn(dir string) ([]Set, error) {
	rows, err := readLines[struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}](dir, "corpus.jsonl")
	if err != nil {
		return nil, err
	}
	queries, err := readLines[struct {
		ID      string        `json:"id"`
		Text    string        `json:"text"`
		History []rag.Message `json:"history"`
		Kind    string        `json:"kind"`
	}](dir, "queries.jsonl")
	if err != nil {
		return nil, err
	}
	judged, err := readJudgements(dir, "qrels.tsv")
	if err != nil {
		return nil, err
	}
	set := Set{Suite: SuiteOwn, Name: filepath.Base(dir)}
	known := map[string]bool{}
	for _, r := range rows {
		if known[r.ID] {
			return nil, fmt.Errorf("%s: two passages have the id %q", dir, r.ID)
		}
		known[r.ID] = true
		code, sure := language.Detect(r.Text)
		if !sure {
			code = ""
		}
		set.Rows = append(set.Rows, Row{ID: r.ID, Title: r.Title, Header: r.Title, Text: r.Text, Language: code})
	}
	asked := map[string]bool{}
	for _, q := range queries {
		if asked[q.ID] {
			return nil, fmt.Errorf("%s: two questions have the id %q", dir, q.ID)
		}
		asked[q.ID] = true
		if judged[q.ID] == nil {
			return nil, fmt.Errorf("%s: the question %q has no judgement above 0", dir, q.ID)
		}
		for id := range judged[q.ID] {
			if !known[id] {
				return nil, fmt.Errorf("%s: %q is judged and not in the corpus", dir, id)
			}
		}
		set.Questions = append(set.Questions, Question{ID: q.ID, Text: q.Text, History: q.History, Slice: q.Kind, Relevant: judged[q.ID]})
	}
	return []Set{set}, nil
}
