package chat

import (
	"strings"

	"referent/inference"
)

// mergeSystem writes system messages at the beginning of the first user message.
func mergeSystem(messages []inference.Message) []inference.Message {
	var system []string
	var out []inference.Message
	for _, m := range messages {
		if m.Role == "system" {
			system = append(system, m.Text)
		} else {
			out = append(out, m)
		}
	}
	if len(system) == 0 {
		return messages
	}
	text := strings.Join(system, "\n\n")
	for i := range out {
		if out[i].Role == "user" {
			out[i].Text = text + "\n\n" + out[i].Text
			return out
		}
	}
	return append([]inference.Message{{Role: "user", Text: text}}, out...)
}

// mergeNeighbours joins messages of the same role, for templates that insist
// on turns that alternate.
func mergeNeighbours(messages []inference.Message) []inference.Message {
	var out []inference.Message
	for _, m := range messages {
		if last := len(out) - 1; last >= 0 && out[last].Role == m.Role {
			out[last].Text += "\n\n" + m.Text
			continue
		}
		out = append(out, m)
	}
	return out
}
