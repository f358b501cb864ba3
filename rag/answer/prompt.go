package answer

import (
	_ "embed"
	"regexp"
	"strings"

	"referent/inference"
	"referent/rag"
	"referent/rag/answer/neutral"
	"referent/rag/language"
)

var (
	//go:embed prompts/system.txt
	system string
	//go:embed prompts/examples.txt
	examples string
)

const questionLabel = "Question: "

// Prompt is what an answer is generated from.
type Prompt struct {
	Question string        // byte for byte
	Evidence string        // numbered passages, neutralised, as package pack emits them
	History  []rag.Message // oldest first; nil and empty give the same messages
	Language string        // of the question, ISO 639-1
	FewShot  bool          // the model needs examples to cite
}

// System is the constant first message. It depends on the model only.
func System(fewShot bool) string {
	if fewShot {
		return system + examples
	}
	return system
}

// Messages returns system, history, and the question with its evidence.
func (p Prompt) Messages() []inference.Message {
	out := []inference.Message{{Role: "system", Text: System(p.FewShot)}}
	out = append(out, History(p.History)...)
	return append(out, inference.Message{Role: "user", Text: p.Last()})
}

// Last is the text of the last message. Its beginning, up to the question, holds
// nothing of the person's words.
func (p Prompt) Last() string {
	return p.Evidence + p.Instruction() + "\n" + questionLabel + p.Question
}

// Instruction names the language and the refusal of this turn.
func (p Prompt) Instruction() string {
	l := language.For(p.Language)
	in := "Answer in " + l.Name + "."
	if l.Name == "" {
		in = "Answer in the language of the question."
	}
	return in + " If the passages do not answer, write only: " + l.Refusal
}

// markers are citations of earlier turns; they would point at other passages.
var markers = regexp.MustCompile(`[\s,;]*\[\d{1,3}(?:\s*,\s*\d{1,3})*\]`)

// History turns earlier messages into flat pairs: only the roles user and
// assistant exist, anything else counts as user; old citations are removed and
// control tokens neutralised. Empty messages are left out.
func History(history []rag.Message) []inference.Message {
	var out []inference.Message
	for _, m := range history {
		role := "user"
		text := m.Text
		if m.Role == "assistant" {
			role = "assistant"
			text = markers.ReplaceAllString(text, "")
		}
		if text = strings.TrimSpace(neutral.Text(text)); text != "" {
			out = append(out, inference.Message{Role: role, Text: text})
		}
	}
	return out
}
