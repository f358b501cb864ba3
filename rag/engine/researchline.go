package engine

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"referent/rag"
	"referent/rag/answer/neutral"
)

// maxLimit is the largest page that a call may ask for.
const maxLimit = 50

// call is one line of the model, read. It is:
//
//	search WORDS [| KEY=VALUE]…
//	open NUMBER
//	list [| KEY=VALUE]…
//	ask QUESTION
//	done
//
// KEY is a field of a filter, limit or offset; dates may be compared by >= and <=.
type call struct {
	tool          *tool
	text          string // what is searched or asked
	number        int    // of the passage to open
	filters       []rag.Filter
	limit, offset int // 0: not given
}

// unreadable is a line that the parser refuses; the sentence is for the model.
type unreadable string

func (u unreadable) Error() string { return string(u) }

const doneWord = "done"

var callEcho = regexp.MustCompile(`(?i)^[\s*#>_-]*call[\s*_]*:[\s*_]*`)

// read checks a line of the model.
func (lp *loop) read(line string) (c call, done bool, err error) {
	line = strings.Join(strings.Fields(strings.Map(visible, callEcho.ReplaceAllString(line, ""))), " ")
	word, rest := line, ""
	if at := strings.IndexFunc(line, func(r rune) bool { return r == ' ' || r == ':' || r == '|' || r == '\t' }); at >= 0 {
		word, rest = line[:at], strings.TrimSpace(strings.TrimPrefix(line[at:], ":"))
	}
	word = strings.Trim(strings.ToLower(word), "`*.\"")
	if word == doneWord {
		return call{}, true, nil
	}
	words := []string{}
	for i := range lp.table {
		t := &lp.table[i]
		if word == t.word || word == t.name {
			c, err := t.read(rest, lp)
			c.tool = t
			return c, false, err
		}
		words = append(words, t.word)
	}
	return call{}, false, unreadable("A line begins with " + strings.Join(words, ", ") + " or " + doneWord + ".")
}

// visible drops what cannot be seen.
func visible(r rune) rune {
	if unicode.IsControl(r) && r != '\t' {
		return -1
	}
	return r
}

// unwrapped takes off the quotation marks that a model puts around the whole of
// what it writes; inside a search they would ask for that very phrase.
func unwrapped(text string) string {
	for {
		inner := strings.TrimSpace(unquote(strings.TrimSpace(text), ""))
		if inner == text {
			return text
		}
		text = inner
	}
}

func readSearch(rest string, _ *loop) (call, error) {
	words, options, _ := strings.Cut(rest, "|")
	c := call{text: unwrapped(words)}
	if c.text == "" || c.text == "WORDS" {
		return c, unreadable("Words to search are missing behind search.")
	}
	return c, c.options(options)
}

func readList(rest string, _ *loop) (call, error) {
	c := call{}
	if err := c.options(strings.TrimPrefix(rest, "|")); err != nil {
		return c, err
	}
	if c.limit+c.offset > 0 {
		return c, unreadable("list has no pages.")
	}
	return c, nil
}

var number = regexp.MustCompile(`^[(\[#]?(\d{1,4})[)\]]?\.?$`)

func readOpen(rest string, lp *loop) (call, error) {
	m := number.FindStringSubmatch(rest)
	if m == nil {
		return call{}, unreadable("Behind open stands the number of one passage.")
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n < 1 || n > len(lp.passages) {
		return call{}, unreadable("There is no passage with this number.")
	}
	return call{number: n}, nil
}

func readAsk(rest string, _ *loop) (call, error) {
	text := unwrapped(rest)
	if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, "？") { // a small model copies the form itself
		return call{}, unreadable("A question to the person is missing behind ask.")
	}
	return call{text: text}, nil
}

var option = regexp.MustCompile(`^([a-z]+)\s*(>=|<=|=)\s*(.+)$`)

// guessable are the fields that a model may filter by. kind is another word for
// type.
var guessable = []string{"type", "language", "tag", "date", "document", "folder", "collection"}

