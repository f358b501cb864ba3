package command

import (
	"os"
	"strings"
	"testing"

	"referent/app"
	"referent/rag"
)

// stdout is for pipes: the result and nothing else.
func TestText_StdoutHoldsTheResultOnly(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	if out := d.ok("ask", howLong, "--quiet"); out != "The Harlow Bridge is 320 metres long. [1]\n" {
		t.Errorf("%q", out)
	}
	if out := d.ok("settings", "get", "retrieve.k"); out != "8\n" {
		t.Errorf("%q", out)
	}
	if out := d.ok("settings", "set", "retrieve.k", "5"); out != "" {
		t.Errorf("%q", out)
	}
	if out := d.ok("settings", "get", "retrieve.k"); out != "5\n" {
		t.Errorf("%q", out)
	}
	d.ok("settings", "reset", "retrieve.k")
	if out := d.ok("settings", "get", "retrieve.k"); out != "8\n" {
		t.Errorf("%q", out)
	}
	o := d.run("search", "zebra quagga okapi", "--retriever", "bm25")
	if o.code != exitDone || o.stdout != "" || !strings.Contains(o.stderr, "Nothing was found") {
		t.Errorf("%+v", o)
	}
	if out := d.ok("extract", d.docs+"/boiler.md", "--text"); !strings.Contains(out, "The boiler pressure must be 1.5 bar.") || strings.Contains(out, "indexed") {
		t.Errorf("%q", out)
	}
	if o := d.run("collections", "list"); o.stdout != "" || !strings.Contains(o.stderr, "No collections yet.") {
		t.Errorf("%+v", o)
	}
	d.ok("collections", "create", "Bridges")
	d.ok("collections", "rename", "Bridges", "Crossings")
	if out := d.ok("collections", "list"); out != "Crossings\n" {
		t.Errorf("%q", out)
	}
	d.ok("collections", "delete", "Crossings")
}

// A refusal says what was searched, where, and what came nearest; a script that
// wants only the result gets only the result.
func TestR125_ARefusalSaysWhatWasSearchedWhereAndWhatCameNearest(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs, "--collection", "Town")
	const question = "Which zebra, quagga or okapi mended our boiler?"
	for _, c := range []struct {
		flags []string
		where string
	}{{nil, "Searched in: the whole library."}, {[]string{"--collection", "Town"}, "Searched in: collection Town."}, {[]string{"--type", "markdown"}, "Searched in: markdown files."}} {
		o := d.run(append([]string{"ask", question, "--retriever", "bm25"}, c.flags...)...)
		for _, want := range []string{"Searched your words. First question", "The documents do not answer this", c.where, "Nearest, and too far from the question: Boiler manual, line 3: The boiler pressure"} {
			if !strings.Contains(o.stdout, want) {
				t.Errorf("%q: %q is missing in\n%s", c.flags, want, o.stdout)
			}
		}
		if o.code == exitDone {
			t.Errorf("a refusal ends with %d", o.code)
		}
	}
	o := d.run("ask", question, "--retriever", "bm25", "--quiet")
	if strings.Contains(o.stdout, "Nearest") || strings.Contains(o.stdout, "Searched in") {
		t.Errorf("%q", o.stdout)
	}
	// The scope of a conversation counts where the question names none.
	d.ok("ask", howLong)
	id := d.newestConversation()
	d.ok("conversations", "set", id, "--collection", "Town")
	if o := d.run("ask", question, "--retriever", "bm25", "--conversation", id); !strings.Contains(o.stdout, "Searched in: collection Town.") {
		t.Errorf("%s", o.stdout)
	}
	if o := d.run("ask", howLong, "--conversation", id); strings.Contains(o.stdout, "Searched in") {
		t.Errorf("an answer is told like a refusal:\n%s", o.stdout)
	}
}

func TestP28_TheLineNamesTheWeightAndTheMessages(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	d.ok("ask", howLong)
	out := d.ok("ask", "When was it opened?", "--conversation", d.newestConversation(), "--engine", "blend", "--alpha", "0.4")
	if want := "Searched your words, mixed with the conversation (blend, 40 % question, 2 messages)."; !strings.Contains(out, want) {
		t.Errorf("%q is missing in\n%s", want, out)
	}
}

// newestConversation is the number of the one that was begun last.
func (d *desk) newestConversation() string {
	d.t.Helper()
	all, err := d.app.Conversations(d.t.Context(), 10)
	if err != nil || len(all) == 0 {
		d.t.Fatal(err)
	}
	newest := all[0].ID
	for _, c := range all {
		newest = max(newest, c.ID)
	}
	return itoa(int(newest))
}

