package answer

import (
	"fmt"
	"strings"

	"referent/inference"
	"referent/rag/answer/neutral"
	"referent/rag/language"
)

// nothing is what a model writes about a part that holds nothing for a question.
const nothing = "-"

// Part is the prompt for a document that is read as a whole, in one part or in
// several; Joined is the one that makes an answer of what was noted about them.
type Part struct {
	Question string // byte for byte
	Kind     Whole
	Title    string // of the document
	Evidence string // the passages of the part, as package pack emits them
	N, Of    int    // from 1
	Language string // of the question
	FewShot  bool
}

// Messages returns the constant system prompt and the part with the question.
func (p Part) Messages() []inference.Message {
	return []inference.Message{{Role: "system", Text: System(p.FewShot)}, {Role: "user", Text: p.Last()}}
}

// Last is the text of the last message.
func (p Part) Last() string {
	return p.Evidence + p.instruction() + "\n" + questionLabel + p.Question
}

func (p Part) instruction() string {
	title, in := neutral.Line(p.Title), inLanguage(p.Language)
	switch {
	case p.Of > 1 && p.Kind == List:
		return fmt.Sprintf("These passages are part %d of %d of the document “%s”. Write%s one line for each thing in them that the question asks for, with the number of its passage. If there is none, write only: %s",
			p.N, p.Of, title, in, nothing)
	case p.Of > 1:
		return fmt.Sprintf("These passages are part %d of %d of the document “%s”. Say%s in at most three short sentences what they hold for the question, each with the number of its passage. If they hold nothing for it, write only: %s",
			p.N, p.Of, title, in, nothing)
	case p.Kind == List:
		return fmt.Sprintf("These passages are the document “%s”. Write%s one line for each thing in them that the question asks for, with the number of its passage. If there is none, write only: %s",
			title, in, Refusal(p.Language))
	}
	return fmt.Sprintf("These passages are the document “%s”, from beginning to end. Answer%s, about the whole of it, each statement with the number of its passage.", title, in)
}

func inLanguage(code string) string {
	if name := language.For(code).Name; name != "" {
		return " in " + name
	}
	return " in the language of the question"
}

// Joined is the prompt for an overview from the notes on all parts.
type Joined struct {
	Question string
	Title    string
	Notes    []string // in order; what Part wrote
	Language string
	FewShot  bool
}

// Messages returns the constant system prompt and the notes with the question.
func (j Joined) Messages() []inference.Message {
	last := "Notes on the document “" + neutral.Line(j.Title) + "”, part by part:\n\n" + strings.Join(j.Notes, "\n\n") + "\n\n" +
		"Answer" + inLanguage(j.Language) + " from these notes, about the whole document. Keep behind each statement the number in square brackets that stands behind it in the notes.\n" +
		questionLabel + j.Question
	return []inference.Message{{Role: "system", Text: System(j.FewShot)}, {Role: "user", Text: last}}
}

// Noted is what a part's note says; false where it says that there is nothing.
func Noted(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, strings.Trim(text, "-–—. \n") != ""
}

// JoinLists makes one list of the lines about all parts, each thing once, where
// it stands first.
func JoinLists(notes []string) string {
	var lines []string
	seen := map[string]bool{}
	for _, note := range notes {
		for line := range strings.Lines(note) {
			line = strings.TrimSpace(line)
			if _, ok := Noted(line); !ok {
				continue
			}
			key := strings.ToLower(strings.TrimSpace(markers.ReplaceAllString(line[language.ListMarker(line):], "")))
			if key = strings.TrimRight(key, "."); !seen[key] {
				seen[key] = true
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "\n")
}
