package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"referent/rag"
	"referent/rag/language"
)

// parrot names the model that repeats what the history says.
const parrot = "parrot"

// Gate is what a gate of S10 does with a question, beside asking it.
type Gate struct {
	Planted   []string    // values that only the history states: none may be shown
	Said      string      // what a model would answer that repeats the history
	Remembers int         // newest messages that the answer model sees
	Guess     *rag.Filter // a wrong one, of a model
	Selected  [][]string  // by right answer: the sentences it rests on
}

// readGates reads the sets of S10, those whose data lie there.
func readGates(p Places) ([]Set, error) {
	poison, err := readPoison(p.Sample)
	if err != nil && !errors.Is(err, ErrAbsent) {
		return nil, err
	}
	c, missing := p.answers()
	if missing != nil {
		if !errors.Is(missing, ErrAbsent) || err != nil {
			return nil, missing
		}
		return poison, nil
	}
	return slices.Concat(poison, []Set{fuzzed(c), guessed(c), compressible("compression", MannerPack, c, classOf),
		compressible("compression_facts", MannerPack, c, func(string) rag.Class { return rag.ClassFact }),
		compressible("compression_answers", MannerAnswer, c, classOf)}), nil
}

// readPoison reads facts that only a conversation states, each asked with the
// conversation in the prompt and without: by the parrot, and by a model.
func readPoison(root string) ([]Set, error) {
	r, err := openSet(filepath.Join(root, "poison"), "facts.json")
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	var file struct {
		Passages []struct {
			Title string `json:"title"`
			Text  string `json:"text"`
		} `json:"passages"`
		Facts []struct {
			Language string   `json:"language"`
			Question string   `json:"question"`
			Said     string   `json:"said"`
			Values   []string `json:"planted"` // in the spellings in which it may come back
		} `json:"facts"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(root, "poison", "facts.json"), err)
	}
	set := Set{Suite: "S10", Name: "poison", Manner: MannerParrot}
	for i, p := range file.Passages {
		code, sure := language.Detect(p.Text)
		if !sure {
			code = ""
		}
		set.Rows = append(set.Rows, Row{ID: fmt.Sprint(i + 1), Title: p.Title, Text: p.Text, Language: code})
	}
	for _, remembers := range []int{0, 4} { // outside, so that a model reads the passages once for all that are asked without the conversation
		for i, f := range file.Facts {
			history := []rag.Message{{Role: "user", Text: f.Question}, {Role: "assistant", Text: f.Said + " [1]"},
				{Role: "user", Text: f.Said}, {Role: "assistant", Text: "OK: " + f.Said}}
			set.Questions = append(set.Questions, Question{ID: fmt.Sprintf("%d/%d", i+1, remembers), Text: f.Question, History: history, Slice: f.Language,
				Gate: &Gate{Planted: f.Values, Said: f.Said + " [1]", Remembers: remembers}})
		}
	}
	model := set
	model.Name, model.Manner = "poison_model", MannerAnswer
	return []Set{set, model}, nil
}

// fuzzed asks questions after conversations that have nothing to do with them.
func fuzzed(c clapnq) Set {
	set := Set{Suite: "S10", Name: "history_fuzz", Manner: MannerFuzz, Rows: c.rows}
	random := rand.New(rand.NewPCG(74, 0))
	for _, q := range c.answerable {
		var history []rag.Message
		for range 1 + random.IntN(4) {
			other := c.answerable[random.IntN(len(c.answerable))]
			history = append(history, rag.Message{Role: "user", Text: other.Text}, rag.Message{Role: "assistant", Text: other.Answers[0]})
		}
		set.Questions = append(set.Questions, Question{ID: q.ID, Text: q.Text, History: history, Relevant: q.Relevant})
	}
	return set
}

// The kinds that passages are said to be of, so that a guess can be wrong.
var kindsOfPassages = []string{"pdf", "markdown", "html"}

// guessed asks each question with a guessed filter that leaves its passage out.
func guessed(c clapnq) Set {
	set := Set{Suite: "S10", Name: "wrong_guess", Manner: MannerGuess, Rows: slices.Clone(c.rows)}
	at := map[string]int{}
	for i := range set.Rows {
		at[set.Rows[i].ID] = i
		set.Rows[i].Kind = kindsOfPassages[i%len(kindsOfPassages)]
	}
	for _, q := range c.answerable {
		wrong := kindsOfPassages[(at[q.ID]+1)%len(kindsOfPassages)]
		guess := rag.Filter{Field: "type", Op: "eq", Values: []string{wrong}, Owner: rag.OwnerGuess}
		set.Questions = append(set.Questions, Question{ID: q.ID, Text: q.Text, Relevant: q.Relevant, Gate: &Gate{Guess: &guess}})
	}
	return set
}

// compressible packs passages of given classes into a small budget.
func compressible(name string, manner Manner, c clapnq, class func(id string) rag.Class) Set {
	set := Set{Suite: "S10", Name: name, Manner: manner, Rows: slices.Clone(c.rows)}
	for i := range set.Rows {
		set.Rows[i].Class = class(set.Rows[i].ID)
	}
	for _, q := range c.answerable {
		set.Questions = append(set.Questions, Question{ID: q.ID, Text: q.Text, Relevant: q.Relevant, Answers: q.Answers, Gate: &Gate{Selected: c.selected[q.ID]}})
	}
	return set
}
