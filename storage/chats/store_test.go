package chats

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// book is the driver of these tests: a store in a folder of its own.
type book struct {
	*Store
	t   *testing.T
	dir string
}

func newBook(t *testing.T) *book {
	t.Helper()
	b := &book{t: t, dir: t.TempDir()}
	b.open()
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func (b *book) open() {
	b.t.Helper()
	s, err := Open(b.t.Context(), b.dir)
	b.ok(err)
	b.Store = s
}

func (b *book) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *book) conversation(title string) Conversation {
	b.t.Helper()
	c, err := b.CreateConversation(b.t.Context(), Conversation{Title: title})
	b.ok(err)
	return c
}

func (b *book) say(conversation int64, question, answer string, evidence ...Evidence) Turn {
	b.t.Helper()
	t, err := b.SaveTurn(b.t.Context(), Turn{Conversation: conversation, Question: question, Answer: answer, Evidence: evidence})
	b.ok(err)
	return t
}

func ref[T any](v T) *T { return &v }

func fullTurn(conversation int64) Turn {
	return Turn{
		Conversation: conversation, Created: time.UnixMilli(1_700_000_000_123), Question: " Wie hoch?\r\n", Answer: "3 m [1]", Mode: "strict",
		ChatEngine: "condense_context", SearchQuery: ref("height of the wall"), SearchQueries: []string{"height of the wall", "b"}, RerankQuery: "height",
		RewriteStatus: "failed_expanded", RewriteReason: ref("timeout"), RewriteMS: ref(12.5), HistoryUsed: ref(4), BlendAlpha: ref(0.7),
		AddedWords: `["wall"]`, Warnings: `[]`, Filters: `[{}]`, AnswerCheck: `{"status":"supported"}`, Citations: `[1]`, Sources: `[{"document":7}]`,
		Latency: `{"total":3}`, Usage: `{"prompt_tokens":9}`, Compression: `{"on":true}`, Detail: `"d"`,
		TokensPerSecond: ref(11.25), Seed: ref(uint32(4294967295)), Threads: ref(2), BudgetTokens: 900, PackedTokens: 800, Floor: 0.81, RestrictedCount: 2, Continued: true,
		Evidence: []Evidence{
			{N: 1, Rank: 1, Chunk: 5, Document: 7, ContentHash: "h", Path: "/a", Title: "A", Heading: "X > Y", Locator: `{"page":3}`, Text: "text", Rendered: "[1] text",
				Strategy: "verbatim", Class: "fact", Owner: "match", Packing: "packed", Trace: `{"bm25":{"rank":1}}`, Pinned: true, Score: 0.5, RenderedTokens: 12},
			{N: 0, Rank: 2, Chunk: 6, Document: 8, Owner: "hint_extra", Packing: "budget"},
		},
	}
}

func TestP61_TurnKeepsEveryColumn(t *testing.T) {
	b := newBook(t)
	c := b.conversation("T")
	want, err := b.SaveTurn(t.Context(), fullTurn(c.ID))
	b.ok(err)
	b.ok(b.Close())
	b.open()
	turns, err := b.Turns(t.Context(), c.ID)
	b.ok(err)
	if len(turns) != 1 || !reflect.DeepEqual(turns[0], want) {
		t.Errorf("got  %+v\nwant %+v", turns, want)
	}
	if one, found, err := b.Turn(t.Context(), want.ID); err != nil || !found || !reflect.DeepEqual(one, want) {
		t.Errorf("Turn: %+v %v %v", one, found, err)
	}
	got, _, err := b.Conversation(t.Context(), c.ID)
	b.ok(err)
	if got.Turns != 1 || got.Updated.Before(c.Updated) {
		t.Errorf("conversation %+v", got)
	}
}

