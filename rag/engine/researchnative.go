package engine

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"referent/inference"
	"referent/rag/answer/neutral"
)

// The rules for a model that calls tools in the form of its template.
//
//go:embed prompts/research_native.txt
var nativeRules string

const (
	callOpen, callClose = "<tool_call>", "</tool_call>"
	roleTool            = "tool"
)

// native says whether a model calls tools in the form of its template: the
// catalogue wants it, and the template has it.
func native(info inference.ModelInfo) bool {
	return info.ToolStyle == inference.ToolsNative && info.ToolCalls && info.PromptStyle != inference.StyleCompletion
}

// nativeArguments are the arguments of all tools in a native call.
type nativeArguments struct {
	Query    string            `json:"query,omitempty"`
	Question string            `json:"question,omitempty"`
	Number   int               `json:"number,omitempty"`
	Filters  map[string]string `json:"filters,omitempty"`
	Limit    int               `json:"limit,omitempty"`
	Offset   int               `json:"offset,omitempty"`
}

type nativeCall struct {
	Name      string          `json:"name"`
	Arguments nativeArguments `json:"arguments"`
}

// fromNative turns a reply into the line that says the same. A reply without a
// call is the end of the search.
func fromNative(text string) (string, error) {
	open, close := strings.Index(text, "{"), strings.LastIndex(text, "}")
	if open < 0 {
		return doneWord, nil
	}
	var c nativeCall
	if err := json.Unmarshal([]byte(text[open:max(open, close+1)]), &c); err != nil {
		return "", unreadable("A call is JSON with a name and arguments.")
	}
	a := c.Arguments
	parts := []string{c.Name}
	switch {
	case a.Query != "":
		parts = append(parts, unbarred(a.Query))
	case a.Question != "":
		parts = append(parts, unbarred(a.Question))
	case a.Number > 0:
		parts = append(parts, strconv.Itoa(a.Number))
	}
	var options []string
	for key, value := range a.Filters {
		sign := "="
		for _, s := range []string{">=", "<="} {
			if strings.HasPrefix(value, s) {
				sign, value = s, value[len(s):]
			}
		}
		options = append(options, "| "+key+sign+unbarred(value))
	}
	slices.Sort(options)
	parts = append(parts, options...)
	if a.Limit != 0 {
		parts = append(parts, "| limit="+strconv.Itoa(a.Limit))
	}
	if a.Offset != 0 {
		parts = append(parts, "| offset="+strconv.Itoa(a.Offset))
	}
	return strings.Join(parts, " "), nil
}

// unbarred is a text without what ends a line or its words.
func unbarred(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "|", " ")), " ")
}

// native writes the call as the template does.
func (c call) native() string {
	n := nativeCall{Name: c.tool.name, Arguments: nativeArguments{Number: c.number, Limit: c.limit, Offset: c.offset}}
	switch text := neutral.Line(c.text); c.tool.name {
	case AskName:
		n.Arguments.Question = text
	default:
		n.Arguments.Query = text
	}
	for _, f := range c.filters {
		if n.Arguments.Filters == nil {
			n.Arguments.Filters = map[string]string{}
		}
		sign := map[string]string{"gte": ">=", "lte": "<="}[f.Op]
		n.Arguments.Filters[f.Field] = sign + neutral.Line(strings.Join(f.Values, ","))
	}
	return nativeText(n)
}

func nativeText(c nativeCall) string {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	_ = out.Encode(c) // texts and numbers always encode
	return callOpen + "\n" + spaced(strings.TrimSpace(b.String())) + "\n" + callClose
}

// spaced writes a space behind every colon and comma of JSON, as templates do.
func spaced(compact string) string {
	var b strings.Builder
	inside, escaped := false, false
	for _, r := range compact {
		b.WriteRune(r)
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = inside
		case r == '"':
			inside = !inside
		case !inside && (r == ':' || r == ','):
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// form is a call as the prompt shows it.
func (lp *loop) form(c call) string {
	if lp.native {
		return c.native()
	}
	return c.line()
}

// example is researchExample in the form of the loop.
func (lp *loop) example() []inference.Message {
	if !lp.native {
		return researchExample
	}
	out := slices.Clone(researchExample)
	for i, m := range out {
		switch words, isSearch := strings.CutPrefix(m.Text, searchName+" "); {
		case m.Role == roleAssistant && isSearch:
			out[i].Text = nativeText(nativeCall{Name: searchName, Arguments: nativeArguments{Query: words}})
		case m.Role == "user" && strings.HasPrefix(m.Text, foundWord):
			out[i].Role = roleTool
		}
	}
	return out
}

// nativeTools are the tools of the table as a template shows them.
func nativeTools(table []tool) []inference.Tool {
	var out []inference.Tool
	for _, t := range table {
		if t.parameters != "" {
			out = append(out, inference.Tool{Name: t.name, Description: t.says, Parameters: json.RawMessage(t.parameters)})
		}
	}
	return out
}
