package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"referent/rag"
	"referent/rag/engine"
	"referent/rag/lab"
	"referent/rag/language"
	"referent/storage/chats"
)

// OwnTest is one question of the person's own with its right passages.
type OwnTest struct {
	ID       string        `json:"id"` // empty: a new one
	Question string        `json:"question"`
	History  []rag.Message `json:"history"`
	Kind     string        `json:"kind"`
	Added    string        `json:"added"`
	Passages []TestPassage `json:"passages"`
	// Problem says why it is not asked now: its passage is restricted or has left
	// the library.
	Problem Optional `json:"problem"`
}

// TestPassage is a passage that answers a test.
type TestPassage struct {
	Hash  string `json:"hash"` // of its content
	Title string `json:"title"`
	Text  string `json:"text"`
	Right bool   `json:"right"` // chosen
}

// TestDraft is a turn on its way to be a test: its passages are those that it
// found and that may be searched, the cited ones chosen.
type TestDraft struct {
	Test  OwnTest  `json:"test"`
	Kinds []string `json:"kinds"`
}

// TestsState tells of the own tests as a whole.
type TestsState struct {
	Count   int      `json:"count"`
	LastRun Optional `json:"last_run"` // id of the newest that ended
	// Changes lists what was changed since it, as keys of settings and roles of
	// models: the tests are offered to be run again.
	Changes []string `json:"changes"`
	// Worse and Better count questions against the run before the last one; Warning
	// says it where the last change made the whole worse.
	Worse   int      `json:"worse"`
	Better  int      `json:"better"`
	Before  Optional `json:"before"` // id of that run
	Warning Optional `json:"warning"`
}

// ProposeTest implements Lab.
func (a *App) ProposeTest(ctx context.Context, turn int64) (TestDraft, error) {
	req := AskRequest{Again: &turn}
	old, err := a.asked(ctx, &req)
	if err != nil {
		return TestDraft{}, err
	}
	history, err := a.past(ctx, chats.Past{Conversation: old.Conversation, Newest: historyLoaded, Before: old.Ordinal})
	if err != nil {
		return TestDraft{}, err
	}
	stored := storedTurn(*old)
	t := OwnTest{Question: stored.Question, History: append([]rag.Message{}, history...), Passages: []TestPassage{}}
	t.Kind = string(suggestKind(stored, history))
	cited := map[int64]bool{}
	for _, c := range stored.Done.Citations {
		cited[c.Chunk] = true
	}
	var hashes []string
	for _, h := range stored.Retrieval.Hits {
		hashes = append(hashes, h.ContentHash)
	}
	found, err := a.index.ChunksWithContent(ctx, hashes)
	if err != nil {
		return TestDraft{}, storageError(err)
	}
	for _, h := range stored.Retrieval.Hits {
		if len(found[h.ContentHash]) == 0 || slices.ContainsFunc(t.Passages, func(p TestPassage) bool { return p.Hash == h.ContentHash }) {
			continue
		}
		t.Passages = append(t.Passages, TestPassage{Hash: h.ContentHash, Title: h.Title, Text: h.Text, Right: cited[h.Chunk]})
	}
	if len(t.Passages) == 0 {
		return TestDraft{}, &rag.Error{Code: rag.CodeNotAvailable, Message: "This turn has no passage that could be the right one.",
			Hint: "Ask again, and add the turn that finds it."}
	}
	draft := TestDraft{Test: t, Kinds: []string{}}
	for _, k := range lab.Kinds() {
		draft.Kinds = append(draft.Kinds, string(k))
	}
	return draft, nil
}

// suggestKind guesses how a turn depends on those before it.
func suggestKind(t StoredTurn, history []rag.Message) lab.Kind {
	if len(history) == 0 {
		return lab.KindFirst
	}
	code, _ := language.Detect(t.Question)
	refers, why := engine.Refers(language.For(code), t.Question, history)
	switch {
	case len(t.Prepared.SearchQueries) > 1:
		return lab.KindComparison
	case !refers:
		return lab.KindTopicShift
	case strings.HasPrefix(why, "says"), strings.HasPrefix(why, "speaks of"):
		return lab.KindPronoun
	}
	return lab.KindElliptical
}