// A row from before the columns existed reads as searched verbatim.
func TestP61_OldRowReadsAsVerbatim(t *testing.T) {
	b := newBook(t)
	c := b.conversation("T")
	saved := b.say(c.ID, "q", "a")
	got, _, err := b.Turn(t.Context(), saved.ID)
	b.ok(err)
	if got.SearchQuery != nil || got.SearchQueries != nil || got.RewriteReason != nil || got.RewriteMS != nil || got.HistoryUsed != nil ||
		got.BlendAlpha != nil || got.ChatEngine != "" || got.RewriteStatus != "" || got.AnswerCheck != "" || got.Filters != "" || got.Compression != "" {
		t.Errorf("%+v", got)
	}
	var null int
	b.ok(b.db.Read.QueryRow(`SELECT (chat_engine IS NULL) + (search_query IS NULL) + (rewrite_status IS NULL) + (rewrite_reason IS NULL) + (rewrite_ms IS NULL) +
		(history_used IS NULL) + (blend_alpha IS NULL) + (answer_check IS NULL) + (filters IS NULL) + (compression IS NULL) FROM turns`).Scan(&null))
	if null != 10 {
		t.Errorf("%d of 10 columns are null", null)
	}
}

func TestP63_BadEvidenceLeavesNoTurn(t *testing.T) {
	b := newBook(t)
	c := b.conversation("T")
	turn := fullTurn(c.ID)
	turn.Evidence[1].Rank = 1 // breaks a rule of the schema after the turn's row went in
	if _, err := b.SaveTurn(t.Context(), turn); err == nil {
		t.Fatal("two passages of one rank were accepted")
	}
	turns, err := b.Turns(t.Context(), c.ID)
	b.ok(err)
	if len(turns) != 0 {
		t.Errorf("%d turns after a failed save", len(turns))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.SaveTurn(ctx, fullTurn(c.ID)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want cancelled", err)
	}
}

func TestP67_History(t *testing.T) {
	b := newBook(t)
	c, other := b.conversation("T"), b.conversation("other")
	at := time.UnixMilli(1_700_000_000_000)
	for i := 1; i <= 3; i++ { // all at the same time: the order must not hang on it
		_, err := b.SaveTurn(t.Context(), Turn{Conversation: c.ID, Created: at, Question: fmt.Sprint("q", i), Answer: fmt.Sprint("a", i)})
		b.ok(err)
	}
	b.say(other.ID, "no", "no")
	for _, h := range []struct {
		newest int
		want   string
	}{{-1, ""}, {0, ""}, {1, "assistant:a3"}, {2, "user:q3 assistant:a3"}, {3, "assistant:a2 user:q3 assistant:a3"},
		{6, "user:q1 assistant:a1 user:q2 assistant:a2 user:q3 assistant:a3"}, {1000, "user:q1 assistant:a1 user:q2 assistant:a2 user:q3 assistant:a3"}} {
		messages, err := b.History(t.Context(), Past{Conversation: c.ID, Newest: h.newest})
		b.ok(err)
		var got []string
		for _, m := range messages {
			got = append(got, m.Role+":"+m.Text)
		}
		if strings.Join(got, " ") != h.want {
			t.Errorf("newest %d: %v, want %s", h.newest, got, h.want)
		}
	}
	if got, err := b.History(t.Context(), Past{Conversation: b.conversation("empty").ID, Newest: 4}); err != nil || len(got) != 0 {
		t.Errorf("empty conversation: %v, %v", got, err)
	}
}

// The bound holds in SQL: turns are read through the index, newest first,
// without sorting.
func TestP67_HistoryReadsNoMoreThanAsked(t *testing.T) {
	b := newBook(t)
	rows, err := b.db.Read.Query("EXPLAIN QUERY PLAN "+historyQuery, 1, 4, 9, "[]")
	b.ok(err)
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		b.ok(rows.Scan(&id, &parent, &unused, &detail))
		plan = append(plan, detail)
	}
	if got := strings.Join(plan, "; "); !strings.Contains(got, "SEARCH turns USING INDEX sqlite_autoindex_turns_1 (conversation=? AND ordinal<?)") {
		t.Errorf("plan: %s", got)
	}
}

