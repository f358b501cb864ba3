package answer

import (
	"context"
	"strings"
	"unicode/utf8"

	"referent/inference"
	"referent/rag/answer/neutral"
	"referent/rag/language"
)

const (
	titleInstruction = "Write a title of at most six words for the question below, in its language and with its words. Write only the title.\n\n" + questionLabel
	// longestTitle bounds a title, in code points.
	longestTitle = 60
	mostWords    = 9
)

// Title asks a model for a short title of a conversation, from its first
// question alone: an answer could hold what the person hides later. It returns
// false where the model writes something that the question does not say; the
// question itself is the title then.
func Title(ctx context.Context, model inference.Generator, question string) (string, bool) {
	res, err := model.Generate(ctx, inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: titleInstruction + neutral.Line(question) + "\nTitle:"}},
		MaxTokens: 24, Stop: []string{"\n"}, Seed: 1, Cache: inference.CacheReuse, Priority: inference.PriorityIndexing}, nil)
	if err != nil {
		return "", false
	}
	title := strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(res.Text), "\"'“”„«»*#.")), " ")
	code, _ := language.Detect(question)
	l := language.For(code)
	words := l.ContentWords(title)
	if len(words) == 0 || len(strings.Fields(title)) > mostWords || utf8.RuneCountInString(title) > longestTitle {
		return "", false
	}
	keys := l.Keys(question)
	for _, w := range words {
		if !l.Holds(keys, w) {
			return "", false
		}
	}
	return title, true
}
