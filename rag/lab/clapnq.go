package lab

import (
	"cmp"
	"hash/fnv"
	"path/filepath"
	"slices"

	"referent/rag"
)

// clapnqRow is a question of ClapNQ with its one passage. The answer is empty
// where the passage does not answer.
type clapnqRow struct {
	ID       string `json:"id"`
	Input    string `json:"input"`
	Passages []struct {
		Title string `json:"title"`
		Text  string `json:"text"`
	} `json:"passages"`
	Output []struct {
		Answer   string   `json:"answer"`
		Selected []string `json:"selected_sentences"`
	} `json:"output"`
}

// clapnq is the set in two halves over one corpus: the passages of the answerable
// questions, then those of the others.
type clapnq struct {
	rows             []Row
	answerable, rest []Question
	selected         map[string][][]string // of an answerable question, by right answer: the sentences it rests on
}

func readClapNQ(root string) (clapnq, error) {
	dir := filepath.Join(root, "clapnq_dev")
	c := clapnq{selected: map[string][][]string{}}
	for _, half := range []struct {
		file string
		into *[]Question
	}{{"clapnq_dev_answerable.jsonl", &c.answerable}, {"clapnq_dev_unanswerable.jsonl", &c.rest}} {
		found, err := readLines[clapnqRow](dir, half.file)
		if err != nil {
			return c, err
		}
		for _, r := range found {
			if len(r.Passages) == 0 {
				continue
			}
			p := r.Passages[0]
			c.rows = append(c.rows, Row{ID: r.ID, Title: p.Title, Header: p.Title, Text: p.Text, Language: "en"})
			q := Question{ID: r.ID, Text: r.Input, Relevant: relevantOnly([]string{r.ID}), Documents: []int64{int64(len(c.rows))}}
			for _, o := range r.Output {
				if o.Answer != "" {
					q.Answers = append(q.Answers, o.Answer)
					c.selected[r.ID] = append(c.selected[r.ID], o.Selected)
				}
			}
			*half.into = append(*half.into, q)
		}
	}
	withOthers(c.answerable)
	withOthers(c.rest)
	return c, nil
}

// others is how many passages stand beside the right one.
const others = 4

// withOthers gives each question the passages of the four that follow it in the
// order of the hashes of their ids.
func withOthers(questions []Question) {
	hash := func(q Question) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte("others " + q.ID))
		return h.Sum64()
	}
	own := make([]int64, len(questions))
	place := make([]int, len(questions))
	for i, q := range questions {
		own[i], place[i] = q.Documents[0], i
	}
	slices.SortFunc(place, func(a, b int) int {
		return cmp.Or(cmp.Compare(hash(questions[a]), hash(questions[b])), cmp.Compare(a, b))
	})
	for at, i := range place {
		for n := 1; n <= min(others, len(place)-1); n++ {
			questions[i].Documents = append(questions[i].Documents, own[place[(at+n)%len(place)]])
		}
	}
}

// readAnswerable reads questions that the right one of five passages answers.
func readAnswerable(p Places) ([]Set, error) {
	c, err := p.answers()
	return []Set{{Suite: "S8", Name: "clapnq_answerable", Manner: MannerAnswer, Rows: c.rows, Questions: c.answerable}}, err
}

// readUnanswerable reads questions that none of their five passages answers,
// though one of them is about their subject.
func readUnanswerable(p Places) ([]Set, error) {
	c, err := p.answers()
	questions := slices.Clone(c.rest)
	for i := range questions {
		questions[i].Relevant = nil
	}
	return []Set{{Suite: "S9", Name: "clapnq_unanswerable", Manner: MannerAnswer, Rows: c.rows, Questions: questions}}, err
}

// classOf gives a passage a class by a hash of its id, whatever it says and
// whatever is asked: compression is measured on what it cannot know.
func classOf(id string) rag.Class {
	h := fnv.New32a()
	_, _ = h.Write([]byte("seed 1 " + id))
	return []rag.Class{rag.ClassFact, rag.ClassSnapshot, rag.ClassTransient}[h.Sum32()%3]
}
