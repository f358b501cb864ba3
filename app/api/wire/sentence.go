package wire

import (
	"encoding/json"
	"fmt"
	"strings"
)

// subject begins a sentence about a field or about the body.
func subject(name string) string {
	if name == "" {
		return "The body"
	}
	return name
}

// clip keeps a word of the caller short in a sentence.
func clip(s string) string {
	s = strings.ToValidUTF8(s, "?")
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

func isKind(kind string, v any) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case json.Number:
		if kind == "integer" {
			_, err := v.Int64()
			return err == nil
		}
		return kind == "number"
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	return false
}

var kindWord = map[string]string{"null": "null", "boolean": "true or false", "string": "a text", "integer": "a whole number", "number": "a number",
	"array": "a list", "object": "an object"}

func kindWords(k kinds) string {
	var out []string
	for _, one := range k {
		out = append(out, kindWord[one])
	}
	return strings.Join(out, " or ")
}

func kindOf(v any) string {
	for _, kind := range []string{"null", "boolean", "string", "array", "object", "integer", "number"} {
		if isKind(kind, v) {
			return kindWord[kind]
		}
	}
	return "this"
}

func quote(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "this"
	}
	return clip(string(b))
}

func constants(s *Schema) []string {
	all := s.Enum
	if s.Const != nil {
		all = []any{s.Const}
	}
	var out []string
	for _, v := range all {
		if v != nil {
			out = append(out, fmt.Sprint(v))
		}
	}
	return out
}

// choices lists what is allowed behind a heading; nothing where the list is empty.
func choices(heading string, names []string) string {
	if len(names) == 0 {
		return "It takes none."
	}
	return heading + ": " + strings.Join(names, ", ") + "."
}

// suggestion names the field that was probably meant, else all of them.
func suggestion(field string, names []string) string {
	best, near := "", 3 // more than two changed letters is another word
	for _, name := range names {
		if d := distance(strings.ToLower(field), name); d < near && d < len(name) {
			best, near = name, d
		}
	}
	if best != "" {
		return fmt.Sprintf("Did you mean %q?", best)
	}
	return choices("Fields", names)
}

// distance is the number of letters to insert, delete or replace (Levenshtein
// 1966), for short words.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
