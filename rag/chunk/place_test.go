package chunk

import (
	"strings"
	"testing"

	"referent/rag"
)

func onSlide(n int, b rag.Block) rag.Block {
	b.Locator = rag.Locator{Slide: n}
	return b
}

func TestOneSlideIsOnePiece(t *testing.T) {
	note := rag.Block{Kind: rag.BlockNote, Text: "Say hello to the cats."}
	table := rag.Block{Kind: rag.BlockTable, Text: "cat | weight\n" + strings.Repeat("Tom | 4 kg\n", 8) + "Ada | 3 kg", TableHeader: "cat | weight", Heading: []string{"Cats"}}
	chunks, parents := Split(build("Talk", "metadata",
		onSlide(1, heading(1, "Aims")), onSlide(1, words(6, "Aims")),
		onSlide(2, words(6)), // no title, and a crumb
		onSlide(3, heading(1, "Cats")), onSlide(3, words(99, "Cats")), onSlide(3, table), onSlide(3, words(45, "Cats")),
		onSlide(4, heading(1, "Only a title")),
		onSlide(1, note), onSlide(3, note)), "a.pptx")
	want := []struct {
		slide   int
		header  string
		low     bool
		begins  string
		endsNot string
	}{
		{1, "Talk > Aims", false, "The cat sat.", "Tom"}, {2, "Talk", false, "The cat sat.", "Aims"}, {3, "Talk > Cats", false, "The cat sat.", "Say"},
		{4, "Talk > Only a title", false, "Only a title", "cat"}, {1, "Talk", true, "Say hello", "Tom"}, {3, "Talk", true, "Say hello", "Tom"},
	}
	if len(chunks) != len(want) {
		t.Fatalf("%d chunks: %q", len(chunks), texts(chunks))
	}
	for i, w := range want {
		c := chunks[i]
		if c.Locator.Slide != w.slide || c.Header != w.header || c.LowRank != w.low || !strings.HasPrefix(c.Text, w.begins) || strings.Contains(c.Text, w.endsNot) {
			t.Errorf("chunk %d: slide %d, header %q, low %v: %q", i, c.Locator.Slide, c.Header, c.LowRank, c.Text)
		}
		if p := parents[c.Parent]; p.Locator.Slide != w.slide {
			t.Errorf("chunk %d of slide %d has a parent on slide %d", i, w.slide, p.Locator.Slide)
		}
	}
	if c := chunks[2]; !strings.Contains(c.Text, "Ada | 3 kg") || c.Tokens < minTokens {
		t.Errorf("a slide that fits was cut: %q", c.Text)
	}
}

func TestALongSlideIsCut(t *testing.T) {
	chunks, parents := Split(build("", "", onSlide(7, heading(1, "Long")), onSlide(7, words(240, "Long")), onSlide(7, words(240, "Long"))), "a.pptx")
	if len(chunks) < 2 || len(parents) != 1 {
		t.Fatalf("%d chunks in %d parents", len(chunks), len(parents))
	}
	for _, c := range chunks {
		if c.Locator.Slide != 7 || c.Tokens > maxTokens {
			t.Errorf("slide %d, %d tokens", c.Locator.Slide, c.Tokens)
		}
	}
}

func TestSheetsRepeatTheirHeaderAndKnowTheirRows(t *testing.T) {
	block := func(sheet, cells, text string) rag.Block {
		return rag.Block{Kind: rag.BlockTable, Text: text, TableHeader: "name | price", Heading: []string{sheet}, Locator: rag.Locator{Sheet: sheet, Cell: cells}}
	}
	rows := func(n int) string { return strings.TrimSuffix(strings.Repeat("key copy, brass | 4.00\n", n), "\n") }
	sheet := func(name string) rag.Block {
		h := heading(1, name)
		h.Locator = rag.Locator{Sheet: name}
		return h
	}
	chunks, _ := Split(build("", "", sheet("Keys"), block("Keys", "A3:B42", "name | price\n"+rows(39)), block("Keys", "A43:B45", rows(3)), block("Keys", "A46:C47", rows(2)),
		sheet("Locks"), block("Locks", "A1:B2", "name | price\n"+rows(1))), "a.xlsx")
	next := 3
	for _, c := range chunks {
		if !strings.HasPrefix(c.Text, "name | price\n") || strings.Count(c.Text, "name | price") != 1 {
			t.Errorf("the header does not stand once at the beginning: %q", c.Text)
		}
		if c.Locator.Sheet == "Locks" {
			continue
		}
		from, to := cellRange(c.Locator.Cell)
		if from.row != next || from.column != 1 {
			t.Errorf("piece at %s, want it to begin in row %d", c.Locator.Cell, next)
		}
		next = to.row + 1
	}
	if next != 48 {
		t.Errorf("the pieces end in row %d, want 47", next-1)
	}
	if last := chunks[len(chunks)-1].Locator; last.Sheet != "Locks" || last.Cell != "A1:B2" {
		t.Errorf("the last piece is at %v", last)
	}
}

func TestCellRangesMerge(t *testing.T) {
	for _, c := range [][3]string{
		{"A1:C4", "A5:D6", "A1:D6"}, {"B2", "A3", "A2:B3"}, {"Z9", "AA10:AB11", "Z9:AB11"}, {"A1", "A1", "A1"}, {"A1", "", ""}, {"x", "A1", ""}, {"ZZ1:AAA1", "A2", "A1:AAA2"},
	} {
		if got := mergeCells(c[0], c[1]); got != c[2] {
			t.Errorf("%s and %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
