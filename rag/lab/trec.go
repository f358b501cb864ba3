package lab

import (
	"fmt"
	"path/filepath"

	"referent/rag"
)

// readCAsT reads the questions of TREC CAsT 2019 and 2020 with their manual
// rewrites. The later years lean on answers that are not in the file, and first
// turns need no rewrite. There is no corpus: only rewrites are judged.
func readCAsT(root string) ([]Set, error) {
	turns, err := readLines[struct {
		Year    int    `json:"year"`
		Topic   int    `json:"topic"`
		Turn    any    `json:"turn"` // a number, in later years a path
		Raw     string `json:"raw"`
		Rewrite string `json:"manual_rewrite"`
	}](filepath.Join(root, "trec_cast"), "topics.jsonl")
	if err != nil {
		return nil, err
	}
	set := Set{Suite: "S7", Name: "trec_cast"}
	var history []rag.Message
	topic := ""
	for _, t := range turns {
		if t.Year != 2019 && t.Year != 2020 {
			continue
		}
		if now := fmt.Sprintf("%d/%d", t.Year, t.Topic); now != topic {
			topic, history = now, nil
		}
		if len(history) > 0 {
			set.Questions = append(set.Questions, Question{ID: fmt.Sprintf("%s/%v", topic, t.Turn), Text: t.Raw, History: history[:len(history):len(history)],
				Slice: fmt.Sprint(t.Year), Reference: t.Rewrite})
		}
		history = append(history, rag.Message{Role: "user", Text: t.Raw})
	}
	return []Set{set}, nil
}
