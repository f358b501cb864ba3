package lab

import (
	"fmt"
	"path/filepath"
	"slices"

	"referent/rag"
)

// exchange is a question with its answer.
type exchange struct {
	User      string `json:"user"`
	Assistant string `json:"assistant"`
}

func messages(history []exchange) []rag.Message {
	var out []rag.Message
	for _, e := range history {
		out = append(out, rag.Message{Role: "user", Text: e.User}, rag.Message{Role: "assistant", Text: e.Assistant})
	}
	return out
}

// readSpans reads the passages of CANARD: answers to single questions, searched
// with the title and section of their article as one text.
func readSpans(dir string) ([]Row, error) {
	spans, err := readLines[struct {
		row
		Section string `json:"section"`
	}](dir, "spans_corpus.jsonl")
	var rows []Row
	for _, s := range spans {
		rows = append(rows, Row{ID: s.ID, Text: s.Title + " " + s.Section + " " + s.Text, Language: "en"})
	}
	return rows, err
}

// readCanard reads the dependent follow-ups in two forms: as they are, and with
// a first exchange that names the article, as a chat would have. First turns
// lean on a title that no chat shows and are left out.
func readCanard(root string) ([]Set, error) {
	dir := filepath.Join(root, "canard")
	rows, err := readSpans(dir)
	if err != nil {
		return nil, err
	}
	queries, err := readLines[struct {
		ID       string     `json:"id"`
		Turn     int        `json:"turn"`
		Title    string     `json:"title"`
		Section  string     `json:"section"`
		History  []exchange `json:"history"`
		Question string     `json:"question"`
		Rewrite  string     `json:"human_rewrite"`
		Relevant []string   `json:"relevant"`
	}](dir, "spans_queries.jsonl")
	if err != nil {
		return nil, err
	}
	plain, introduced := Set{Suite: "S5", Name: "canard", Rows: rows}, Set{Suite: "S5", Name: "canard_introduced", Rows: rows}
	for _, q := range queries {
		if q.Turn < 2 {
			continue
		}
		question := Question{ID: q.ID, Text: q.Question, History: messages(q.History), Slice: turnSlice(q.Turn), Relevant: relevantOnly(q.Relevant), Reference: q.Rewrite}
		plain.Questions = append(plain.Questions, question)
		first := messages([]exchange{{fmt.Sprintf("Tell me about %s, %s.", q.Title, q.Section), "OK."}})
		question.History = slices.Concat(first, question.History)
		introduced.Questions = append(introduced.Questions, question)
	}
	return []Set{plain, introduced}, nil
}

// readShifts reads standalone questions after a conversation about something
// else: the right text to search is the question itself.
func readShifts(root string) ([]Set, error) {
	dir := filepath.Join(root, "canard")
	rows, err := readSpans(dir)
	if err != nil {
		return nil, err
	}
	shifts, err := readLines[struct {
		ID       string     `json:"id"`
		History  []exchange `json:"history"`
		Question string     `json:"question"`
		Relevant []string   `json:"relevant"`
		OldTopic string     `json:"old_topic"`
	}](dir, "topic_shift.jsonl")
	if err != nil {
		return nil, err
	}
	set := Set{Suite: "S6", Name: "canard_shift", Rows: rows}
	for _, q := range shifts {
		set.Questions = append(set.Questions, Question{ID: q.ID, Text: q.Question, History: messages(q.History), Relevant: relevantOnly(q.Relevant),
			Reference: q.Question, OldTopic: q.OldTopic})
	}
	return []Set{set}, nil
}

// turnSlice groups turns by number; late ones are few.
func turnSlice(turn int) string {
	if turn >= 6 {
		return "turn_6_up"
	}
	return fmt.Sprintf("turn_%d", turn)
}