func TestText_AskShowsWhatWasSearchedThePassagesAndTheSources(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	out := d.ok("ask", howLong)
	for _, want := range []string{"Searched your words. First question, no earlier messages.", "[1] Harlow Bridge, line 3: The Harlow Bridge is 320 metres long.",
		"\nThe Harlow Bridge is 320 metres long. [1]\n", "Supported. 1 citation holds", "bridge.md)"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	out = d.ok("ask", "When was it opened?", "--conversation", "1", "--engine", "condense_context")
	if !strings.Contains(out, "Searched for: When was Harlow Bridge opened? (condense_context, rewritten in ") || !strings.Contains(out, "1932") {
		t.Errorf("%s", out)
	}
	o := d.run("ask", "When was it opened?", "--conversation", "1", "--engine", "condense_context", "--verbose", "--alpha", "0.5")
	if !strings.Contains(o.stderr, "prepared: engine condense_context, status rewritten") || !strings.Contains(o.stderr, "retrieval: ") || !strings.Contains(o.stderr, "blend weight is ignored") {
		t.Errorf("%+v", o)
	}
	d.fails = true
	out = d.ok("ask", "When was it opened?", "--conversation", "1", "--engine", "condense_context")
	if !strings.Contains(out, "Rewrite failed: ") || !strings.Contains(out, "Searched your words instead.") {
		t.Errorf("%s", out)
	}
	if out := d.ok("conversations", "show", "1"); !strings.Contains(out, howLong) || !strings.Contains(out, "Searched for: When was Harlow Bridge opened?") {
		t.Errorf("%s", out)
	}
	if out := d.ok("conversations", "list"); !strings.Contains(out, howLong) || strings.Count(out, "\n") != 1 {
		t.Errorf("%s", out)
	}
	if out := d.ok("conversations", "search", "Harlow"); !strings.Contains(out, howLong) {
		t.Errorf("%s", out)
	}
	if out := d.ok("runs", "list"); strings.Count(out, "\n") != 4 || !strings.Contains(out, "condense_context") || strings.Contains(out, "Harlow") {
		t.Errorf("%s", out)
	}
	d.ok("conversations", "delete", "1")
	if out := d.ok("conversations", "list"); out != "" {
		t.Errorf("%q", out)
	}
}

// A document cannot steer the terminal: run checks every output for control
// characters, here the text is really shown.
func TestText_DocumentsDoNotSteerTheTerminal(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	for _, line := range []string{"search 'evil twin paint'", "ask 'What has the evil twin?'", "extract " + d.docs + "/evil.txt", "status --files", "search 'evil twin paint' --json"} {
		if out := d.ok(words(line)...); line != "status --files" && !strings.Contains(out, "evil twin") {
			t.Errorf("%s shows %q", line, out)
		}
	}
}

func TestText_HistoryStoresNothingAndAskStores(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	history := d.write("history.jsonl", `{"role":"user","text":"How long is the Harlow Bridge?"}`+"\n")
	d.ok("ask", "When was it opened?", "--history", history, "--engine", "expand")
	d.ok("ask", howLong, "--no-store")
	d.Stdin = "\n  \n" + howLong + "\nWhen was it opened?\n:quit\nnever asked\n"
	if out := d.ok("chat", "--engine", "condense_context"); !strings.Contains(out, "320 metres") || !strings.Contains(out, "Searched for: When was Harlow Bridge opened?") || strings.Contains(out, "never") {
		t.Errorf("%s", out)
	}
	if out := d.ok("conversations", "list"); out != "" {
		t.Errorf("stored: %s", out)
	}
	d.ok("ask", howLong)
	d.Stdin = "When was it opened?\n"
	d.ok("chat", "--conversation", "1")
	detail, err := d.app.Conversation(t.Context(), 1)
	if err != nil || len(detail.Turns) != 2 {
		t.Errorf("%d turns, %v", len(detail.Turns), err)
	}
}

func TestText_ChatGoesOnAfterAFailedTurn(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	d.fails = true
	d.Stdin = howLong + "\nWhen was it opened?\nWhat must the boiler pressure be?\n"
	o := d.run("chat", "--engine", "condense_context", "--on-condense-failure", "stop", "--quiet")
	if o.code != exitDone || !strings.Contains(o.stdout, "320 metres") || !strings.Contains(o.stdout, "1.5 bar") {
		t.Errorf("%+v", o)
	}
}

func TestText_TheLibraryFromTheTerminal(t *testing.T) {
	d := newDesk(t)
	if out := d.ok("status"); !strings.Contains(out, "The library is empty.") {
		t.Errorf("%q", out)
	}
	d.write("docs/half.docx", "PK\x03\x04 no archive")
	out := d.ok("add", d.docs, "--collection", "Town", "--exclude", "boiler.md")
	if !strings.Contains(out, "2 read, 1 not read") || !strings.Contains(out, "damaged") || !strings.Contains(out, "half.docx") || strings.Contains(out, "boiler.md") {
		t.Errorf("%s", out)
	}
	if out := d.ok("status", "--files"); !strings.Contains(out, "bridge.md") {
		t.Errorf("%s", out)
	}
	d.ok("collections", "label", "Town", "restricted")
	if o := d.run("ask", howLong); o.code != exitRefused {
		t.Errorf("%+v", o)
	}
	d.ok("collections", "label", "Town", "public")
	d.ok("collections", "class", d.docs+"/bridge.md", "fact")
	d.write("docs/new.md", "# New\n\nThe new lamp shines at night.\n")
	d.ok("sync")
	if out := d.ok("search", "new lamp", "--collection", "Town"); !strings.Contains(out, "shines at night") {
		t.Errorf("%s", out)
	}
	d.ok("sync", "pause")
	if o := d.run("sync"); o.code != exitFailed || !strings.Contains(o.stderr, "paused") {
		t.Errorf("%+v", o)
	}
	d.ok("sync", "resume")
	d.ok("sync", "retry", d.docs+"/half.docx")
	d.ok("remove", d.docs, "--forget")
	if out := d.ok("status"); !strings.Contains(out, "The library is empty.") {
		t.Errorf("%q", out)
	}
	if _, err := os.Stat(d.docs + "/bridge.md"); err != nil {
		t.Errorf("the file on the disk: %v", err)
	}
}

// The recipe of docs/turn.md: a conversation about a file that is restricted then.
func TestP68_ARestrictedFileInTheTerminal(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	d.ok("ask", howLong)
	d.ok("ask", "When was it opened?", "--conversation", "1", "--engine", "expand")
	before := d.ok("conversations", "show", "1")
	for _, want := range []string{"320 metres", "from earlier questions"} {
		if !strings.Contains(before, want) {
			t.Fatalf("there is no %q to hide in %s", want, before)
		}
	}
	d.ok("collections", "label", d.docs+"/bridge.md", "restricted")
	shown := d.ok("conversations", "show", "1") + d.ok("conversations", "export", "1") + d.ok("conversations", "search", "metres") +
		d.ok("prepare", "When was it opened?", "--conversation", "1", "--engine", "expand") + d.ok("search", howLong, "--retriever", "bm25")
	for _, hidden := range []string{"320", "1932", "bridge.md", "not in the evidence", `""`} {
		if strings.Contains(shown, hidden) {
			t.Errorf("%q is shown in %s", hidden, shown)
		}
	}
	if strings.Count(shown, "rests on a document that is now restricted") != 4 { // two turns, shown and exported
		t.Errorf("%s", shown)
	}
	d.ok("collections", "label", d.docs+"/bridge.md", "public")
	if out := d.ok("search", howLong, "--retriever", "bm25"); !strings.Contains(out, "320 metres") {
		t.Errorf("it does not come back: %s", out)
	}
}

func TestPlace_EveryFamilyOfLocators(t *testing.T) {
	for want, l := range map[string]rag.Locator{
		"": {}, "page 3": {Page: 3}, "pages 3–4": {Page: 3, PageTo: 4}, "page iv (6)": {Page: 6, PageLabel: "iv"}, "slide 2": {Slide: 2}, "Costs B7": {Sheet: "Costs", Cell: "B7"},
		"line 9": {LineFrom: 9, LineTo: 9}, "lines 9–12": {LineFrom: 9, LineTo: 12}, "§ 4": {Section: "§ 4"}, "paragraph 2": {Paragraph: 2}, "<a@b>": {Message: "<a@b>"},
		"cell 5": {CellIndex: 5}, "/a/0": {Pointer: "/a/0"},
	} {
		if got := place(l); got != want {
			t.Errorf("%+v is %q, want %q", l, got, want)
		}
	}
}

func TestProgress_OneSentenceForEachState(t *testing.T) {
	for want, p := range map[string]app.Progress{
		"Indexing 3 of 10 files.":                                             {Done: 3, Total: 10},
		"Indexing 3 of 10 files. 30 files a minute, about 14 s left.":         {Done: 3, Total: 10, FilesPerMinute: 30, RemainingSeconds: 14},
		"Words can be searched. Meaning: 5 of 20 passages, about 3 min left.": {Done: 10, Total: 10, VectorsDone: 5, VectorsTotal: 20, RemainingSeconds: 180},
		"No embedding model is loaded. Files are found by their words only.":  {Sentence: "No embedding model is loaded. Files are found by their words only."},
		"Words can be searched. Meaning: 20 of 20 passages.":                  {Done: 10, Total: 10, VectorsDone: 20, VectorsTotal: 20},
	} {
		if got := progressSentence(p); got != want {
			t.Errorf("%+v is %q, want %q", p, got, want)
		}
	}
}

func TestText_WhatTheCheckChangedIsShownAgain(t *testing.T) {
	for _, c := range []struct{ shown, answer, want string }{
		{"", "Ten seconds [1].", "Ten seconds [1]."},
		{"Ten seconds", "Ten seconds [1].", " [1]."},
		{"Ten seconds [1].\n", "Ten seconds [1].", ""},
		{"Ten seconds.", "Ten seconds [1].", "\n\nAs checked:\nTen seconds [1]."},
	} {
		if got := unshown(c.shown, c.answer); got != c.want {
			t.Errorf("%q of %q leaves %q", c.shown, c.answer, got)
		}
	}
}