// SaveTest implements Lab.
func (a *App) SaveTest(ctx context.Context, t OwnTest) (OwnTest, error) {
	kind := lab.Kind(t.Kind)
	right := slices.DeleteFunc(slices.Clone(t.Passages), func(p TestPassage) bool { return !p.Right })
	switch {
	case strings.TrimSpace(t.Question) == "":
		return t, wrongTest("A test needs a question.", "Write one.")
	case len(right) == 0:
		return t, wrongTest("A test needs the passage that answers it.", "Choose at least one.")
	case !slices.Contains(lab.Kinds(), kind):
		return t, wrongTest("There is no such kind of question.", "Choose one of the list.")
	}
	hashes := make([]string, len(right))
	for i, p := range right {
		hashes[i] = p.Hash
	}
	found, err := a.index.ChunksWithContent(ctx, hashes)
	if err != nil {
		return t, storageError(err)
	}
	test := lab.Test{ID: t.ID, Text: strings.TrimSpace(t.Question), History: t.History, Kind: kind, Added: time.Now().UTC().Truncate(time.Second)}
	for _, p := range right {
		if len(found[p.Hash]) == 0 {
			return t, wrongTest("A passage of this test cannot be searched.", "It is restricted or has left the library. Choose another one.")
		}
		chunks, err := a.index.Chunks(ctx, found[p.Hash][:1])
		if err != nil || len(chunks) == 0 {
			return t, storageError(err)
		}
		test.Passages = append(test.Passages, lab.TestPassage{ID: p.Hash, Document: chunks[0].Document, Title: chunks[0].Title, Text: chunks[0].Text})
	}
	err = a.changeTests(func(tests []lab.Test) ([]lab.Test, error) {
		if test.ID == "" {
			test.ID = time.Now().UTC().Format("20060102T150405.000000")
			return append(tests, test), nil
		}
		i := slices.IndexFunc(tests, func(o lab.Test) bool { return o.ID == test.ID })
		if i < 0 {
			return nil, unknownTest()
		}
		test.Added = tests[i].Added
		tests[i] = test
		return tests, nil
	})
	if err != nil {
		return t, err
	}
	return ownTest(test), nil
}

func wrongTest(message, hint string) error {
	return &rag.Error{Code: rag.CodeInvalidSetting, Message: message, Hint: hint}
}

func unknownTest() error { return wrongTest("There is no such test.", "It may have been deleted.") }

func ownTest(t lab.Test) OwnTest {
	out := OwnTest{ID: t.ID, Question: t.Text, History: append([]rag.Message{}, t.History...), Kind: string(t.Kind), Added: stamp(t.Added),
		Passages: []TestPassage{}}
	for _, p := range t.Passages {
		out.Passages = append(out.Passages, TestPassage{Hash: p.ID, Title: p.Title, Text: p.Text, Right: true})
	}
	return out
}

// changeTests reads the tests, changes them and writes them back, one call at a
// time.
func (a *App) changeTests(change func([]lab.Test) ([]lab.Test, error)) error {
	a.bench.mu.Lock()
	defer a.bench.mu.Unlock()
	tests, err := lab.ReadTests(a.labPath("tests"))
	if err != nil {
		return storageError(err)
	}
	if tests, err = change(tests); err != nil {
		return err
	}
	return storageError(lab.WriteTests(a.labPath("tests"), tests))
}

// Tests implements Lab. What is restricted now is not shown.
func (a *App) Tests(ctx context.Context) ([]OwnTest, error) {
	tests, err := lab.ReadTests(a.labPath("tests"))
	if err != nil {
		return nil, storageError(err)
	}
	out := []OwnTest{}
	lost, err := a.lostPassages(ctx, tests)
	if err != nil {
		return nil, err
	}
	for _, t := range tests {
		shown := ownTest(t)
		for i, p := range shown.Passages {
			if lost[p.Hash] {
				shown.Passages[i].Title, shown.Passages[i].Text = "", ""
				shown.Problem = "Its passage is restricted, has changed or has left the library. It is left out until you choose another one."
			}
		}
		out = append(out, shown)
	}
	return out, nil
}

// lostPassages are those that no search can find now.
func (a *App) lostPassages(ctx context.Context, tests []lab.Test) (map[string]bool, error) {
	var hashes []string
	for _, t := range tests {
		for _, p := range t.Passages {
			hashes = append(hashes, p.ID)
		}
	}
	found, err := a.index.ChunksWithContent(ctx, hashes)
	if err != nil {
		return nil, storageError(err)
	}
	lost := map[string]bool{}
	for _, h := range hashes {
		lost[h] = len(found[h]) == 0
	}
	return lost, nil
}

// DeleteTest implements Lab.
func (a *App) DeleteTest(_ context.Context, id string) error {
	return a.changeTests(func(tests []lab.Test) ([]lab.Test, error) {
		i := slices.IndexFunc(tests, func(t lab.Test) bool { return t.ID == id })
		if i < 0 {
			return nil, unknownTest()
		}
		a.bench.deleted = append(a.bench.deleted, tests[i])
		return slices.Delete(tests, i, i+1), nil
	})
}

// RestoreTest implements Lab.
func (a *App) RestoreTest(_ context.Context, id string) error {
	return a.changeTests(func(tests []lab.Test) ([]lab.Test, error) {
		i := slices.IndexFunc(a.bench.deleted, func(t lab.Test) bool { return t.ID == id })
		if i < 0 {
			return nil, unknownTest()
		}
		tests = append(tests, a.bench.deleted[i])
		a.bench.deleted = slices.Delete(a.bench.deleted, i, i+1)
		slices.SortFunc(tests, func(x, y lab.Test) int { return strings.Compare(x.ID, y.ID) })
		return tests, nil
	})
}
