package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/rag"
)

// previous is the engine of docs/turn.md, word for word.
type previous struct{}

func (previous) Name() string     { return "previous" }
func (previous) Sentence() string { return "Searches your words and those of your last question." }

func (previous) Prepare(_ context.Context, req Request, _ Tools) (rag.Prepared, error) {
	if len(req.History) == 0 {
		return verbatim(req, rag.StatusNoHistory), nil
	}
	p := verbatim(req, rag.StatusExpanded)
	for _, m := range req.History { // the last one stays
		if m.Role == "user" {
			p.SearchQuery = m.Text + " " + req.Question
		}
	}
	p.SearchQueries, p.HistoryMessagesUsed = []string{p.SearchQuery}, len(req.History)
	return p, nil
}

func TestP01_TheEngineOfTheDocsIsOneFileAndOneLine(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "turn.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(page), "```go\n")
	code, _, _ = strings.Cut(code, "```")
	_, code, _ = strings.Cut(code, "\n") // the comment above it is another one here
	if here, err := os.ReadFile("docs_test.go"); err != nil || code == "" || !strings.Contains(string(here), code) {
		t.Errorf("the engine of the page is not the one that is tested here (%v):\n%s", err, code)
	}
	r := Default()
	r.Register(previous{})
	e, err := r.Lookup("previous")
	if err != nil || !slices.Contains(r.Names(), "previous") {
		t.Fatal(r.Names(), err)
	}
	history := []rag.Message{{Role: "user", Text: "How tall is the Harlow Bridge?"}, {Role: "assistant", Text: "80 metres."}}
	p, err := e.Prepare(t.Context(), Request{Question: "When was it opened?", History: history, Options: Defaults()}, Tools{})
	if err != nil || p.Engine != "previous" || p.OriginalQuery != "When was it opened?" || !slices.Equal(p.SearchQueries, []string{"How tall is the Harlow Bridge? When was it opened?"}) {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := e.Prepare(t.Context(), Request{Question: "When?", Options: Defaults()}, Tools{}); err != nil || p.Status != rag.StatusNoHistory || p.Searched() != "When?" {
		t.Errorf("%+v, %v", p, err)
	}
}
