//go:build models

package turn

import (
	"testing"

	"referent/rag"
)

// The starter model says what a document is about and lists what is in it, with
// citations that hold.
func TestR095_TheStarterModelReadsADocument(t *testing.T) {
	d := real(t)
	d.deps.Documents = papers
	d.rebuild()
	o := Defaults()
	o.AnswerMaxTokens = 96
	cited := 0
	questions := []string{"What are the house rules about?", "Summarise the garden rules", "List all animals in house-rules.md", "Riassumi garden-rules.md"}
	for _, q := range questions {
		out := d.answered(Request{Question: q, Options: o})
		t.Logf("%-9s %q → %q %v", out.Done.AnswerCheck.Status, q, out.Done.Answer, out.Done.AnswerCheck.Issues)
		if out.Done.AnswerCheck.Status == rag.CheckRefused || len(out.Evidence()) < 2 {
			t.Errorf("%q was not answered from the document: %+v", q, out.Done)
		}
		if len(out.Done.Citations) > 0 {
			cited++
		}
	}
	if cited < len(questions)-1 {
		t.Errorf("%d of %d answers cite", cited, len(questions))
	}
}