// options reads what stands behind the bar.
func (c *call) options(text string) error {
	for _, part := range strings.Split(text, "|") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		m := option.FindStringSubmatch(part)
		if m == nil {
			return unreadable("Behind the bar stands KEY=VALUE.")
		}
		key, op, value := m[1], m[2], strings.Trim(strings.TrimSpace(m[3]), `"'`)
		if key == "limit" || key == "offset" {
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 || op != "=" || key == "limit" && (n < 1 || n > maxLimit) {
				return unreadable(key + " is no number of passages.")
			}
			if key == "limit" {
				c.limit = n
			} else {
				c.offset = n
			}
			continue
		}
		if err := c.filter(key, op, value); err != nil {
			return err
		}
	}
	slices.SortFunc(c.filters, func(a, b rag.Filter) int {
		return strings.Compare(filterText([]rag.Filter{a}), filterText([]rag.Filter{b}))
	})
	return nil
}

func (c *call) filter(key, op, value string) error {
	if key == "kind" {
		key = "type"
	}
	if !slices.Contains(guessable, key) {
		return unreadable("Filters are " + strings.Join(guessable, ", ") + ".")
	}
	values := strings.Split(value, ",")
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	name := map[string]string{"=": "eq", ">=": "gte", "<=": "lte"}[op]
	if name == "eq" && len(values) > 1 {
		name = "in"
		slices.Sort(values)
	}
	f, err := rag.NewFilter(key, name, values, rag.OwnerGuess)
	if err != nil {
		return unreadable(err.Error())
	}
	c.filters = append(c.filters, f)
	return nil
}

// arguments are the call's as a JSON object with sorted keys.
func (c call) arguments(lp *loop) json.RawMessage {
	return c.encoded(lp, c.text)
}

// key is the same for calls that read the same: case, space and the marks at
// the end of the words do not count, nor does the order of filters.
func (c call) key(lp *loop) string {
	return c.tool.name + " " + string(c.encoded(lp, normal(c.text)))
}

func (c call) encoded(lp *loop, text string) json.RawMessage {
	args := map[string]any{}
	switch c.tool.name {
	case searchName:
		args["query"] = text
		if c.limit > 0 {
			args["limit"] = c.limit
		}
		if c.offset > 0 {
			args["offset"] = c.offset
		}
	case openName:
		args["chunk"] = lp.passages[c.number-1].Chunk
	case AskName:
		args["question"] = text
	default:
		if text != "" {
			args["text"] = text
		}
	}
	if len(c.filters) > 0 {
		var filters []map[string]any
		for _, f := range c.filters {
			filters = append(filters, map[string]any{"field": f.Field, "op": f.Op, "value": f.Values})
		}
		args["filters"] = filters
	}
	b, err := json.Marshal(args)
	if err != nil {
		return json.RawMessage("{}") // texts and numbers always encode
	}
	return b
}

// line writes the call in its one form, as the model sees it from then on.
func (c call) line() string {
	parts := []string{c.tool.word}
	switch {
	case c.number > 0:
		parts = append(parts, strconv.Itoa(c.number))
	case c.text != "":
		parts = append(parts, neutral.Line(c.text))
	}
	for _, f := range c.filters {
		parts = append(parts, "| "+filterText([]rag.Filter{f}))
	}
	if c.limit > 0 {
		parts = append(parts, "| limit="+strconv.Itoa(c.limit))
	}
	if c.offset > 0 {
		parts = append(parts, "| offset="+strconv.Itoa(c.offset))
	}
	return strings.Join(parts, " ")
}

// filterText writes filters as a call does.
func filterText(filters []rag.Filter) string {
	var out []string
	for _, f := range filters {
		sign := map[string]string{"gte": ">=", "lte": "<="}[f.Op]
		if sign == "" {
			sign = "="
		}
		out = append(out, f.Field+sign+strings.Join(f.Values, ","))
	}
	return neutral.Line(strings.Join(out, ", "))
}

// asFilterError returns the error if it is about a filter that means nothing
// here.
func asFilterError(err error) *rag.Error {
	var e *rag.Error
	if errors.As(err, &e) && e.Code == rag.CodeInvalidFilter {
		return e
	}
	return nil
}

// shownLine is a line that could not be read, as the model sees it again.
func shownLine(line string) string { return neutral.Clip(neutral.Line(line), clipAnswer) }
