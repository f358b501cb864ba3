package chat

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ardanlabs/jinja"

	"referent/inference"
)

// chatML is the most widely understood format, used where a model has no
// template or one that cannot be rendered.
const chatML = `{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

// Options steer one rendering.
type Options struct {
	Think       bool   // let the model think where the template can switch it
	Prefill     string // beginning of the reply, already written
	StableBytes int    // constant beginning of the last message's text; 0: none
	EOS         string // text of the model's end token, which some templates write between turns
	Tools       []inference.Tool
}

// Template is a compiled chat template. It may be used from any goroutine.
type Template struct {
	source string
	jinja  *jinja.Template
	trims  bool // the template trims the white space around a message
}

// compiled keeps templates by source: compiling costs ten renderings.
var compiled sync.Map

// ChatML returns the fallback template.
func ChatML() *Template {
	t, err := Compile(chatML)
	if err != nil {
		panic("chat: the built-in template does not compile: " + err.Error())
	}
	return t
}

// Compile parses a Jinja chat template, or finds it compiled. An empty source
// gives ChatML.
func Compile(source string) (*Template, error) {
	if strings.TrimSpace(source) == "" {
		source = chatML
	}
	if t, ok := compiled.Load(source); ok {
		return t.(*Template), nil
	}
	j, err := jinja.Compile(source)
	if err != nil {
		return nil, fmt.Errorf("chat template: %w", err)
	}
	t := &Template{source: source, jinja: j}
	t.trims = t.probeTrim()
	kept, _ := compiled.LoadOrStore(source, t)
	return kept.(*Template), nil
}

// SwitchesThinking says whether the template knows how to turn thinking off.
func (t *Template) SwitchesThinking() bool {
	return strings.Contains(t.source, "enable_thinking")
}

// Render lays messages out as the template does, ending where the reply
// begins. A template that refuses a system message gets it as the beginning of
// the first user message. A template that cannot render the conversation at
// all gives way to ChatML, so there is an error only for an empty conversation.
func (t *Template) Render(messages []inference.Message, opts Options) (Prompt, error) {
	if len(messages) == 0 {
		return Prompt{}, fmt.Errorf("chat template: no messages")
	}
	for _, attempt := range []struct {
		template *Template
		messages []inference.Message
	}{
		{t, messages},
		{t, mergeSystem(messages)},
		{t, mergeNeighbours(mergeSystem(messages))},
		{ChatML(), messages},
	} {
		if p, err := attempt.template.render(attempt.messages, shift(opts, messages, attempt.messages)); err == nil {
			return p, nil
		}
	}
	return Prompt{}, fmt.Errorf("chat template: the conversation cannot be rendered")
}

// shift moves the constant part with the text that a merge put before it.
func shift(opts Options, before, after []inference.Message) Options {
	if opts.StableBytes > 0 {
		opts.StableBytes += len(after[len(after)-1].Text) - len(before[len(before)-1].Text)
	}
	return opts
}

// render is one attempt: contents are replaced by marks before the template
// sees them, and put back as data afterwards.
func (t *Template) render(messages []inference.Message, opts Options) (Prompt, error) {
	marks := newMarks(t.source, len(messages))
	turns := make([]any, len(messages))
	for i, m := range messages {
		turns[i] = map[string]any{"role": m.Role, "content": marks.text(i)}
	}
	vars := map[string]any{
		"messages":              turns,
		"add_generation_prompt": true,
		"enable_thinking":       opts.Think,
		"thinking":              opts.Think,
		"bos_token":             "", // the tokeniser adds it
		"eos_token":             opts.EOS,
	}
	if !opts.Think && strings.Contains(t.source, "reasoning_effort") {
		vars["reasoning_effort"] = "low"
	}
	if len(opts.Tools) > 0 {
		tools, err := toolValues(opts.Tools)
		if err != nil {
			return Prompt{}, err
		}
		vars["tools"] = tools
	}
	out, err := t.jinja.Render(vars)
	if err != nil {
		return Prompt{}, err
	}

	var p Prompt
	seen := make([]bool, len(messages))
	for out != "" {
		before, i, after := marks.next(out)
		p.add(before, true)
		out = after
		if i < 0 {
			break
		}
		if n := len(p.Segments); len(seen) > 1 && n > 0 && p.Segments[n-1].Special && slices.Contains(seen, true) {
			p.Turns = append(p.Turns, n)
		}
		seen[i] = true
		head, rest := t.content(messages[i].Text, opts.StableBytes, i == len(messages)-1)
		p.add(head, false)
		if i == len(messages)-1 && opts.StableBytes > 0 && p.Cut == 0 {
			p.Cut = len(p.Segments)
		}
		p.add(rest, false)
	}
	for i, ok := range seen {
		if !ok {
			return Prompt{}, fmt.Errorf("the template left message %d out", i)
		}
	}
	t.finish(&p, opts)
	return p, nil
}

// content splits a message's text where its constant part ends, with the white
// space removed that the template would have removed.
func (t *Template) content(text string, stable int, last bool) (head, rest string) {
	if !last {
		stable = 0
	}
	stable = boundary(text, stable)
	head, rest = text[:stable], text[stable:]
	if !t.trims {
		return head, rest
	}
	if head == "" {
		return "", strings.TrimSpace(rest)
	}
	rest = strings.TrimRight(rest, " \t\r\n")
	if rest == "" {
		return strings.TrimSpace(head), ""
	}
	return strings.TrimLeft(head, " \t\r\n"), rest
}

// finish settles the think block that a template may have opened for the
// reply, and appends the prefill.
func (t *Template) finish(p *Prompt, opts Options) {
	p.Thinking = opensThink(p.Segments)
	if p.Thinking && (!opts.Think || opts.Prefill != "") {
		p.add("\n</think>\n\n", true)
		p.Thinking = false
	}
	p.add(opts.Prefill, false)
}

// opensThink looks at the structure after the last data: a template that
// starts the reply with an open think block leaves it there.
func opensThink(segments []Segment) bool {
	if len(segments) == 0 || !segments[len(segments)-1].Special {
		return false
	}
	tail := segments[len(segments)-1].Text
	return strings.LastIndex(tail, "<think>") > strings.LastIndex(tail, "</think>")
}

// probeTrim renders one padded message and looks whether the padding survived.
func (t *Template) probeTrim() bool {
	marks := newMarks(t.source, 1)
	out, err := t.jinja.Render(map[string]any{
		"messages":  []any{map[string]any{"role": "user", "content": "  " + marks.text(0) + "  "}},
		"bos_token": "", "eos_token": "", "enable_thinking": false, "add_generation_prompt": true,
	})
	return err == nil && !strings.Contains(out, "  "+marks.text(0)+"  ")
}
