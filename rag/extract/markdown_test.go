package extract

import (
	"strings"
	"testing"
	"time"

	"referent/rag"
)

func TestMarkdownBlocksAndLines(t *testing.T) {
	ex := readBytes(t, "a.md", []byte(`---
title: "House rules"
lang: en
---

# Rules

Quiet hours *begin* at
22:00, see [the plan](http://example.com/x).

1. First
2. Second
   - nested

`+"```go\nfunc main() {}\n```"+`

| Body | Members |
| --- | --- |
| Board | 2 |

A note[^1] and &amp; \*stars\*.

[^1]: The small print.
`))
	expectStatus(t, ex, rag.FileIndexed)
	if ex.Title != "House rules" || ex.TitleSource != "metadata" || ex.Kind != "markdown" || ex.Language != "en" {
		t.Errorf("title %q from %s, kind %s, language %s", ex.Title, ex.TitleSource, ex.Kind, ex.Language)
	}
	want := `heading: Rules
paragraph: Quiet hours begin at 22:00, see the plan.
list_item: 1. First
list_item: 2. Second
list_item: - nested
code: func main() {}
table: Body | Members\nBoard | 2
paragraph: A note and & *stars*.
note: The small print.
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for i, lines := range [][2]int{{6, 6}, {8, 9}, {11, 11}, {12, 12}, {13, 13}, {16, 16}, {19, 21}, {23, 23}, {25, 25}} {
		if l := ex.Blocks[i].Locator; l.LineFrom != lines[0] || l.LineTo != lines[1] {
			t.Errorf("block %d (%s): lines %d to %d, want %v", i, ex.Blocks[i].Kind, l.LineFrom, l.LineTo, lines)
		}
	}
	if h := ex.Blocks[6].TableHeader; h != "Body | Members" {
		t.Errorf("table header %q", h)
	}
	if h := ex.Blocks[2].Heading; len(h) != 1 || h[0] != "Rules" {
		t.Errorf("heading path %v", h)
	}
}

func TestMarkdownTitles(t *testing.T) {
	for _, c := range []struct{ name, text, title, source string }{
		{"some_file.md", "Just text.", "some file", "file_name"},
		{"x.md", "text\n\n## A heading\n", "A heading", "heading"},
		{"x.md", "+++\ntitle = 'In TOML'\n+++\nText\n", "In TOML", "metadata"},
		{"x.md", "---\n\nA rule above, no front matter\n\n---\n\ntext", "x", "file_name"},
	} {
		ex := readBytes(t, c.name, []byte(c.text))
		if ex.Title != c.title || ex.TitleSource != c.source {
			t.Errorf("%q: %q from %s, want %q from %s", c.text, ex.Title, ex.TitleSource, c.title, c.source)
		}
	}
}

func TestHeadingPathFollowsLevels(t *testing.T) {
	ex := readBytes(t, "a.md", []byte("# A\n\n### B\n\nb\n\n## C\n\nc\n\n# D\n\nd\n"))
	var got []string
	for _, b := range ex.Blocks {
		if b.Kind == rag.BlockParagraph {
			got = append(got, b.Text+": "+strings.Join(b.Heading, "/"))
		}
	}
	if want := "b: A/B c: A/C d: D"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestMarkdownBombs: nesting must not keep the parser busy.
func TestMarkdownBombs(t *testing.T) {
	for name, text := range map[string]string{
		"quotes":   strings.Repeat(">", 70_000) + " deep",
		"brackets": strings.Repeat("[", 140_000) + " deep",
		"stars":    strings.Repeat("*a ", 40_000) + " deep",
		"lists":    strings.Repeat("- ", 70_000) + " deep",
	} {
		start := time.Now()
		ex := readBytes(t, "a.md", []byte(text))
		expectStatus(t, ex, rag.FileIndexed)
		expectText(t, ex, "deep")
		t.Logf("%s: %v", name, time.Since(start))
	}
}
