package chunk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"referent/rag"
)

// build makes an extraction of blocks, as a reader would.
func build(title, source string, blocks ...rag.Block) rag.Extraction {
	var text strings.Builder
	for i := range blocks {
		if i > 0 {
			text.WriteString("\n\n")
		}
		blocks[i].Offset = utf8.RuneCountInString(text.String())
		text.WriteString(blocks[i].Text)
	}
	return rag.Extraction{Title: title, TitleSource: source, Text: text.String(), Blocks: blocks}
}

func heading(level int, text string, path ...string) rag.Block {
	return rag.Block{Kind: rag.BlockHeading, Level: level, Text: text, Heading: path}
}

func words(n int, path ...string) rag.Block {
	return rag.Block{Kind: rag.BlockParagraph, Text: strings.Repeat("The cat sat. ", n/3), Heading: path}
}

func texts(chunks []rag.Chunk) []string {
	var out []string
	for _, c := range chunks {
		out = append(out, c.Text)
	}
	return out
}

func TestChunksNeverCrossAHeadingOfLevelTwo(t *testing.T) {
	chunks, parents := Split(build("T", "metadata",
		heading(1, "A"), heading(2, "B", "A"), words(30, "A", "B"), heading(3, "C", "A", "B"), words(30, "A", "B", "C"),
		heading(2, "D", "A"), words(30, "A", "D")), "x.md")
	if len(chunks) != 2 || len(parents) != 2 {
		t.Fatalf("%d chunks and %d parents, want 2 and 2: %q", len(chunks), len(parents), texts(chunks))
	}
	if c := chunks[0]; c.Header != "T > A > B" || !strings.HasPrefix(c.Text, "The cat") || !strings.Contains(c.Text, "\n\nC\n\n") {
		t.Errorf("header %q, text %q", c.Header, c.Text)
	}
	if c := chunks[1]; c.Header != "T > A > D" || c.Parent != 1 {
		t.Errorf("header %q, parent %d", c.Header, c.Parent)
	}
}

func TestATitleFromAFileNameIsNotEmbedded(t *testing.T) {
	a, _ := Split(build("a file", "file_name", words(30)), "one.md")
	b, _ := Split(build("renamed", "file_name", words(30)), "two.md")
	if a[0].Header != "" || a[0].ContentHash != b[0].ContentHash {
		t.Errorf("header %q; a rename changed the hash", a[0].Header)
	}
	c, _ := Split(build("Rules", "heading", words(30)), "one.md")
	if c[0].Header != "Rules" || c[0].ContentHash == a[0].ContentHash {
		t.Errorf("header %q; a title must change the hash", c[0].Header)
	}
	if len(a[0].ContentHash) != 32 {
		t.Errorf("hash %q", a[0].ContentHash)
	}
}

func TestCrumbsJoinANeighbour(t *testing.T) {
	chunks, _ := Split(build("", "", words(150), words(6), words(150)), "x.md")
	for _, c := range chunks {
		if c.Tokens < crumbTokens {
			t.Errorf("a crumb of %d tokens: %q", c.Tokens, c.Text)
		}
	}
}

func TestOverlapOnlyWhereABlockWasCut(t *testing.T) {
	long, _ := Split(build("", "", words(600)), "x.md")
	for i := 1; i < len(long); i++ {
		before, here := long[i-1], long[i]
		if over := before.Offset + before.Length - here.Offset; over < 12 || over > 13 { // "The cat sat." and perhaps its blank
			t.Errorf("overlap of %d characters, want one sentence", over)
		}
	}
	blocks := []rag.Block{}
	for range 6 {
		blocks = append(blocks, words(150))
	}
	whole, _ := Split(build("", "", blocks...), "x.md")
	for i := 1; i < len(whole); i++ {
		if whole[i].Offset < whole[i-1].Offset+whole[i-1].Length {
			t.Error("whole blocks overlap")
		}
	}
}

