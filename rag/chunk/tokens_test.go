package chunk

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestEstimateAgainstTheStarterEmbedder compares with counts that the starter
// embedder's own vocabulary gives (testdata/tokens.jsonl, made by an
// independent Viterbi segmentation of the same texts).
func TestEstimateAgainstTheStarterEmbedder(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "tokens.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var c struct {
			Kind, Text string
			Tokens     int
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		got := EstimateTokens(c.Text)
		if real := float64(c.Tokens) / float64(got); real > 1.053 || real < 0.6 { // 300 real of 285 estimated
			t.Errorf("%s: estimate %d for %d real tokens: %.50q", c.Kind, got, c.Tokens, c.Text)
		}
	}
	if n < 20 {
		t.Errorf("%d texts, want 20 or more", n)
	}
}

func TestEstimateTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"   \n", 0},
		{"a", 2},            // 1.08
		{"the cat sat", 4},  // 3.24
		{"heating", 2},      // 1.08 and three letters more
		{"合作社", 3},          // 2.52
		{"----------", 4},   // one sign and nine repeats
		{"22:00 22:00 ", 9}, // four numbers of 2*0.56+0.45 and two colons of 0.95
	} {
		if got := EstimateTokens(c.text); got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
}
