package engine

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"referent/rag"
)

var (
	thinkPair   = regexp.MustCompile(`(?is)<(think|thinking|reasoning)>.*?</(think|thinking|reasoning)>`)
	thinkOpen   = regexp.MustCompile(`(?i)<(think|thinking|reasoning)>`)
	thinkClose  = regexp.MustCompile(`(?i)</(think|thinking|reasoning)>`)
	labelEcho   = regexp.MustCompile(`(?i)^[\s*#>_-]*(standalone (question|query)|rewritten (question|query)|question|query|search query)[\s*_]*:[\s*_]*`)
	fence       = regexp.MustCompile("(?s)^```[a-zA-Z]*\\s*\n?(.*?)(?:```\\s*)?$")
	quotedWhole = [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"'", "'"}, {"‘", "’"}, {"`", "`"}}
)

// stripThinking removes think blocks: balanced ones, all after an opener that is
// never closed, all before a closer that was never opened. open tells whether
// the text ends inside a block. White space before the text is dropped too.
func stripThinking(s string) (text string, open bool) {
	s = thinkPair.ReplaceAllString(s, "")
	if at := thinkClose.FindAllStringIndex(s, -1); at != nil {
		s = s[at[len(at)-1][1]:]
	}
	if at := thinkOpen.FindStringIndex(s); at != nil {
		s, open = s[:at[0]], true
	}
	return strings.TrimLeftFunc(s, unicode.IsSpace), open
}

// clean turns what a model wrote into a search text. The JSON form with the one
// field standalone_query is accepted too. A text that cannot be used gives a
// reason and a sentence.
func clean(raw, question string) (string, rag.Reason, string) {
	text, open := stripThinking(raw)
	text = strings.TrimSpace(text)
	if text == "" && open {
		return "", rag.ReasonEmptyQuery, "The model only thought and wrote nothing."
	}
	body := text
	if m := fence.FindStringSubmatch(body); m != nil {
		body = strings.TrimSpace(m[1])
	}
	if strings.HasPrefix(body, "{") {
		var reason rag.Reason
		var detail string
		if text, reason, detail = fromJSON(body); reason != "" {
			return "", reason, detail
		}
	} else {
		text = body
	}
	for labelEcho.MatchString(text) && !labelEcho.MatchString(question) {
		text = labelEcho.ReplaceAllString(text, "")
	}
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(unquote(text, question))
	if text == "" {
		return "", rag.ReasonEmptyQuery, "The model wrote nothing."
	}
	return text, "", ""
}

func fromJSON(body string) (string, rag.Reason, string) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		return "", rag.ReasonBadBody, "The model wrote something that cannot be read."
	}
	value, ok := fields["standalone_query"]
	if !ok {
		return "", rag.ReasonMissingField, "The model's reply has no field “standalone_query”."
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return "", rag.ReasonBadBody, "The model's field “standalone_query” is not a text."
	}
	if text = strings.TrimSpace(text); text == "" {
		return "", rag.ReasonEmptyQuery, "The model's field “standalone_query” is empty."
	}
	return text, "", ""
}

// unquote removes quotes around the whole text, unless the question has them.
func unquote(s, question string) string {
	question = strings.TrimSpace(question)
	for _, q := range quotedWhole {
		if len(s) < len(q[0])+len(q[1]) || !strings.HasPrefix(s, q[0]) || !strings.HasSuffix(s, q[1]) || strings.HasPrefix(question, q[0]) {
			continue
		}
		if inner := s[len(q[0]) : len(s)-len(q[1])]; !strings.Contains(inner, q[0]) && !strings.Contains(inner, q[1]) {
			return inner
		}
	}
	return s
}

// sameText compares two questions as people do: case, space and the marks at
// the end do not count.
func sameText(a, b string) bool { return normal(a) == normal(b) }

func normal(s string) string {
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	s = strings.TrimRight(s, " ?!.…。？！")
	return strings.TrimLeft(strings.NewReplacer("’", "'", "“", `"`, "”", `"`).Replace(s), "¿¡ ")
}

func runes(s string) int { return utf8.RuneCountInString(s) }
