package fake

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"referent/inference"
)

var (
	evidence  = regexp.MustCompile(`(?m)^[ \t>*-]*\[1\]`)
	nextMark  = regexp.MustCompile(`(?m)^[ \t>*-]*\[\d+\]|\n\s*\n`)
	label     = regexp.MustCompile(`^[\p{L}][\p{L} _-]{0,30}:\s*`)
	sentence  = regexp.MustCompile(`(?s)^.*?[.!?。！？](?:\s|$)`)
	pronouns  = words(`it its they them their this that these those he she him her his one esso essa essi esse lo la li le lui lei questo questa er sie es ihn ihr ihm sein diese dieser dieses`)
	quoteTrim = "\"'“”«» \t\r\n"
)

// Default answers a request that nothing scripted: see the rules in doc.go.
func Default(req inference.GenerateRequest) string {
	last := req.Completion
	if len(req.Messages) > 0 {
		last = req.Messages[len(req.Messages)-1].Text
	}
	if req.Priority == inference.PriorityCondense {
		return rewrite(last)
	}
	if len(req.Messages) > 0 && strings.Contains(req.Messages[0].Text, "\ndone - ") { // research: what was found is enough
		return "done"
	}
	if s := firstEvidence(last); s != "" {
		return s + " [1]"
	}
	return "I read: " + clip(strings.Join(strings.Fields(last), " "), 120)
}

// firstEvidence returns the first sentence of the passage marked [1], the last
// such passage when examples come before it. Heading lines, which end in no
// sentence mark and are not continued in lower case, are passed over.
func firstEvidence(prompt string) string {
	at := evidence.FindAllStringIndex(prompt, -1)
	if at == nil {
		return ""
	}
	passage := prompt[at[len(at)-1][1]:]
	if next := nextMark.FindStringIndex(passage); next != nil && strings.TrimSpace(passage[:next[0]]) != "" {
		passage = passage[:next[0]]
	}
	lines := strings.Split(strings.TrimSpace(passage), "\n")
	for len(lines) > 1 && !sentence.MatchString(lines[0]) && !unicode.IsLower(firstRune(lines[1])) {
		lines = lines[1:]
	}
	text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	if s := sentence.FindString(text); s != "" {
		text = strings.TrimSpace(s)
	}
	return text
}

func firstRune(line string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimSpace(line))
	return r
}

// rewrite makes a follow-up stand alone: the first pronoun of the last question
// gives way to the subject of the question before it; without a pronoun the
// subject is appended. The subject is the longest run of content words. Every
// word of the result occurs in the prompt.
func rewrite(prompt string) string {
	var lines []string
	for line := range strings.Lines(prompt) {
		line = strings.Trim(label.ReplaceAllString(strings.TrimSpace(line), ""), quoteTrim)
		if line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	question := len(lines) - 1
	for i := question; i >= 0; i-- {
		if strings.HasSuffix(lines[i], "?") {
			question = i
			break
		}
	}
	var subject string
	for i := question - 1; i >= 0 && subject == ""; i-- {
		if strings.HasSuffix(lines[i], "?") {
			subject = longestRun(lines[i])
		}
	}
	if subject == "" {
		return lines[question]
	}
	fields := strings.Fields(lines[question])
	for i, f := range fields {
		word := strings.TrimRight(f, ",.;:?!")
		if pronouns[strings.ToLower(word)] {
			fields[i] = subject + f[len(word):]
			return strings.Join(fields, " ")
		}
	}
	return strings.TrimRight(strings.Join(fields, " "), "?") + " " + subject + "?"
}

// longestRun returns the longest row of neighbouring content words, the last of
// several.
func longestRun(line string) string {
	var best, run []string
	for _, field := range append(strings.Fields(line), "") {
		word := strings.Trim(field, ",.;:?!()\"“”")
		lower := strings.ToLower(word)
		content := word != "" && !stopWords[lower] && !pronouns[lower]
		if content {
			run = append(run, word)
		}
		if content && strings.HasSuffix(field, word) {
			continue
		}
		if len(run) > 0 && len(run) >= len(best) {
			best = run
		}
		run = nil
	}
	return strings.Join(best, " ")
}

// clip cuts a text after n code points.
func clip(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n])
	}
	return text
}
