package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kind says how a turn depends on the ones before it.
type Kind string

// The closed list of kinds. The first turn of a conversation has none.
const (
	KindFirst        Kind = ""
	KindPronoun      Kind = "pronoun"
	KindElliptical   Kind = "elliptical"
	KindTopicShift   Kind = "topic_shift"
	KindComparison   Kind = "comparison"
	KindCorrection   Kind = "correction"
	KindUnanswerable Kind = "unanswerable"
)

var kinds = []Kind{KindPronoun, KindElliptical, KindTopicShift, KindComparison, KindCorrection, KindUnanswerable}

// Reference is a fact that must be found: words as they stand in the source.
type Reference struct {
	Source string `json:"source"` // path below the library, with slashes
	Fact   string `json:"fact"`
	Page   int    `json:"page"` // of a paged source; 0: not checked
}

// Turn is one question of a conversation.
type Turn struct {
	Question   string      `json:"question"`
	Kind       Kind        `json:"kind"`
	Standalone string      `json:"standalone"` // the question as one would ask it alone
	References []Reference `json:"references"`
	Reply      string      `json:"reply"` // scripted; not on the last turn
	Must       []string    `json:"must"`
	MustNot    []string    `json:"must_not"`
}

// Conversation is a named series of turns.
type Conversation struct {
	Name  string `json:"name"`
	Turns []Turn `json:"turns"`
}

// Load reads every conversation of a folder, in the order of file names. A
// malformed one fails the load with every fault that it has.
func Load(dir string) ([]Conversation, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no conversations in %s", dir)
	}
	var out []Conversation
	var faults []error
	names := map[string]string{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var c Conversation
		decoder := json.NewDecoder(strings.NewReader(string(raw)))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&c); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", file, err))
			continue
		}
		if other, ok := names[c.Name]; ok {
			faults = append(faults, fmt.Errorf("%s: the name %q is taken by %s", file, c.Name, other))
		}
		names[c.Name] = file
		if err := c.validate(); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", file, err))
		}
		out = append(out, c)
	}
	return out, errors.Join(faults...)
}

// validate checks the rules of the format.
func (c Conversation) validate() error {
	var faults []error
	bad := func(turn int, format string, args ...any) {
		faults = append(faults, fmt.Errorf("turn %d: "+format, append([]any{turn + 1}, args...)...))
	}
	if c.Name == "" {
		faults = append(faults, errors.New("no name"))
	}
	if len(c.Turns) < 2 {
		faults = append(faults, errors.New("a conversation has at least two turns"))
	}
	for i, t := range c.Turns {
		if strings.TrimSpace(t.Question) == "" {
			bad(i, "no question")
		}
		switch {
		case i == 0 && t.Kind != KindFirst:
			bad(i, "the first turn has no kind")
		case i > 0 && !slices.Contains(kinds, t.Kind):
			bad(i, "the kind %q is not one of %v", t.Kind, kinds)
		}
		if i > 0 && t.Standalone == "" {
			bad(i, "a follow-up needs its standalone form")
		}
		if i < len(c.Turns)-1 && t.Reply == "" {
			bad(i, "every turn but the last has a scripted reply")
		}
		if (len(t.References) == 0) != (t.Kind == KindUnanswerable) {
			bad(i, "a turn has references, an unanswerable one has none")
		}
		for _, r := range t.References {
			if r.Source == "" || strings.TrimSpace(r.Fact) == "" {
				bad(i, "a reference names a source and a fact")
			}
		}
	}
	return errors.Join(faults...)
}
