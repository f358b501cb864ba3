package engine

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/rag"
)

// both runs a test on both forms of a call, with two passages shown.
func both(t *testing.T, run func(t *testing.T, lp *loop, g gbnf)) {
	for name, native := range map[string]bool{"line": false, "native": true} {
		t.Run(name, func(t *testing.T) {
			lp := reader()
			lp.native = native
			run(t, lp, readGBNF(t, lp.grammar()))
		})
	}
}

// parsed reads a reply as the loop does.
func parsed(lp *loop, text string) (call, bool, error) {
	if lp.native {
		line, err := fromNative(strings.TrimSuffix(text, callClose)) // a stop string
		if err != nil {
			return call{}, false, err
		}
		return lp.read(line)
	}
	line, _, _ := strings.Cut(text, "\n")
	return lp.read(line)
}

// Whatever follows the grammar can be read: a model that is held to it never
// writes a line that is refused.
func TestResearch_EveryReplyUnderTheGrammarCanBeRead(t *testing.T) {
	both(t, func(t *testing.T, lp *loop, g gbnf) {
		rnd := rand.New(rand.NewPCG(7, 7))
		words := map[string]int{}
		for range 3000 {
			text := g.sentence(rnd)
			c, done, err := parsed(lp, text)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			word := doneWord
			if !done {
				word = c.tool.name
			}
			words[word]++
			if !g.follows(text) {
				t.Fatalf("%q was written and is not recognised", text)
			}
		}
		if len(words) != len(lp.table)+1 {
			t.Errorf("written were %v", words)
		}
	})
}

// What the prompt shows as calls is what the grammar allows, and little else.
func TestResearch_TheGrammarAllowsTheExamplesAndNothingUnreadable(t *testing.T) {
	both(t, func(t *testing.T, lp *loop, g gbnf) {
		for _, m := range lp.example() {
			if m.Role == roleAssistant && !g.follows(m.Text) {
				t.Errorf("the example %q does not follow the grammar", m.Text)
			}
		}
		for _, line := range []string{"search warranty of pump A", "search prezzo d'affitto | type=pdf | limit=3 | offset=8", "open 2", "list",
			"list | language=it", "search budget | date>=2024-05", "ask Which house do you mean?", "search 暖房の温度"} {
			c, _, err := lp.read(line)
			if err != nil {
				t.Fatal(err)
			}
			if text := lp.form(c); !g.follows(text) {
				t.Errorf("%q does not follow the grammar", text)
			} else if again, _, err := parsed(lp, text); err != nil || again.line() != c.line() {
				t.Errorf("%q reads as %q (%v), want %q", text, again.line(), err, c.line())
			}
		}
		for _, bad := range []string{"", "The boiler is serviced in May.", "search", "search WORDS", "search | type=pdf", "open 3", "open 0", "ask QUESTION", "ask Why",
			"search a | label=x", "search a | limit=51", "search <b>", "search a\nsearch b", "done now", "list | limit=3"} {
			if g.follows(bad) {
				t.Errorf("%q follows the grammar", bad)
			}
		}
	})
}

func TestResearch_NothingIsOpenedBeforeItIsFound(t *testing.T) {
	both(t, func(t *testing.T, lp *loop, _ gbnf) {
		lp.passages = nil
		if g := lp.grammar(); strings.Contains(g, "open") {
			t.Errorf("a passage can be opened:\n%s", g)
		}
	})
}

// A host that follows grammars gets one with every call, for what was found by
// then; any other gets none.
func TestResearch_TheGrammarGoesWithEveryCall(t *testing.T) {
	for _, holds := range []bool{true, false} {
		model := &lines{text: []string{"search Harlow Bridge", "open 2", "done"}, info: inference.ModelInfo{Grammar: holds}}
		p := researched(t, "When is the office closed?", model, pumps())
		expectSteps(t, p, "search 1", "search 2", "open_passage 1")
		for i, req := range model.asked {
			if (req.Grammar != "") != holds || len(req.Tools) > 0 {
				t.Fatalf("call %d: grammar %q, %d tools", i+1, req.Grammar, len(req.Tools))
			}
			if holds {
				g := readGBNF(t, req.Grammar)
				if want := i > 0; !g.follows("open 1") || g.follows("open 2") != want {
					t.Errorf("call %d allows open 1 %v, open 2 %v", i+1, g.follows("open 1"), g.follows("open 2"))
				}
			}
		}
	}
}

// nativeModel is a model whose template has calls, and whose entry of the
// catalogue wants them.
func nativeModel(text ...string) *lines {
	info := inference.ModelInfo{ToolCalls: true, Grammar: true}
	info.ToolStyle = inference.ToolsNative
	return &lines{text: text, info: info}
}

func TestResearch_NativeCalls(t *testing.T) {
	model := nativeModel("<tool_call>\n{\"name\": \"search\", \"arguments\": {\"query\": \"Harlow Bridge\", \"filters\": {\"type\": \"text\"}}}\n",
		"<tool_call>\n{\"name\": \"open_passage\", \"arguments\": {\"number\": 2}}\n", "<tool_call>\n{\"name\": \"search\", \"arguments\": {}}", "done")
	p := researched(t, toll, model, pumps())
	expectSteps(t, p, "search 1", "search 2", "open_passage 1")
	if p.Ended != rag.EndedEnough || len(p.Filters) != 1 || p.Filters[0].Values[0] != "text" {
		t.Errorf("%+v", p)
	}
	first := model.asked[0]
	if len(first.Tools) != 4 || first.Messages[0].Text != nativeRules || !slices.Equal(first.Stop, []string{callClose}) {
		t.Errorf("%+v", first)
	}
	for _, tool := range first.Tools {
		if tool.Description == "" || !json.Valid(tool.Parameters) {
			t.Errorf("%+v", tool)
		}
	}
	last := model.asked[3].Messages
	if n := len(last); last[n-1].Role != roleTool || !strings.Contains(last[n-1].Text, "Words to search are missing") || last[n-3].Role != roleTool ||
		last[n-4].Text != "<tool_call>\n{\"name\": \"open_passage\", \"arguments\": {\"number\": 2}}\n</tool_call>" {
		t.Errorf("%+v", last[n-4:])
	}
}

// The style is the catalogue's wish and the template's ability together.
func TestResearch_LinesWhereTheTemplateHasNoCalls(t *testing.T) {
	for name, change := range map[string]func(*inference.ModelInfo){
		"no calls in the template": func(i *inference.ModelInfo) { i.ToolCalls = false },
		"not in the catalogue":     func(i *inference.ModelInfo) { i.ToolStyle = "" },
		"by line":                  func(i *inference.ModelInfo) { i.ToolStyle = inference.ToolsByLine },
		"plain text":               func(i *inference.ModelInfo) { i.PromptStyle = inference.StyleCompletion },
	} {
		model := nativeModel("search Harlow Bridge", "done")
		change(&model.info)
		p := researched(t, toll, model, pumps())
		if expectSteps(t, p, "search 1", "search 2"); len(model.asked[0].Tools) > 0 || strings.Contains(model.asked[0].Grammar, "tool_call") {
			t.Errorf("%s: %+v", name, model.asked[0])
		}
	}
}
