package engine

import (
	"context"
	_ "embed"
	"strings"
	"unicode/utf8"

	"referent/inference"
	"referent/rag"
	"referent/rag/answer/neutral"
)

// The constant beginnings of the two prompts: rules and four examples (pronoun,
// ellipsis, unchanged, topic shift). They come first, so that their part of the
// cache is reused by every rewrite.
var (
	//go:embed prompts/instruct.txt
	instructPrefix string
	//go:embed prompts/completion.txt
	completionPrefix string
)

// Label ends the prompt; the model continues behind it. Cleaning strips it where
// a model repeats it.
const Label = "Standalone question:"

const (
	labelPerson    = "Person:"
	labelAssistant = "Assistant:"
	labelQuestion  = "Question:"
	labelRefers    = "Refers back:"

	// Code points kept of an answer and of an earlier question.
	clipAnswer   = 300
	clipQuestion = 600

	// transcriptTokens bounds the transcript; the context bounds it further.
	transcriptTokens = 1024

	// maxText is the cap on the text of a rewrite in tokens, thinking aside.
	maxText = 64
)

// window is the part of the history that a rewrite sees: the newest n messages.
// Where messages before it exist and there is room for two exchanges, the first
// message of the person takes the place of the oldest: it names the subject.
func window(history []rag.Message, n int) []rag.Message {
	if n <= 0 {
		return nil
	}
	if len(history) <= n || n < 4 {
		return newest(history, n)
	}
	for i, m := range history[:len(history)-n+1] {
		if m.Role != roleAssistant {
			return append([]rag.Message{history[i]}, newest(history, n-1)...)
		}
	}
	return newest(history, n)
}

// prompt builds the request for a rewrite and says how many messages of the
// window it holds. The transcript is quoted inside one message: a history of
// chat roles makes a model answer instead of rewriting.
func prompt(ctx context.Context, req Request, tools Tools) (inference.GenerateRequest, []rag.Message, error) {
	info := tools.Condense.Info()
	prefix := instructPrefix
	if info.PromptStyle == inference.StyleCompletion {
		prefix = completionPrefix
	}
	seen := window(req.History, req.Options.CondenseHistory)
	lines := make([]string, len(seen))
	for i, m := range seen {
		lines[i] = line(m)
	}
	question := neutral.Line(req.Question)
	budget := transcriptTokens
	costs, err := costs(ctx, tools.Tokens, append([]string{prefix, question}, lines...))
	if err != nil {
		return inference.GenerateRequest{}, nil, err
	}
	if info.Context > 0 { // what the window of the model leaves; 32 tokens are the template's
		budget = min(budget, info.Context-costs[0]-costs[1]-textAndThinking(req.Options)-32)
	}
	keep := fit(costs[2:], budget, seen)
	var b strings.Builder
	b.WriteString(prefix)
	stable := b.Len()
	if info.PromptStyle == inference.StyleCompletion {
		b.WriteString("\n")
	} else {
		b.WriteString("\nThe conversation to work on\n")
	}
	var kept []rag.Message
	for i := range lines {
		if keep[i] {
			b.WriteString(lines[i] + "\n")
			kept = append(kept, seen[i])
		}
	}
	b.WriteString(labelQuestion + " " + question + "\n" + labelRefers + " " + hint(req) + "\n" + Label)
	out := inference.GenerateRequest{MaxTokens: textAndThinking(req.Options), Seed: req.Options.Seed,
		Cache: inference.CacheFixedCut, StableBytes: stable, Priority: inference.PriorityCondense}
	if info.PromptStyle == inference.StyleCompletion {
		out.Completion = b.String()
	} else {
		out.Messages = []inference.Message{{Role: "user", Text: b.String()}}
	}
	return out, kept, nil
}

// hint tells the model what the gate found: a small model tends to copy a short
// question unless it is told what in it leans on the conversation. Where the
// gate found nothing the model decides alone.
func hint(req Request) string {
	l := speech(req)
	if w, ok := reference(l, req.Question, &memory{l: l}); ok {
		return `"` + strings.ToLower(w) + `"`
	}
	if refers, _ := Refers(l, req.Question, req.History); refers {
		return "incomplete"
	}
	return "perhaps"
}

func line(m rag.Message) string {
	if m.Role == roleAssistant {
		return labelAssistant + " " + neutral.Clip(neutral.Line(m.Text), clipAnswer)
	}
	return labelPerson + " " + neutral.Clip(neutral.Line(m.Text), clipQuestion)
}

// fit marks the lines that a budget holds: the newest first; the first message
// of the person goes last.
func fit(costs []int, budget int, seen []rag.Message) []bool {
	keep := make([]bool, len(costs))
	first := -1
	for i, m := range seen {
		if m.Role != roleAssistant {
			first = i
			break
		}
	}
	// The first question is set aside only if the newest message fits beside it.
	if n := len(costs); first >= 0 && first < n-1 && costs[first]+costs[n-1] <= budget {
		keep[first] = true
		budget -= costs[first]
	}
	for i := len(costs) - 1; i >= 0; i-- {
		if keep[i] {
			continue
		}
		if costs[i] > budget {
			break
		}
		keep[i] = true
		budget -= costs[i]
	}
	return keep
}

// costs counts tokens; without a tokenizer it estimates high.
func costs(ctx context.Context, tokens inference.Tokenizer, texts []string) ([]int, error) {
	if tokens != nil {
		n, err := tokens.CountTokens(ctx, texts)
		if err == nil {
			for i := range n {
				n[i]++ // the line break
			}
			return n, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	n := make([]int, len(texts))
	for i, t := range texts {
		n[i] = len(t)/4 + (len(t)-utf8.RuneCountInString(t))/2 + 2
	}
	return n, nil
}

func textAndThinking(o Options) int {
	if o.CondenseMaxTokens > 0 {
		return o.CondenseMaxTokens
	}
	return 512
}

// Warm evaluates the constant part of the prompt, so that the first rewrite
// pays for its own text only. It is called when a condense model was loaded.
func Warm(ctx context.Context, model inference.Generator) error {
	question := Request{Question: "Who?", Options: Defaults()}
	req, _, err := prompt(ctx, question, Tools{Condense: model})
	if err != nil {
		return err
	}
	req.MaxTokens = 1
	_, err = model.Generate(ctx, req, nil)
	return err
}
