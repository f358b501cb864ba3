package chat

import (
	"strings"
	"testing"

	"referent/inference"
)

func TestReply_AnOrphanCloserMarksTheTextBeforeIt(t *testing.T) {
	var shown strings.Builder
	r := NewReply([]string{"\n"}, false, func(p inference.Piece) error { shown.WriteString(p.Text); return nil })
	for _, token := range []string{"let me ", "see</th", "ink>", "Paris", "\nmore"} {
		stopped, err := r.Add([]byte(token))
		if err != nil || stopped != (token == "\nmore") {
			t.Fatalf("%q: %v, %v", token, stopped, err)
		}
	}
	if r.Text() != "let me seeParis" || r.OrphanBytes() != len("let me see") || shown.String() != r.Text() {
		t.Errorf("text %q, %d bytes before the closer, shown %q", r.Text(), r.OrphanBytes(), shown.String())
	}
}

func TestReply_StopsCountOnlyOutsideThinkBlocks(t *testing.T) {
	r := NewReply([]string{"\n"}, true, nil)
	for _, token := range []string{"one\ntwo\n", "</think>", "\n\n", "three", "\n"} {
		stopped, _ := r.Add([]byte(token))
		if stopped != (token == "\n") {
			t.Fatalf("%q: %v", token, stopped)
		}
	}
	if r.Text() != "three" || r.Reasoning() != "one\ntwo\n" {
		t.Errorf("%q, %q", r.Text(), r.Reasoning())
	}
}
