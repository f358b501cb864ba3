package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/rag"
)

// chatRequest is what is read of a request; the description names what else is
// accepted and ignored.
type chatRequest struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Stream        bool      `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens           *int      `json:"max_tokens"`
	MaxCompletionTokens *int      `json:"max_completion_tokens"`
	Referent            extension `json:"referent"`
}

// extension is what the shape has no place for.
type extension struct {
	Retriever     string            `json:"retriever"`
	Mode          string            `json:"mode"`
	Scope         rag.Scope         `json:"scope"`
	Filters       []public.Filter   `json:"filters"`
	Settings      map[string]string `json:"settings"`
	SourcesAsText *bool             `json:"sources_as_text"` // nil: true
}

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // a text, a list of parts, or null
}

// text joins the text of a message; false when it has parts of another kind.
func (m message) text() (string, bool) {
	var text string
	if len(m.Content) == 0 || json.Unmarshal(m.Content, &text) == nil {
		return text, true
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return "", false
	}
	var out []string
	for _, p := range parts {
		if p.Type != "text" {
			return "", false
		}
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n"), true
}

// Model is the name under which the program answers; with a chat engine it is
// "referent:ENGINE".
const Model = "referent"

// engineOf reads the name of a model.
func engineOf(model string) (string, error) {
	name, engine, has := strings.Cut(model, ":")
	if name != Model || has && engine == "" {
		return "", unknownModel(model, append([]string{Model}, engineModels()...))
	}
	return engine, nil
}

func engineModels() []string {
	var out []string
	for _, e := range public.Engines() {
		out = append(out, Model+":"+e)
	}
	return out
}

func unknownModel(model string, known []string) error {
	return &wire.Failure{Code: wire.CodeNotFound, Message: fmt.Sprintf("There is no model %q.", model), Hint: "There are: " + strings.Join(known, ", ") + "."}
}

// rest names fields that are accepted and change nothing, where they are given.
var rest = []string{"temperature", "top_p", "stop", "seed", "tools", "tool_choice", "functions", "function_call", "response_format", "logit_bias", "logprobs",
	"top_logprobs", "presence_penalty", "frequency_penalty", "reasoning_effort", "prediction", "modalities", "audio", "web_search_options"}

// question turns the request into a question. notes say what was left out.
func (r chatRequest) question(given map[string]json.RawMessage) (a public.Ask, notes []string, err error) {
	if a.Engine, err = engineOf(r.Model); err != nil {
		return a, nil, err
	}
	last := -1
	for i, m := range r.Messages {
		if m.Role == "user" {
			last = i
		}
	}
	if last < 0 {
		return a, nil, wire.Invalid("messages has no message of the role user.")
	}
	for i, m := range r.Messages {
		text, ok := m.text()
		if !ok {
			return a, nil, wire.Invalid("messages[%d].content has a part that is not text. Only text can be asked.", i)
		}
		switch {
		case i == last:
			a.Question = text
		case i > last:
			notes = append(notes, fmt.Sprintf("The message of the role %s behind the question was left out.", m.Role))
		case text != "":
			a.History = append(a.History, rag.Message{Role: m.Role, Text: answerOnly(m.Role, text)})
		}
	}
	e := r.Referent
	a.Retriever, a.Mode, a.Scope, a.Filters, a.Settings = e.Retriever, e.Mode, e.Scope, e.Filters, e.Settings
	if limit := r.limit(); limit > 0 {
		a.Settings = merged(a.Settings, "answer.max_tokens", strconv.Itoa(limit))
	}
	notes = append(notes, a.Notes()...)
	var ignored []string
	for _, name := range rest {
		if v, ok := given[name]; ok && string(v) != "null" {
			ignored = append(ignored, name)
		}
	}
	if len(ignored) > 0 {
		slices.Sort(ignored)
		notes = append(notes, "Ignored: "+strings.Join(ignored, ", ")+".")
	}
	return a, notes, nil
}

// limit is the longest answer in tokens within what the setting takes; 0: not
// asked for.
func (r chatRequest) limit() int {
	asked := r.MaxCompletionTokens
	if asked == nil {
		asked = r.MaxTokens
	}
	if asked == nil {
		return 0
	}
	return min(max(*asked, 16), 8192)
}

// merged adds a value unless the caller has set it by its own name.
func merged(settings map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	for k, v := range settings {
		out[k] = v
	}
	return out
}
