package answer

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/rag/language"
)

var shelf = []Named{
	{1, "Tenancy rules", "/docs/tenancy-rules.md"},
	{2, "Heating manual", "/docs/heating-manual.pdf"},
	{3, "Pets", "/docs/pets.md"},
	{4, "Statuten", "/docs/statutes.md"},
	{5, "Minutes of May", "/docs/minutes/2024-05.txt"},
	{6, "Minutes of June", "/docs/minutes/2024-06.txt"},
	{7, "Regolamento del condominio", "/docs/it/regolamento.md"},
}

func TestWholeQuestion(t *testing.T) {
	for question, want := range map[string]struct {
		kind Whole
		doc  int64 // 0: none of the shelf
	}{
		"Summarise the tenancy rules":                           {Overview, 1},
		"Summarize heating-manual.pdf in three sentences.":      {Overview, 2},
		"What is the heating manual about?":                     {Overview, 2},
		"What’s pets.md about?":                                 {Overview, 3},
		"Can you summarise the pets document?":                  {Overview, 3},
		"List all rules of the tenancy rules":                   {List, 1},
		"List all pets that are allowed":                        {List, 0}, // a topic, not the document Pets
		"list every date in 2024-05.txt":                        {List, 5},
		"Give me an overview of the minutes":                    {Overview, 0}, // two
		"Give me an overview of the minutes of June":            {Overview, 6},
		"What is this document about?":                          {Overview, 0}, // which?
		"What is the boiler pressure about?":                    {Overview, 0},
		"Comment on this document":                              {Overview, 0},
		"Riassumi il regolamento del condominio":                {Overview, 7},
		"Di che cosa parla regolamento.md?":                     {Overview, 7},
		"Fasse die Statuten zusammen":                           {Overview, 4},
		"Worum geht es in den Statuten?":                        {Overview, 4},
		"De quoi parle le document tenancy-rules.md ?":          {Overview, 1},
		"Résume le fichier pets.md":                             {Overview, 3},
		"¿De qué trata el archivo heating-manual.pdf?":          {Overview, 2},
		"Enumera todas las reglas de tenancy-rules.md":          {List, 1},
		"How high is the deposit in the tenancy rules?":         {"", 0},
		"What does the summary of the heating manual prescribe": {"", 0},
		"When was the list of members updated?":                 {"", 0},
		"Describe how the boiler is bled":                       {"", 0},
		"Is the heating manual listed?":                         {"", 0},
	} {
		kind, about, ok := WholeQuestion(question)
		if kind != want.kind || ok != (want.kind != "") {
			t.Errorf("%q is %q", question, kind)
			continue
		}
		if d, _ := FindDocument(question, kind, about, shelf, false); d.ID != want.doc {
			t.Errorf("%q names %+v, want %d (about %v)", question, d, want.doc, texts(about))
		}
	}
}

func texts(words []language.Word) []string {
	var out []string
	for _, w := range words {
		out = append(out, w.Lower)
	}
	return out
}

// One document: the only one there is, or the one that the person chose.
func TestFindDocument_TheOnlyOne(t *testing.T) {
	for _, c := range []struct {
		question string
		narrowed bool
		found    bool
	}{
		{"What is this about?", false, true},
		{"Comment on this document", false, true},
		{"Summarise this file briefly", false, true},
		{"Summarise the rules for dogs", false, false}, // may be said nowhere: search
		{"Summarise the rules for dogs", true, true},
		{"List all tenants", false, false},
		{"List all tenants", true, true},
	} {
		kind, about, ok := WholeQuestion(c.question)
		if !ok {
			t.Errorf("%q is no question about a document", c.question)
		}
		if _, found := FindDocument(c.question, kind, about, shelf[1:2], c.narrowed); found != c.found {
			t.Errorf("%q narrowed %v: %v (%v)", c.question, c.narrowed, found, texts(about))
		}
	}
}

func TestWholeLanguage(t *testing.T) {
	for question, want := range map[string]string{"Riassumi garden-rules.md": "it", "Fasse statutes.md zusammen": "de", "Summarise statutes.md": "en",
		"Résume statutes.md": "fr", "¿De qué trata statutes.md?": "es", "How long is it?": ""} {
		if got := WholeLanguage(question); got != want {
			t.Errorf("%q is %q, want %q", question, got, want)
		}
	}
}

// The order of the documents decides nothing.
func TestFindDocument_IsTheSameInAnyOrder(t *testing.T) {
	turned := slices.Clone(shelf)
	slices.Reverse(turned)
	for _, q := range []string{"Summarise the tenancy rules", "Give me an overview of the minutes", "Worum geht es in den Statuten?"} {
		kind, about, _ := WholeQuestion(q)
		a, _ := FindDocument(q, kind, about, shelf, false)
		b, _ := FindDocument(q, kind, about, turned, false)
		if a != b {
			t.Errorf("%q: %+v and %+v", q, a, b)
		}
	}
}

// No question of the sample conversations asks for a whole document.
func TestWholeQuestion_TheSampleConversationsAreSearched(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "conversations", "*.json"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var library []Named
	err = filepath.WalkDir(filepath.Join("..", "..", "testdata", "library"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			stem := strings.TrimSuffix(d.Name(), filepath.Ext(d.Name()))
			library = append(library, Named{ID: int64(len(library) + 1), Title: strings.ReplaceAll(stem, "-", " "), Path: path})
		}
		return err
	})
	if err != nil || len(library) < 10 {
		t.Fatalf("%d documents, %v", len(library), err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			Turns []struct {
				Question, Standalone string
			}
		}
		if err := json.Unmarshal(b, &c); err != nil {
			t.Fatal(err)
		}
		for _, turn := range c.Turns {
			for _, q := range []string{turn.Question, turn.Standalone} {
				kind, about, ok := WholeQuestion(q)
				if d, found := FindDocument(q, kind, about, library, false); ok && found {
					t.Errorf("%q is taken for a question about %s", q, d.Path)
				}
			}
		}
	}
}

// A file's name counts where it stands for itself; one without an extension is
// only a word.
func TestFindDocument_AFileIsNamedAsAWhole(t *testing.T) {
	files := []Named{{1, "", "/d/oil"}, {2, "", "/d/a.md"}, {3, "", "/d/data.md"}, {4, "", "/d/report-2024"}, {5, "", "/d/.env"}, {6, "", `C:\d\plan_b.txt`}}
	for question, want := range map[string]int64{
		"Summarise the boiler":            0,
		"Summarise data.md":               3,
		"Summarise a.md":                  2,
		"Summarise A.MD, please":          2,
		"Summarise a.md.":                 2,
		"Summarise “a.md”":                2,
		"Summarise a.md.bak":              0,
		"Summarise a.md5":                 0,
		"Summarise a.md-old":              0,
		"Summarise x_a.md":                0,
		"Summarise data.md and not xa.md": 3,
		"Summarise xa.md, then a.md":      2,
		"Summarise éa.md":                 0,
		"Summarise d/a.md":                2,
		"Summarise my.env":                0,
		"Summarise .env":                  5,
		"Summarise plan_b.txt":            6,
		"Summarise report 2024":           4,
		"Summarise the oil":               1,
	} {
		kind, about, _ := WholeQuestion(question)
		if d, _ := FindDocument(question, kind, about, files, false); d.ID != want {
			t.Errorf("%q names %+v, want %d", question, d, want)
		}
	}
}
