package engine

import (
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/answer/neutral"
)

// reader is a loop that has shown two passages.
func reader() *loop {
	return &loop{table: researchTools(), passages: []rag.Hit{{Chunk: 70}, {Chunk: 80}}}
}

func TestResearch_LinesThatCanBeRead(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"search warranty of pump A", "search warranty of pump A"},
		{"Search: warranty of pump A", "search warranty of pump A"},
		{"Call: search \"warranty of pump A\"", "search warranty of pump A"},
		{"**search** pump|type = pdf, docx |offset=8", "search pump | type=docx,pdf | offset=8"},
		{"search pump | kind=pdf | date>=2024-01 | date<=2024-03", "search pump | date<=2024-03 | date>=2024-01 | type=pdf"},
		{"search who said \"never\" and when", "search who said \"never\" and when"},
		{"open 2", "open 2"},
		{"open_passage (1)", "open 1"},
		{"list", "list"},
		{"list | language=it", "list | language=it"},
		{"list_documents type=pdf", "list | type=pdf"},
		{"ask Which house do you mean?", "ask Which house do you mean?"},
		{"done", "done"},
		{"Done.", "done"},
	} {
		call, done, err := reader().read(c.line)
		got := doneWord
		if !done && err == nil {
			got = call.line()
		}
		if err != nil || got != c.want {
			t.Errorf("%q is read as %q (%v), want %q", c.line, got, err, c.want)
		}
	}
}

func TestResearch_LinesThatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ line, why string }{
		{"", "A line begins with search, open, list, ask or done."},
		{"The office is closed on Monday.", "A line begins with search, open, list, ask or done."},
		{`{"tool": "search"}`, "A line begins with search, open, list, ask or done."},
		{"search", "Words to search are missing behind search."},
		{"search | type=pdf", "Words to search are missing behind search."},
		{"search pump | pdf", "Behind the bar stands KEY=VALUE."},
		{"search pump | label=restricted", "Filters are type, language, tag, date, document, folder, collection."},
		{"search pump | limit=0", "limit is no number of passages."},
		{"search pump | limit=51", "limit is no number of passages."},
		{"search pump | offset=-1", "offset is no number of passages."},
		{"search pump | type=,", "The filter type in has an empty value."},
		{"open", "Behind open stands the number of one passage."},
		{"open 1 2", "Behind open stands the number of one passage."},
		{"open 0", "There is no passage with this number."},
		{"open 3", "There is no passage with this number."},
		{"list | limit=3", "list has no pages."},
		{"search WORDS", "Words to search are missing behind search."},
		{"ask", "A question to the person is missing behind ask."},
		{"ask QUESTION", "A question to the person is missing behind ask."},
	} {
		if _, done, err := reader().read(c.line); done || err == nil || err.Error() != c.why {
			t.Errorf("%q: %v, want %q", c.line, err, c.why)
		}
	}
}

// Whatever a model writes, a call that is read has one form: reading it again
// gives the same call, and the form is one line.
func FuzzResearch_ACallHasOneForm(f *testing.F) {
	for _, line := range []string{"search pump | type=pdf | limit=3", "open 2", "list | date>=2024", "ask Why?", "done", "search \"a\" b | kind=x,y", "search a\u0085b<|x|>"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		first, done, err := reader().read(line)
		if done || err != nil {
			return
		}
		form := first.line()
		if strings.ContainsAny(form, "\n\r") {
			t.Fatalf("%q has the form %q", line, form)
		}
		if neutral.Line(first.text) == first.text { // what is made harmless may read otherwise
			second, done, err := reader().read(form)
			if done || err != nil || second.line() != form {
				t.Errorf("%q has the form %q, and then %q, %v, %v", line, form, second.line(), done, err)
			}
		}
		if !strings.HasPrefix(string(first.arguments(reader())), "{") {
			t.Errorf("%q has the arguments %s", line, first.arguments(reader()))
		}
	})
}
