package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// readXQuAD reads every language that lies there as a set of its own: each
// question has one right paragraph.
func readXQuAD(root string) ([]Set, error) {
	dir := filepath.Join(root, "xquad")
	files, err := filepath.Glob(filepath.Join(dir, "xquad.*.json*"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrAbsent, dir)
	}
	var sets []Set
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".gz")
		language := strings.TrimSuffix(strings.TrimPrefix(name, "xquad."), ".json")
		set, err := readParagraphs(dir, name, language)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// readParagraphs reads a file in the form of SQuAD.
func readParagraphs(dir, name, language string) (set Set, err error) {
	r, err := openSet(dir, name)
	if err != nil {
		return Set{}, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var file struct {
		Data []struct {
			Paragraphs []struct {
				Context   string `json:"context"`
				Questions []struct {
					ID   string `json:"id"`
					Text string `json:"question"`
				} `json:"qas"`
			} `json:"paragraphs"`
		} `json:"data"`
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return Set{}, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	set = Set{Suite: "S2", Name: "xquad_" + language}
	for _, d := range file.Data {
		for _, p := range d.Paragraphs {
			id := fmt.Sprint(len(set.Rows) + 1)
			set.Rows = append(set.Rows, Row{ID: id, Text: p.Context, Language: language})
			for _, q := range p.Questions {
				set.Questions = append(set.Questions, Question{ID: q.ID, Text: q.Text, Relevant: relevantOnly([]string{id})})
			}
		}
	}
	return set, nil
}
