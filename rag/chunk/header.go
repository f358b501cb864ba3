package chunk

import "strings"

// headerOf joins title and heading path, each text once. A path that is too
// long loses its middle, since the outermost and the nearest say most.
func headerOf(title string, heading []string) string {
	parts := make([]string, 0, len(heading)+1)
	if title != "" {
		parts = append(parts, title)
	}
	for i, h := range heading {
		if h != "" && !(i == 0 && h == title) {
			parts = append(parts, h)
		}
	}
	header := strings.Join(parts, " > ")
	for len(parts) > 2 && EstimateTokens(header) > headerTokens {
		parts = append(parts[:1], parts[2:]...)
		header = strings.Join(parts, " > ")
	}
	if EstimateTokens(header) > headerTokens {
		header = strings.TrimSpace(shorten(header, headerTokens)[0].text)
	}
	return header
}

// common is the path that two paths share.
func common(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n:n]
}
