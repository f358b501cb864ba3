package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"unicode"
)

// Stretch is a part of a document, in code points of its normalised text: from
// From up to, and without, To.
type Stretch struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (s Stretch) length() int { return s.To - s.From }

// readChunking reads long documents, which are cut as the product does, and
// questions whose evidence is known by its place. Places of the set count in the
// file as it is, those of chunks in what was read of it; the two are matched by
// letters and digits, so that marks of Markdown and white space make no
// difference. Evidence that was not read is never found, and counts.
func readChunking(ctx context.Context, root string, extract Extract) ([]Set, error) {
	dir := filepath.Join(root, "chunking_eval")
	questions, err := readLines[struct {
		ID         int    `json:"id"`
		Question   string `json:"question"`
		Corpus     string `json:"corpus_id"`
		References []struct {
			Content string `json:"content"`
			Start   int    `json:"start_index"`
		} `json:"references"`
	}](dir, "questions.jsonl")
	if err != nil {
		return nil, err
	}
	set := Set{Suite: "S3", Name: "chunking"}
	texts := map[string]*aligned{}
	for _, q := range questions {
		text, known := texts[q.Corpus]
		if !known {
			var rows []Row
			if rows, text, err = readLong(ctx, filepath.Join(dir, "corpora"), q.Corpus, extract); err != nil {
				return nil, err
			}
			texts[q.Corpus] = text
			set.Rows = append(set.Rows, rows...)
		}
		question := Question{ID: fmt.Sprint(q.ID), Text: q.Question, Slice: q.Corpus, Document: q.Corpus}
		for _, r := range q.References {
			question.Evidence = append(question.Evidence, text.find(r.Content, r.Start))
		}
		set.Questions = append(set.Questions, question)
	}
	return []Set{set}, nil
}

// readLong reads a document of a set as a file of the library, compressed or not.
func readLong(ctx context.Context, dir, name string, extract Extract) (rows []Row, text *aligned, err error) {
	file := filepath.Base(name) + ".md"
	r, err := openSet(dir, file)
	if err != nil {
		return nil, nil, err
	}
	raw, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "referent-set-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, file)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return nil, nil, err
	}
	ex, err := extract(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	if !ex.Status.Searchable() {
		return nil, nil, fmt.Errorf("%s: %s", filepath.Join(dir, file), ex.Reason)
	}
	return cut(ex, name, path), align(string(raw), ex.Text), nil
}

// aligned brings places in a file to places in the text that was read from it.
type aligned struct {
	before []int  // how many letters and digits stand before each code point of the file
	signs  []rune // letters and digits of the text that was read
	at     []int  // the code point of each in that text
}

func align(file, read string) *aligned {
	a := &aligned{}
	n := 0
	for _, r := range file {
		a.before = append(a.before, n)
		if counts(r) {
			n++
		}
	}
	i := 0
	for _, r := range read {
		if counts(r) {
			a.signs, a.at = append(a.signs, unicode.ToLower(r)), append(a.at, i)
		}
		i++
	}
	return a
}

func counts(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// find is where a content that begins at a code point of the file stands in the
// text that was read: the occurrence nearest to where it must be. Content that
// was not read is a stretch of its length before the text, where no chunk is.
func (a *aligned) find(content string, start int) Stretch {
	var wanted []rune
	length := 0
	for _, r := range content {
		length++
		if counts(r) {
			wanted = append(wanted, unicode.ToLower(r))
		}
	}
	expected := len(a.signs)
	if start >= 0 && start < len(a.before) {
		expected = a.before[start]
	}
	best := -1
	for i := 0; len(wanted) > 0 && i+len(wanted) <= len(a.signs); i++ {
		if a.signs[i] == wanted[0] && (best < 0 || distance(i, expected) < distance(best, expected)) && slices.Equal(a.signs[i:i+len(wanted)], wanted) {
			best = i
		}
	}
	if best < 0 {
		return Stretch{-length, 0}
	}
	return Stretch{a.at[best], a.at[best+len(wanted)-1] + 1}
}

func distance(a, b int) int { return max(a-b, b-a) }

// equalBudget is how many characters are compared across chunkers of different
// sizes: more text always holds more evidence.
const equalBudget = 4000

// scoreChunks judges what share of the evidence the best chunks hold, by code
// points: recall, precision, and the intersection over the union (Smith and
// Troynikov 2024, with what several chunks share counted once).
func scoreChunks(scores map[string]float64, s Set, q Question, ids []string) {
	rows := map[string]Row{}
	for _, r := range s.Rows {
		rows[r.ID] = r
	}
	take := func(most, budget int) (got []Stretch, other int) {
		for _, id := range ids[:min(most, len(ids))] {
			part := rows[id].Stretch
			if budget >= 0 {
				part.To = min(part.To, part.From+budget)
				budget -= part.length()
			}
			if rows[id].Document == q.Document {
				got = append(got, part)
			} else {
				other += part.length()
			}
		}
		return got, other
	}
	for _, at := range []struct {
		name         string
		most, budget int
	}{{"5", 5, -1}, {"10", 10, -1}, {"4000c", len(ids), equalBudget}} {
		got, other := take(at.most, at.budget)
		held, returned, wanted := overlap(got, q.Evidence)
		returned += other
		scores["evidence_recall@"+at.name] = ratio(float64(held), float64(wanted))
		scores["evidence_precision@"+at.name] = ratio(float64(held), float64(returned))
		scores["evidence_iou@"+at.name] = ratio(float64(held), float64(returned+wanted-held))
	}
}

// overlap counts code points: in both, in got, and in wanted, each once.
func overlap(got, wanted []Stretch) (both, inGot, inWanted int) {
	got, wanted = united(got), united(wanted)
	for _, g := range got {
		inGot += g.length()
		for _, w := range wanted {
			both += max(0, min(g.To, w.To)-max(g.From, w.From))
		}
	}
	for _, w := range wanted {
		inWanted += w.length()
	}
	return both, inGot, inWanted
}

// united sorts stretches and joins those that meet.
func united(list []Stretch) []Stretch {
	list = slices.SortedFunc(slices.Values(list), func(a, b Stretch) int { return a.From - b.From })
	var out []Stretch
	for _, s := range list {
		if n := len(out); n > 0 && s.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, s.To)
		} else if s.length() > 0 {
			out = append(out, s)
		}
	}
	return out
}
