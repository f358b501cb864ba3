package engine

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"referent/inference"
	"referent/rag"
	"referent/rag/answer/neutral"
)

// The forms of a call, and the rules.
//
//go:embed prompts/research.txt
var researchRules string

// researchExample shows a whole research. The loop itself is laid out the same
// way: calls as the model's own messages, results as answers to them. The
// starter model ends its searches so; asked to go on with a transcript in one
// message, it repeats itself.
var researchExample = []inference.Message{
	{Role: "user", Text: questionHead + labelQuestion + " Who repaired the roof of the mill, and what did it cost?"},
	{Role: roleAssistant, Text: "search Who repaired the roof of the mill, and what did it cost?"},
	{Role: "user", Text: foundWord + " nothing."},
	{Role: roleAssistant, Text: "search roof of the mill repaired"},
	{Role: "user", Text: foundWord + " 1, 1 of them new.\n(1) Mill report – Jonas Adler repaired the roof of the mill in May."},
	{Role: roleAssistant, Text: "search cost of the roof repair"},
	{Role: "user", Text: foundWord + " 2, 1 of them new.\n(1) as above\n(2) Accounts of the mill – Roof repair: 4,200 euros."},
	{Role: roleAssistant, Text: doneWord},
}

const (
	questionHead = "The question to research\n"
	labelCall    = "Call:" // of a model that continues plain text
	foundWord    = "Found" // begins the result of a search

	// Code points of a passage in a result: the best are shown longer.
	bestRunes, restRunes = 320, 100
	bestShown            = 3
	openedRunes          = 2000
	nameRunes            = 80

	// conversationTokens bounds the transcript in the prompt.
	conversationTokens = 512
	// aroundMessage is what a template takes besides a message, in tokens.
	aroundMessage = 8
)

// prompt builds the request for the next call. Everything already shown stays
// as it was, so that only the newest result is evaluated; when the window is
// full, the oldest results are shortened to their first line. fits is false
// where even that is too long. wrong is a line that could not be read, if there
// is one.
func (lp *loop) prompt(ctx context.Context, wrong entry) (ask inference.GenerateRequest, fits bool, err error) {
	info := lp.tools.Answer.Info()
	head, err := lp.head(ctx)
	if err != nil {
		return ask, false, err
	}
	rules, result, tools := researchRules, "user", []inference.Tool(nil)
	if lp.native {
		rules, result, tools = nativeRules, roleTool, nativeTools(lp.table)
	}
	messages := append([]inference.Message{{Role: "system", Text: rules}}, lp.example()...)
	messages = append(messages, inference.Message{Role: "user", Text: head})
	entries := lp.entries
	if wrong.call != "" {
		entries = append(slices.Clone(entries), wrong)
	}
	counted := slices.Clone(messages)
	for _, t := range tools {
		counted = append(counted, inference.Message{Text: t.Description + string(t.Parameters)})
	}
	short, fits, err := lp.short(ctx, counted, entries, info.Context)
	if err != nil || !fits {
		return ask, false, err
	}
	for i, e := range entries {
		messages = append(messages, inference.Message{Role: roleAssistant, Text: e.call}, inference.Message{Role: result, Text: e.shown(i < short)})
	}
	ask = inference.GenerateRequest{MaxTokens: textAndThinking(lp.req.Options), Seed: lp.req.Options.Seed,
		Cache: inference.CacheReuse, Priority: inference.PriorityInteractive, Tools: tools}
	if info.Grammar {
		ask.Grammar = lp.grammar()
	}
	if lp.native {
		ask.Stop = []string{callClose}
	}
	if info.PromptStyle == inference.StyleCompletion {
		ask.Completion = flat(messages)
	} else {
		ask.Messages = messages
	}
	if lp.calls == 0 { // from a known beginning, whatever was asked before; all later calls go on from there
		ask.Cache, ask.StableBytes = inference.CacheFixedCut, len(questionHead)
		switch {
		case ask.Completion != "":
			ask.StableBytes = strings.LastIndex(ask.Completion, questionHead)
		case len(entries) > 0:
			ask.StableBytes = len(foundWord)
		}
	}
	return ask, true, nil
}

