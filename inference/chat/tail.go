package chat

import (
	"strings"
	"unicode/utf8"
)

// Tail joins characters that a model wrote in several tokens. The zero value
// is ready.
type Tail struct{ held []byte }

// Push takes more bytes and returns whole characters. Bytes that can never
// become a character are replaced by U+FFFD.
func (t *Tail) Push(b []byte) string {
	t.held = append(t.held, b...)
	whole := len(t.held) - incomplete(t.held)
	out := strings.ToValidUTF8(string(t.held[:whole]), "\uFFFD")
	t.held = append(t.held[:0], t.held[whole:]...)
	return out
}

// incomplete is the length of an unfinished character at the end of b.
func incomplete(b []byte) int {
	for back := 1; back <= min(utf8.UTFMax-1, len(b)); back++ {
		c := b[len(b)-back]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-back:]) {
				return back
			}
			return 0
		}
	}
	return 0
}
