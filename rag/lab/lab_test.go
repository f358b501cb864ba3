package lab

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/rag"
)

const good = `{"name":"n","turns":[
 {"question":"Who?","references":[{"source":"a.md","fact":"Anna"}],"reply":"Anna."},
 {"question":"When does she work?","kind":"pronoun","standalone":"When does Anna work?","references":[{"source":"a.md","fact":"on Monday"}]}]}`

func load(t *testing.T, files map[string]string) ([]Conversation, error) {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(dir)
}

func TestP69_AMalformedConversationFailsTheLoadLoudly(t *testing.T) {
	if c, err := load(t, map[string]string{"a.json": good}); err != nil || len(c) != 1 || len(c[0].Turns) != 2 {
		t.Fatalf("%v, %v", c, err)
	}
	for name, c := range map[string]struct{ body, want string }{
		"first turn with a kind": {strings.Replace(good, `"question":"Who?"`, `"question":"Who?","kind":"pronoun"`, 1), "the first turn has no kind"},
		"no kind":                {strings.Replace(good, `"kind":"pronoun",`, "", 1), "is not one of"},
		"no standalone form":     {strings.Replace(good, `"standalone":"When does Anna work?",`, "", 1), "standalone"},
		"no reply":               {strings.Replace(good, `,"reply":"Anna."`, "", 1), "scripted reply"},
		"no references":          {strings.Replace(good, `{"source":"a.md","fact":"on Monday"}`, "", 1), "an unanswerable one has none"},
		"an empty fact":          {strings.Replace(good, `"fact":"on Monday"`, `"fact":" "`, 1), "a source and a fact"},
		"a misspelt field":       {strings.Replace(good, `"reply"`, `"replay"`, 1), "replay"},
		"one turn":               {`{"name":"n","turns":[{"question":"Q","references":[{"source":"a","fact":"b"}]}]}`, "at least two turns"},
		"no json":                {`{`, "unexpected EOF"},
	} {
		if _, err := load(t, map[string]string{"a.json": c.body}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := load(t, map[string]string{"a.json": good, "b.json": good}); err == nil || !strings.Contains(err.Error(), "is taken by") {
		t.Errorf("twice the same name: %v", err)
	}
}

// scripted finds hits whose text holds a word of what is searched, in its order.
type scripted []rag.Hit

func (s scripted) Search(_ context.Context, q Search) (rag.Prepared, []rag.Hit, error) {
	text := q.Question.Text
	if h := q.Question.History; q.Engine == "with_history" && len(h) > 0 {
		text = h[len(h)-1].Text + " " + text
	}
	var out []rag.Hit
	for _, h := range s {
		if slices.ContainsFunc(strings.Fields(text), func(w string) bool { return strings.Contains(h.Text, strings.Trim(w, ".?")) }) {
			out = append(out, h)
		}
	}
	return rag.Prepared{Engine: q.Engine, SearchQueries: []string{text}}, out[:min(q.K, len(out))], nil
}

func TestP70_RecallIsTheShareOfFactsAmongTheBest(t *testing.T) {
	conversations, err := load(t, map[string]string{"a.json": good})
	if err != nil {
		t.Fatal(err)
	}
	system := scripted{
		{Chunk: 1, Path: "/lib/b.md", Text: "Anna is here on Monday, in another file"}, // the right words in the wrong source
		{Chunk: 2, Path: "/lib/a.md", Text: "The caretaker is Anna, she works\non  Monday"},
	}
	set := ConversationSet("sample", conversations)
	var items []Item
	for _, engine := range []string{"simple", "with_history"} {
		for _, q := range set.Questions {
			item, err := Ask(t.Context(), system, set, Search{Question: q, Engine: engine, Retriever: "bm25", K: 5})
			if err != nil {
				t.Fatal(err)
			}
			items = append(items, item)
		}
	}
	cells := Summarize(items)
	for _, c := range []struct {
		engine, slice, metric string
		value                 float64
		n                     int
	}{
		{"simple", "follow_up", "recall@1", 1, 1}, // "she" stands in the right chunk only
		{"with_history", "follow_up", "recall@1", 0, 1},
		{"with_history", "follow_up", "recall@3", 1, 1},
		{"with_history", "pronoun", "recall@3", 1, 1},
		{"with_history", "all", "recall@3", 0.5, 2}, // "Who?" finds nothing
		{"with_history", "follow_up", "unchanged", 0, 1},
		{"with_history", "all", "recall@5_gain", 0, 2},
		{"with_history", "all", "equal", 1, 2}, // by recall@5
	} {
		got, ok := Find(cells, "sample", c.engine, "bm25", c.slice, c.metric)
		if !ok || got.Value != c.value || got.N != c.n {
			t.Errorf("%s %s %s: %+v", c.engine, c.slice, c.metric, got)
		}
	}
	if _, ok := Find(cells, "sample", "simple", "bm25", "all", "recall@10"); ok {
		t.Error("recall@10 of five hits was judged")
	}
	table := Table(cells)
	for _, want := range []string{"S0 sample", "with_history", "follow_up", "0.500 (0.000–1.000)"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in the table:\n%s", want, table)
		}
	}
}

func TestRankOf_APageThatIsNamedMustBeTheOne(t *testing.T) {
	hits := []rag.Hit{{Path: "/l/m.pdf", Text: "1.8 bar", Locator: rag.Locator{Page: 4}}, {Path: "/l/m.pdf", Text: "1.8 bar", Locator: rag.Locator{Page: 6, PageTo: 7}}}
	if got := rankOf(Reference{Source: "m.pdf", Fact: "1.8 BAR", Page: 7}, hits); got != 2 {
		t.Errorf("rank %d", got)
	}
	if got := rankOf(Reference{Source: "m.pdf", Fact: "1.8 bar", Page: 9}, hits); got != 0 {
		t.Errorf("rank %d", got)
	}
}

func TestConversations_TheProductsOwnAreWellFormed(t *testing.T) {
	all, err := Load(filepath.Join("..", "..", "testdata", "conversations"))
	if err != nil {
		t.Fatal(err)
	}
	turns, seen := 0, map[Kind]int{}
	for _, c := range all {
		for _, turn := range c.Turns {
			turns++
			seen[turn.Kind]++
			for _, r := range turn.References {
				body, err := os.ReadFile(filepath.Join("..", "..", "testdata", "library", filepath.FromSlash(r.Source)))
				if err != nil {
					t.Errorf("%s: %v", c.Name, err)
				}
				if r.Page == 0 && !strings.Contains(fold(string(body)), fold(r.Fact)) && !strings.HasSuffix(r.Source, ".html") {
					t.Errorf("%s: %q does not stand in %s", c.Name, r.Fact, r.Source)
				}
			}
		}
	}
	if len(all) < 12 || turns < 40 {
		t.Errorf("%d conversations, %d turns", len(all), turns)
	}
	for _, k := range kinds {
		if seen[k] == 0 {
			t.Errorf("no turn of the kind %s", k)
		}
	}
}

// A file of the sample library that was not read is an error: its facts would
// count as not found, and nobody would know why. A kind that is not read is none.
func TestP69_AFileThatIsNotReadEndsTheRun(t *testing.T) {
	root := t.TempDir()
	for name, body := range map[string]string{"library/a.md": "Anna works on Monday.", "library/b.bin": "Bruno.", "conversations/a.json": good} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for status, ok := range map[rag.FileStatus]bool{rag.FileIndexed: true, rag.FileUnsupported: true, rag.FileTimedOut: false, rag.FileParked: false, rag.FileDamaged: false} {
		sets, err := readSample(t.Context(), root, func(_ context.Context, path string) (rag.Extraction, error) {
			if filepath.Base(path) == "b.bin" {
				return rag.Extraction{Status: status}, nil
			}
			body, err := os.ReadFile(path)
			return rag.Extraction{Status: rag.FileIndexed, Text: string(body), Blocks: []rag.Block{{Kind: rag.BlockParagraph, Text: string(body)}}}, err
		})
		if (err == nil) != ok || ok && len(sets[0].Rows) == 0 || !ok && !strings.Contains(err.Error(), "sample/b.bin could not be read ("+string(status)+")") {
			t.Errorf("%s: %v", status, err)
		}
	}
}