// flat lays messages out for a model that continues plain text.
func flat(messages []inference.Message) string {
	var b strings.Builder
	for _, m := range messages {
		if m.Role == roleAssistant {
			b.WriteString(labelCall + " ")
		}
		b.WriteString(m.Text + "\n")
	}
	return b.String() + labelCall
}

// short says how many of the oldest results must be shortened to fit a window
// of so many tokens; 0: any.
func (lp *loop) short(ctx context.Context, messages []inference.Message, entries []entry, window int) (n int, fits bool, err error) {
	if window <= 0 {
		return 0, true, nil
	}
	var texts []string
	for _, m := range messages {
		texts = append(texts, m.Text)
	}
	for _, e := range entries {
		texts = append(texts, e.call+"\n"+e.shown(false), e.call+"\n"+e.shown(true))
	}
	all, err := costs(ctx, lp.tools.AnswerTokens, texts)
	if err != nil {
		return 0, false, err
	}
	head := aroundMessage * len(messages)
	for _, c := range all[:len(messages)] {
		head += c
	}
	all = all[len(messages):]
	for i := range all {
		all[i] += 2 * aroundMessage
	}
	n, fits = shortened(head, all, window-textAndThinking(lp.req.Options))
	return n, fits, nil
}

// shortened is short in numbers: costs are of each entry whole and shortened.
// Once something must go, so much goes that the prompt fits for a while: every
// cut costs the cache.
func shortened(head int, costs []int, room int) (n int, fits bool) {
	total := head
	for i := 0; i < len(costs); i += 2 {
		total += costs[i]
	}
	if total <= room {
		return 0, true
	}
	for n < len(costs)/2-1 && total > room*3/4 {
		total += costs[2*n+1] - costs[2*n]
		n++
	}
	return n, total <= room
}

// shown is the result, or its first line.
func (e entry) shown(short bool) string {
	if short {
		first, _, _ := strings.Cut(e.result, "\n")
		return first
	}
	return e.result
}

// head is the conversation, as much of it as fits, and the question.
func (lp *loop) head(ctx context.Context) (string, error) {
	history := lp.req.History
	lines := make([]string, len(history))
	for i, m := range history {
		lines[i] = line(m)
	}
	costs, err := costs(ctx, lp.tools.AnswerTokens, lines)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(questionHead)
	lp.used = 0
	for i, keep := range fit(costs, conversationTokens, history) {
		if keep {
			b.WriteString(lines[i] + "\n")
			lp.used++
		}
	}
	b.WriteString(labelQuestion + " " + neutral.Line(lp.req.Question))
	return b.String(), nil
}

// show writes passages, one a line. A passage that was shown before is only
// named.
func (lp *loop) show(b *strings.Builder, hits []rag.Hit) {
	for i, h := range hits {
		n, seen := lp.numbers[h.Chunk]
		if seen {
			fmt.Fprintf(b, "\n(%d) as above", n)
			continue
		}
		lp.passages = append(lp.passages, h)
		n = len(lp.passages)
		lp.numbers[h.Chunk] = n
		length := restRunes
		if i < bestShown {
			length = bestRunes
		}
		b.WriteString("\n" + passageLine(n, h, h.Text, length))
	}
}

func passageLine(n int, h rag.Hit, text string, length int) string {
	title := h.Title
	if h.Heading != "" && h.Heading != title {
		title += ", " + h.Heading
	}
	return fmt.Sprintf("(%d) %s – %s", n, neutral.Clip(neutral.Line(title), nameRunes), neutral.Clip(neutral.Line(text), length))
}

func documentLine(d Listed) string {
	line := fmt.Sprintf("document=%d %s", d.ID, neutral.Clip(neutral.Line(d.Name), nameRunes))
	for _, s := range []string{d.Type, d.Language, d.Date} {
		if s != "" {
			line += ", " + neutral.Line(s)
		}
	}
	return line
}
