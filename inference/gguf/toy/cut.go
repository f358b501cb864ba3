package toy

import (
	"fmt"
	"slices"
	"strings"
)

// Cut cuts text into different pieces that join to it again: words with the
// white space in front of them. A word that was there before is joined to the
// next one.
func Cut(text string) ([]string, error) {
	var pieces []string
	piece := ""
	for _, word := range words(text) {
		piece += word
		if slices.Contains(pieces, piece) {
			continue
		}
		pieces = append(pieces, piece)
		piece = ""
	}
	// What is left over repeats an earlier piece: take back pieces until the
	// sum is new.
	for piece != "" {
		if len(pieces) == 0 {
			return nil, fmt.Errorf("toy: %q cannot be cut into different pieces", text)
		}
		piece = pieces[len(pieces)-1] + piece
		pieces = pieces[:len(pieces)-1]
		if !slices.Contains(pieces, piece) {
			pieces = append(pieces, piece)
			piece = ""
		}
	}
	return pieces, nil
}

// words splits before each run of white space.
func words(text string) []string {
	var out []string
	at := 0
	inWord := false
	for i, r := range text {
		space := strings.ContainsRune(" \n\t", r)
		if space && inWord {
			out = append(out, text[at:i])
			at = i
		}
		inWord = !space
	}
	if at < len(text) {
		out = append(out, text[at:])
	}
	return out
}

// SingleBytes returns one piece for each byte of text, so that a model emits
// its characters in parts.
func SingleBytes(text string) []string {
	var out []string
	for _, b := range []byte(text) {
		out = append(out, fmt.Sprintf("<0x%02X>", b))
	}
	return out
}
