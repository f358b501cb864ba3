package chat

import (
	"encoding/json"
	"strings"

	"referent/inference"
)

// CallsTools says whether the template shows tools to the model and has it call
// them as <tool_call>{"name": …, "arguments": {…}}</tool_call>, the form of the
// Hermes and Qwen families. Other forms, such as <function=…>, are not read.
func (t *Template) CallsTools() bool {
	for _, part := range []string{"tools", "<tool_call>", "</tool_call>", "arguments"} {
		if !strings.Contains(t.source, part) {
			return false
		}
	}
	if strings.Contains(t.source, "<function=") {
		return false
	}
	const name = "probe_of_tools"
	p, err := t.render([]inference.Message{{Role: "system", Text: "a"}, {Role: "user", Text: "b"}, {Role: "assistant", Text: "c"}, {Role: "tool", Text: "d"}},
		Options{Tools: []inference.Tool{{Name: name, Description: "Probes.", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}}})
	return err == nil && strings.Contains(p.Text(), name)
}

// toolValues are tools as templates expect them.
func toolValues(tools []inference.Tool) ([]any, error) {
	var out []any
	for _, t := range tools {
		var parameters any
		if err := json.Unmarshal(t.Parameters, &parameters); err != nil {
			return nil, err
		}
		out = append(out, map[string]any{"type": "function",
			"function": map[string]any{"name": t.Name, "description": t.Description, "parameters": parameters}})
	}
	return out, nil
}
