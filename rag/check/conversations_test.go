package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"referent/rag"
)

var markupRE = regexp.MustCompile(`<[^>]+>`)

// The right replies of the sample conversations, each on the sections that hold
// its facts: none is taken for one about a sibling.
func TestP36_RightRepliesOfTheSampleConversationsNameNoSibling(t *testing.T) {
	root := filepath.Join("..", "..", "testdata")
	files, err := filepath.Glob(filepath.Join(root, "conversations", "*.json"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%v, %v", files, err)
	}
	replies := 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			Name  string
			Turns []struct {
				Question, Reply string
				References      []struct{ Source, Fact string }
			}
		}
		if err := json.Unmarshal(b, &c); err != nil {
			t.Fatal(err)
		}
		language := "en"
		if code := c.Name[strings.LastIndex(c.Name, "-")+1:]; code == "it" || code == "de" {
			language = code
		}
		for _, turn := range c.Turns {
			var passages []rag.Hit
			for _, r := range turn.References {
				if filepath.Ext(r.Source) != ".pdf" {
					passages = append(passages, holding(t, root, len(passages)+1, r.Source, r.Fact))
				}
			}
			if turn.Reply == "" || len(passages) == 0 {
				continue
			}
			replies++
			for _, i := range Answer(Input{Answer: turn.Reply, Question: turn.Question, Language: language, Passages: passages}).Check.Issues {
				if i.Kind == otherThing {
					t.Errorf("%s: %q: %s, and the passage has %s", c.Name, turn.Reply, i.Text, i.Found)
				}
			}
		}
	}
	if replies < 30 {
		t.Errorf("%d replies", replies)
	}
}

// holding is the section of a document of the sample library that holds a fact.
func holding(t *testing.T, root string, n int, source, fact string) rag.Hit {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "library", filepath.FromSlash(source)))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(markupRE.ReplaceAllString(string(b), " "), "\n## ")
	title, _, _ := strings.Cut(strings.TrimLeft(sections[0], "# \n"), "\n")
	for _, section := range sections {
		if strings.Contains(strings.Join(strings.Fields(section), " "), strings.Join(strings.Fields(fact), " ")) {
			heading, text, _ := strings.Cut(section, "\n")
			h := placed(n, title, heading, text)
			h.Path = "/docs/" + source
			return h
		}
	}
	t.Fatalf("%s does not hold %q", source, fact)
	return rag.Hit{}
}