func TestTablesRepeatTheirHeader(t *testing.T) {
	rows := "name | price\n" + strings.Repeat("key copy | 4.00\n", 60)
	table := rag.Block{Kind: rag.BlockTable, Text: strings.TrimSuffix(rows, "\n"), TableHeader: "name | price", Locator: rag.Locator{LineFrom: 1, LineTo: 61}}
	chunks, _ := Split(build("", "", words(60), table, words(60)), "x.md")
	seen, line := 0, 1
	for _, c := range chunks {
		if !strings.Contains(c.Text, "key copy") {
			continue
		}
		seen++
		if !strings.HasPrefix(c.Text, "name | price\n") || strings.Contains(c.Text, "cat") {
			t.Errorf("piece %q", c.Text)
		}
		if c.Locator.LineFrom != line {
			t.Errorf("piece from line %d, want %d", c.Locator.LineFrom, line)
		}
		line = c.Locator.LineTo + 1
	}
	if seen < 2 || line != 62 {
		t.Errorf("%d pieces up to line %d", seen, line-1)
	}
}

func TestPagesMergeAndPageHeadersStayOut(t *testing.T) {
	at := func(page int, b rag.Block) rag.Block {
		b.Locator = rag.Locator{Page: page, Rects: []rag.Rect{{X: 1, Y: float64(page), Width: 9, Height: 9}}}
		return b
	}
	head := rag.Block{Kind: rag.BlockHeaderFooter, Text: "Running head"}
	chunks, _ := Split(build("", "", at(3, words(60)), at(4, words(60)), head), "x.pdf")
	if len(chunks) != 1 || strings.Contains(chunks[0].Text, "Running") {
		t.Fatalf("chunks %q", texts(chunks))
	}
	if l := chunks[0].Locator; l.Page != 3 || l.PageTo != 4 || len(l.Rects) != 1 {
		t.Errorf("locator %v", l)
	}
	var blocks []rag.Block
	for page := 1; page <= 10; page++ {
		blocks = append(blocks, at(page, words(210)))
	}
	_, parents := Split(build("", "", blocks...), "x.pdf")
	if len(parents) != 10 || parents[4].Locator.Page != 5 {
		t.Errorf("%d parents of ten full pages", len(parents))
	}
}

func TestNotesAreLowRankAndApart(t *testing.T) {
	chunks, _ := Split(build("", "", words(60), rag.Block{Kind: rag.BlockNote, Text: "Small print about cats."}), "x.docx")
	if len(chunks) != 2 || chunks[0].LowRank || !chunks[1].LowRank {
		t.Errorf("chunks %+v", chunks)
	}
}

func TestR077_ALineWithoutSpacesIsCutBetweenCharacters(t *testing.T) {
	line := strings.Repeat("x7Qpé", 4000)
	chunks, _ := Split(build("", "", rag.Block{Kind: rag.BlockParagraph, Text: line}), "x.txt")
	var joined strings.Builder
	for _, c := range chunks {
		if c.Tokens > 300 {
			t.Errorf("%d tokens", c.Tokens)
		}
		joined.WriteString(c.Text)
	}
	if joined.String() != line {
		t.Error("characters were lost")
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("a b. c\n\nd", "h | i\n1 | 2", 2)
	f.Fuzz(func(t *testing.T, a, b string, level int) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) || a == "" || b == "" {
			return
		}
		ex := build("T", "metadata", heading(1+(level&3), "H"), rag.Block{Kind: rag.BlockParagraph, Text: a}, rag.Block{Kind: rag.BlockTable, Text: b, TableHeader: "h"}, rag.Block{Kind: rag.BlockCode, Text: a})
		chunks, parents := Split(ex, "x")
		text := []rune(ex.Text)
		for _, c := range chunks {
			span := string(text[c.Offset : c.Offset+c.Length])
			if !strings.HasSuffix(c.Text, span) || c.Parent >= len(parents) {
				t.Errorf("chunk %q is not %q", c.Text, span)
			}
		}
	})
}
