package chunk_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/chunk"
	"referent/rag/extract"
)

var update = flag.Bool("update", false, "write the snapshots anew")

// TestSnapshots compares the chunks of the sample documents with what is kept
// beside them. A difference is a decision: look at it, then run with -update.
func TestSnapshots(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "snapshots", "chunk")
	for _, name := range []string{"statutes.md", "prices.csv", "long.txt", "zh.md"} {
		t.Run(name, func(t *testing.T) {
			ex, err := extract.File(context.Background(), filepath.Join(dir, name), extract.Options{})
			if err != nil {
				t.Fatal(err)
			}
			chunks, parents := chunk.Split(ex, name)
			checkChunks(t, ex, chunks, parents)
			got := render(chunks, parents)
			file := filepath.Join(dir, name+".chunks")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the chunks of %s have changed:\n%s", name, got)
			}
		})
	}
}

func render(chunks []rag.Chunk, parents []rag.Parent) string {
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "=== chunk %d, parent %d, %d tokens, at %d+%d, %s\n", c.Ordinal, c.Parent, c.Tokens, c.Offset, c.Length, c.Locator)
		fmt.Fprintf(&b, "--- %s\n%s\n", c.Header, c.Text)
	}
	for _, p := range parents {
		fmt.Fprintf(&b, "=== parent %d, %d tokens, at %d+%d, %s\n", p.Ordinal, p.Tokens, p.Offset, p.Length, p.Locator)
	}
	return b.String()
}

// checkChunks holds chunks to what every extraction promises.
func checkChunks(t *testing.T, ex rag.Extraction, chunks []rag.Chunk, parents []rag.Parent) {
	t.Helper()
	text := []rune(ex.Text)
	for i, c := range chunks {
		if c.Ordinal != i {
			t.Errorf("chunk %d has ordinal %d", i, c.Ordinal)
		}
		span := string(text[c.Offset : c.Offset+c.Length])
		if c.Text != span && !strings.HasSuffix(c.Text, "\n"+span) {
			t.Errorf("chunk %d is not the text at its offset:\n%s\n---\n%s", i, c.Text, span)
		}
		if c.Tokens > 300 || c.Tokens != chunk.EstimateTokens(c.Header)+chunk.EstimateTokens(c.Text) {
			t.Errorf("chunk %d counts %d tokens", i, c.Tokens)
		}
		if c.Parent < 0 || c.Parent >= len(parents) {
			t.Fatalf("chunk %d has no parent", i)
		}
		p := parents[c.Parent]
		if c.Offset < p.Offset || c.Offset+c.Length > p.Offset+p.Length {
			t.Errorf("chunk %d lies outside of parent %d", i, c.Parent)
		}
	}
	for i, p := range parents {
		if p.Ordinal != i || p.Tokens > 1200 || p.Text != string(text[p.Offset:p.Offset+p.Length]) {
			t.Errorf("parent %d: ordinal %d, %d tokens, or not the text at its offset", i, p.Ordinal, p.Tokens)
		}
	}
}