func TestP67_UnknownConversation(t *testing.T) {
	b := newBook(t)
	for name, err := range map[string]error{
		"history": func() error { _, err := b.History(t.Context(), Past{Conversation: 99, Newest: 4}); return err }(),
		"turns":   func() error { _, err := b.Turns(t.Context(), 99); return err }(),
		"save":    func() error { _, err := b.SaveTurn(t.Context(), fullTurn(99)); return err }(),
		"rename":  b.RenameConversation(t.Context(), 99, "x"),
		"delete":  b.DeleteConversation(t.Context(), 99),
		"options": b.SetConversationOptions(t.Context(), Conversation{ID: 99}),
	} {
		if !errors.Is(err, ErrUnknownConversation) || err.Error() != "There is no such conversation. It may have been deleted." {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := b.History(t.Context(), Past{Conversation: 99}); err != nil || got != nil {
		t.Errorf("newest 0 asked something: %v, %v", got, err)
	}
}

func TestConversations(t *testing.T) {
	b := newBook(t)
	old, err := b.CreateConversation(t.Context(), Conversation{Title: "old", Created: time.UnixMilli(1000)})
	b.ok(err)
	recent := b.conversation("recent")
	pinned, err := b.CreateConversation(t.Context(), Conversation{Title: "pinned", Created: time.UnixMilli(500)})
	b.ok(err)
	b.ok(b.PinConversation(t.Context(), pinned.ID, true))
	titles := func() string {
		t.Helper()
		all, err := b.Conversations(t.Context(), 0, 0)
		b.ok(err)
		var got []string
		for _, c := range all {
			got = append(got, c.Title)
		}
		return strings.Join(got, " ")
	}
	if got := titles(); got != "pinned recent old" {
		t.Errorf("order %q", got)
	}
	b.ok(b.RenameConversation(t.Context(), old.ID, "renamed"))
	b.ok(b.SetConversationOptions(t.Context(), Conversation{ID: old.ID, Engine: "simple", Mode: "quote", GenerationHistory: ref(0), Scope: `{"path_under":"/a"}`}))
	got, found, err := b.Conversation(t.Context(), old.ID)
	if err != nil || !found || got.Title != "renamed" || got.Engine != "simple" || got.Mode != "quote" || got.GenerationHistory == nil || *got.GenerationHistory != 0 || got.Scope != `{"path_under":"/a"}` {
		t.Errorf("%+v %v %v", got, found, err)
	}
	page, err := b.Conversations(t.Context(), 1, 1)
	if err != nil || len(page) != 1 || page[0].ID != recent.ID {
		t.Errorf("page %+v, %v", page, err)
	}
}

func TestDeleteConversationLeavesNoTrace(t *testing.T) {
	b := newBook(t)
	c, stays := b.conversation("T"), b.conversation("stays")
	b.say(c.ID, "the zebraquestion", "the zebraanswer", Evidence{Text: "zebrapassage"})
	b.say(stays.ID, "other", "words")
	b.ok(b.SetDraft(t.Context(), c.ID, "zebradraft"))
	b.ok(b.DeleteConversation(t.Context(), c.ID))
	if found, err := b.Search(t.Context(), "zebraquestion"); err != nil || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
	var rows int
	b.ok(b.db.Read.QueryRow("SELECT (SELECT count(*) FROM evidence) + (SELECT count(*) FROM turns) + (SELECT count(*) FROM drafts)").Scan(&rows))
	if rows != 1 {
		t.Errorf("%d rows left, want the other turn", rows)
	}
	b.ok(b.Close())
	defer b.open()
	for _, name := range []string{FileName, FileName + "-wal"} {
		if bytes, err := os.ReadFile(b.dir + "/" + name); err == nil && strings.Contains(string(bytes), "zebra") {
			t.Errorf("%s holds deleted text", name)
		}
	}
}

func TestSearch(t *testing.T) {
	b := newBook(t)
	c := b.conversation("Heating")
	first := b.say(c.ID, "Wie heißt der Präsident?", "Er heißt Müller-Lüdenscheidt.")
	second := b.say(c.ID, "How hot is the boiler?", "Sixty degrees.")
	third := b.say(c.ID, "暖房の温度は?", "六十度です。")
	for _, s := range []struct {
		text string
		want []int64
	}{
		{"boiler", []int64{second.ID}},
		{"BOIL degr", []int64{second.ID}},   // beginnings, any case, both sides
		{"boiler präsident", nil},           // every word
		{"prasident", []int64{first.ID}},    // without accents
		{"lüdenscheidt", []int64{first.ID}}, // part of a compound
		{"温度", []int64{third.ID}},           // no spaces
		{"温度 boiler", nil},
		{`"NOT OR* (`, nil}, // operators are words
		{"- . ?", nil}, {"", nil},
	} {
		found, err := b.Search(t.Context(), s.text)
		b.ok(err)
		var got []int64
		for _, m := range found {
			got = append(got, m.Turn)
			if m.Conversation != c.ID || m.Title != "Heating" || m.Snippet == "" {
				t.Errorf("%q: %+v", s.text, m)
			}
		}
		if !reflect.DeepEqual(got, s.want) {
			t.Errorf("%q found %v, want %v", s.text, got, s.want)
		}
	}
}

func TestP62_EvidenceOfADeletedFileStays(t *testing.T) {
	b := newBook(t)
	turn, err := b.SaveTurn(t.Context(), fullTurn(b.conversation("T").ID)) // documents 7 and 8 exist nowhere
	b.ok(err)
	got, _, err := b.Turn(t.Context(), turn.ID)
	b.ok(err)
	if e := got.Evidence[0]; e.Text != "text" || e.Rendered != "[1] text" || e.Strategy != "verbatim" || e.Owner != "match" || e.Document != 7 {
		t.Errorf("%+v", e)
	}
}

func TestP68_AForgottenDocumentLeavesItsAnswersToo(t *testing.T) {
	b := newBook(t)
	turn := fullTurn(b.conversation("T").ID)
	turn.Sources = `[{"n":1,"document":7,"path":"/zebra","title":"zebra","heading":"h","locator":{"page":3}},{"n":2,"document":8,"path":"/keep"}]`
	turn.Evidence[0].Text, turn.Answer = "zebratext", "the zebraanswer [1]"
	turn, err := b.SaveTurn(t.Context(), turn)
	b.ok(err)
	b.ok(b.ForgetDocument(t.Context(), 7))
	got, _, err := b.Turn(t.Context(), turn.ID)
	b.ok(err)
	want := Evidence{N: 1, Rank: 1, Chunk: 5, Document: 7, Strategy: "verbatim", Class: "fact", Owner: "match", Packing: "packed", Trace: `{"bm25":{"rank":1}}`,
		Pinned: true, Score: 0.5, RenderedTokens: 12, Forgotten: true}
	if !reflect.DeepEqual(got.Evidence[0], want) {
		t.Errorf("got %+v", got.Evidence[0])
	}
	if !got.Withheld || got.Answer+got.Citations+got.AnswerCheck != "" || got.Question != turn.Question || got.Sources != "" {
		t.Errorf("%+v", got)
	}
	b.ok(b.Close())
	defer b.open()
	for _, name := range []string{FileName, FileName + "-wal"} {
		if bytes, err := os.ReadFile(b.dir + "/" + name); err == nil && strings.Contains(string(bytes), "zebra") {
			t.Errorf("%s holds forgotten text", name)
		}
	}
}

func TestP68_AWithheldAnswerIsNotReadBack(t *testing.T) {
	b := newBook(t)
	turn := fullTurn(b.conversation("T").ID)
	turn.Sources = `[{"n":1,"document":7,"path":"/a","title":"A"}]`
	turn.Evidence[1].Text = "of another document"
	turn.Answer = "zebra [1]"
	turn, err := b.SaveTurn(t.Context(), turn)
	b.ok(err)
	b.ok(b.MarkWithheld(t.Context(), []int64{7, 99}))
	got, _, err := b.Turn(t.Context(), turn.ID)
	b.ok(err)
	e := got.Evidence[0]
	if !e.Withheld || e.Text+e.Rendered+e.Path+e.Title+e.Heading+e.Locator != "" || got.Evidence[1].Withheld || got.Evidence[1].Text == "" {
		t.Errorf("%+v", got.Evidence)
	}
	if got.SearchQuery != nil || got.SearchQueries != nil || got.RerankQuery+got.Sources+got.AddedWords+got.Warnings+got.Filters+got.Detail != "" || !got.Withheld || got.Answer+got.Citations+got.AnswerCheck != "" {
		t.Errorf("%+v", got)
	}
	if found, err := b.Search(t.Context(), "zebra"); err != nil || len(found) != 0 {
		t.Errorf("the search finds a withheld answer: %+v, %v", found, err)
	}
}

func TestRunLogHoldsNoText(t *testing.T) {
	b := newBook(t)
	saved, err := b.SaveRun(t.Context(), Run{Started: time.UnixMilli(5000), Conversation: ref(int64(3)), Engine: "simple", Status: "failed", Code: "model_failed",
		Reason: "a question that a person typed", Spans: []Span{{Name: "prepare", DurationMS: 1.5, Status: "ok", Attributes: map[string]any{
			"hits": 3, "engine": "simple", "query": "where is the zebra?", "two words": 1, "ids": []int64{1, 2}, "nested": map[string]any{"text": "zebra"}}}}})
	b.ok(err)
	runs, err := b.Runs(t.Context(), 10)
	b.ok(err)
	if len(runs) != 1 || runs[0].Reason != "" || runs[0].Code != "model_failed" || *runs[0].Conversation != 3 || runs[0].Turn != nil || !runs[0].Started.Equal(time.UnixMilli(5000)) {
		t.Errorf("%+v", runs)
	}
	want := map[string]any{"hits": 3.0, "engine": "simple", "ids": []any{1.0, 2.0}}
	if got := runs[0].Spans[0]; !reflect.DeepEqual(got.Attributes, want) || got.DurationMS != 1.5 {
		t.Errorf("%+v", got)
	}
	if _, found, err := b.Run(t.Context(), saved.ID); err != nil || !found {
		t.Errorf("%v %v", found, err)
	}
}

func TestSettings(t *testing.T) {
	b := newBook(t)
	b.ok(b.SetSettings(t.Context(), map[string]string{"chat.engine": "simple", "blend.alpha": "0.7"}))
	if err := b.SetSettings(t.Context(), map[string]string{"chat.engine": "expand", "": "x"}); !errors.Is(err, ErrInvalid) {
		t.Errorf("error %v, want ErrInvalid", err)
	}
	b.ok(b.ResetSetting(t.Context(), "blend.alpha"))
	b.ok(b.ResetSetting(t.Context(), "never.set"))
	got, err := b.Settings(t.Context())
	if err != nil || !reflect.DeepEqual(got, map[string]string{"chat.engine": "simple"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestDrafts(t *testing.T) {
	b := newBook(t)
	b.ok(b.SetDraft(t.Context(), 0, "not sent"))
	b.ok(b.SetDraft(t.Context(), 0, "not sent yet"))
	if got, err := b.Draft(t.Context(), 0); err != nil || got != "not sent yet" {
		t.Errorf("%q, %v", got, err)
	}
	b.ok(b.SetDraft(t.Context(), 0, ""))
	if got, err := b.Draft(t.Context(), 0); err != nil || got != "" {
		t.Errorf("%q, %v", got, err)
	}
}
