package extract

import (
	"html"
	"strconv"
	"strings"
)

// unescape undoes backslash escapes and entities, which the Markdown syntax
// tree keeps as written.
func unescape(s string) string {
	if strings.ContainsRune(s, '\\') {
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
				i++
			}
			b.WriteByte(s[i])
		}
		s = b.String()
	}
	if strings.ContainsRune(s, '&') {
		s = html.UnescapeString(s)
	}
	return s
}

func itoa(n int) string { return strconv.Itoa(n) }
