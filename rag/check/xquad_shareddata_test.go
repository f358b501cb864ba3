//go:build shareddata

package check

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/language"
)

// asked is a question of XQuAD with the paragraph that answers it.
type asked struct{ question, title, text string }

func xquad(t *testing.T, code string) []asked {
	t.Helper()
	root := os.Getenv("REFERENT_SHARED_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, "xquad", "xquad."+code+".json.gz"))
	if err != nil {
		t.Fatalf("the public sets are needed for this test: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		Data []struct {
			Title      string `json:"title"`
			Paragraphs []struct {
				Context string `json:"context"`
				QAS     []struct {
					Question string `json:"question"`
				} `json:"qas"`
			} `json:"paragraphs"`
		} `json:"data"`
	}
	if err := json.NewDecoder(z).Decode(&set); err != nil {
		t.Fatal(err)
	}
	var out []asked
	for _, d := range set.Data {
		for _, p := range d.Paragraphs {
			for _, q := range p.QAS {
				out = append(out, asked{q.Question, strings.ReplaceAll(d.Title, "_", " "), p.Context})
			}
		}
	}
	if len(out) < 1000 {
		t.Fatalf("%d questions", len(out))
	}
	return out
}

// siblingOf is the name and what was found in its place, of a question taken
// for a statement that cites a paragraph; empty where nothing is found.
func siblingOf(code, question, title, text string) string {
	h := passage(1, text)
	h.Title, h.Path, h.Language = title, "/docs/text.txt", code
	statement := strings.TrimRight(strings.TrimLeft(question, "¿"), "? ") + " [1]."
	for _, i := range Answer(Input{Answer: statement, Question: question, Language: code, Passages: []rag.Hit{h}}).Check.Issues {
		if i.Kind == otherThing {
			return i.Text + " > " + i.Found
		}
	}
	return ""
}

// A question names what its own paragraph tells of, so a statement in its words
// has the right thing. Where one word of a name is another in the paragraph, it
// tells of a sibling.
func TestP36_SiblingsInXQuAD(t *testing.T) {
	for _, code := range []string{"en", "de", "es"} {
		l := language.For(code)
		questions, wrong, renamed, caught := 0, 0, 0, 0
		for i, a := range xquad(t, code) {
			if i%3 > 0 { // one of three is enough
				continue
			}
			questions++
			if found := siblingOf(code, a.question, a.title, a.text); found != "" {
				wrong++
				t.Logf("%s: false: %s (%s)", code, found, a.question)
				continue
			}
			designations := l.Designations(a.question)
			at := slices.IndexFunc(designations, func(d language.Designation) bool {
				return d.Form != language.Compound && strings.Contains(a.text, d.Text)
			})
			if at < 0 {
				continue
			}
			d := designations[at]
			words := language.Words(d.Text)
			own, other := words[len(words)-1].Text, "Zorbu"
			switch d.Form {
			case language.HeadLast:
				own = words[0].Text
			case language.Numbered, language.Coded:
				own, other = d.Own, "77777"
			}
			renamed++
			if siblingOf(code, a.question, strings.ReplaceAll(a.title, own, other), strings.ReplaceAll(a.text, own, other)) != "" {
				caught++
			} else if renamed-caught < 12 {
				t.Logf("%s: missed: %q in %q", code, d.Text, a.question)
			}
		}
		t.Logf("%s: %d of %d right ones flagged; %d of %d renamed ones flagged", code, wrong, questions, caught, renamed)
		if wrong > questions/50 {
			t.Errorf("%s: more than 2 %% of the right ones are flagged", code)
		}
		if caught < renamed*6/10 {
			t.Errorf("%s: less than 60 %% of the renamed ones are flagged", code)
		}
	}
}

// Scripts without capitals, or without spaces, are read too.
func TestP36_SiblingsInOtherScripts(t *testing.T) {
	for _, code := range []string{"ru", "zh", "hi"} {
		questions, wrong := 0, 0
		for i, a := range xquad(t, code) {
			if i%5 > 0 {
				continue
			}
			questions++
			if found := siblingOf(code, a.question, a.title, a.text); found != "" {
				wrong++
				t.Logf("%s: false: %s (%s)", code, found, a.question)
			}
		}
		if wrong > questions/50 {
			t.Errorf("%s: %d of %d right ones are flagged", code, wrong, questions)
		}
	}
}
