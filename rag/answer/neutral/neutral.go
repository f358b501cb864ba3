package neutral

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	// Control tokens of the common templates: <|im_start|>, <|eot_id|>, <s>,
	// </s>, <<SYS>>, [INST], <start_of_turn>, and tags that a program reads.
	pipes    = regexp.MustCompile(`<\|([^<>|\n]{0,40})\|>`)
	wide     = regexp.MustCompile(`<｜([^<>｜\n]{0,40})｜>`)
	tags     = regexp.MustCompile(`(?i)<(/?)(s|bos|eos|pad|unk|think|thinking|reasoning|tool_call|tool_response|tools|start_of_turn|end_of_turn|system|user|assistant|passage|passages|conversation|question)\s*(/?)>`)
	sys      = regexp.MustCompile(`(?i)<<\s*(/?)SYS\s*>>`)
	inst     = regexp.MustCompile(`(?i)\[(/?)(INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]`)
	role     = regexp.MustCompile(`(?im)^([ \t>*#-]*)(system|user|assistant|human|ai|person|developer|tool|question|answer|passages?|conversation|instructions?|follow-up|standalone question)([ \t]*)[:：]`)
	hashRole = regexp.MustCompile(`(?im)^#{2,}[ \t]*(system|user|assistant|instructions?|response|input)\b[ \t]*:?`)
	marker   = regexp.MustCompile(`(^|[^\pL\d_\]])\[(\d{1,3}(?:\s*[,–-]\s*\d{1,3})*)\]`)
)

// Text neutralises a passage of a document or an old message. Line breaks stay.
// It is idempotent.
func Text(s string) string {
	if !suspicious(s) {
		return s
	}
	s = pipes.ReplaceAllString(s, "‹$1›")
	s = wide.ReplaceAllString(s, "‹$1›")
	s = tags.ReplaceAllString(s, "‹$1$2$3›")
	s = sys.ReplaceAllString(s, "‹${1}SYS›")
	s = inst.ReplaceAllString(s, "($1$2)")
	s = hashRole.ReplaceAllString(s, "$1 –")
	s = role.ReplaceAllString(s, "$1$2$3 –")
	s = marker.ReplaceAllString(s, "$1($2)")
	s = marker.ReplaceAllString(s, "$1($2)") // neighbours share a border sign
	for _, pair := range [][2]string{{"{{", "{ {"}, {"}}", "} }"}, {"{%", "{ %"}, {"%}", "% }"}, {"{#", "{ #"}, {"#}", "# }"}} {
		for strings.Contains(s, pair[0]) {
			s = strings.ReplaceAll(s, pair[0], pair[1])
		}
	}
	return strings.ReplaceAll(s, "\x00", "")
}

// Line neutralises an old message and puts it on one line.
func Line(s string) string {
	return strings.Join(strings.Fields(Text(s)), " ")
}

// Clip cuts a line at a space before max code points and adds "…" where text
// was lost.
func Clip(s string, max int) string {
	if utf8.RuneCountInString(s) <= max {
		return s
	}
	cut := string([]rune(s)[:max])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

// suspicious is a cheap test that most texts do not pass.
func suspicious(s string) bool {
	return strings.ContainsAny(s, "<[{}\x00") || strings.ContainsAny(s, ":：") && role.MatchString(s) || strings.Contains(s, "##") ||
		strings.Contains(s, "%}") || strings.Contains(s, "#}")
}
