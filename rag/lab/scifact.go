package lab

import "path/filepath"

// row is a passage in the form of BEIR.
type row struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// readSciFact reads the claims and abstracts of SciFact. A title is a title.
func readSciFact(root string) ([]Set, error) {
	dir := filepath.Join(root, "scifact")
	rows, err := readLines[row](dir, "corpus.jsonl")
	if err != nil {
		return nil, err
	}
	queries, err := readLines[row](dir, "queries.jsonl")
	if err != nil {
		return nil, err
	}
	judged, err := readJudgements(dir, "qrels_test.tsv")
	if err != nil {
		return nil, err
	}
	set := Set{Suite: "S1", Name: "scifact"}
	for _, r := range rows {
		set.Rows = append(set.Rows, Row{ID: r.ID, Title: r.Title, Header: r.Title, Text: r.Text, Language: "en"})
	}
	for _, q := range queries {
		if judged[q.ID] != nil {
			set.Questions = append(set.Questions, Question{ID: q.ID, Text: q.Text, Relevant: judged[q.ID]})
		}
	}
	return []Set{set}, nil
}
