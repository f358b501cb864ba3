//go:build browser

package desktop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
)

const (
	askLaundry = "When is the laundry of Quay House open?"
	askParking = "What does a parking place of Quay House cost?"
	askLift    = "What does the lift of Quay House carry?"
)

// Answered asks and waits until the answer is checked.
func (w *world) Answered(question string) {
	w.t.Helper()
	w.Ask(question)
	w.Becomes("the check of "+question, `[...document.querySelectorAll('article')].at(-1).innerText.includes('Supported')`, true)
}

// Turn opens the menu of a turn and takes an item.
func (w *world) Turn(question, item string) {
	w.t.Helper()
	w.Click("button", "More for "+question)
	w.Click("menuitem", item)
}

func TestBrowser_AMessageIsFoundInAnotherConversation(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	w.Press("Control+n")
	w.Answered(askParking)
	w.Press("Control+k")
	w.Type("searchbox", "Search conversations", "ramp garage")
	w.Gone("button", askLaundry)
	w.ClickExact("button", askParking)
	w.SeeRole("article", askParking)
	w.picture("search-messages")
	w.Type("searchbox", "Search conversations", "zeppelin")
	w.See("No conversation found.")
	w.Type("searchbox", "Search conversations", "")
	w.SeeRole("button", askLaundry)
	w.Quiet()
}

// What can be done with a conversation is seen on the one that is open, and on
// any other that the keyboard has reached; nobody needs a mouse to find it.
func TestBrowser_TheMenuOfAConversationIsSeenWithoutAMouse(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	w.Click("button", "New")
	w.Becomes("the focus is in the question", `document.activeElement?.ariaLabel`, "Question")
	w.Answered(askParking)
	w.do("hover", element{Role: "textbox", Name: "Question"}, nil)
	seen := func(title string) string {
		return fmt.Sprintf(`[...document.querySelectorAll('.item')].find((e) => e.innerText.includes(%q)).querySelector('.more').getBoundingClientRect().width >= 24`, title)
	}
	w.Becomes("the menu of the open one", seen(askParking), true)
	w.Becomes("the menu of the other", seen(askLaundry), false)
	w.do("focus", element{Role: "button", Name: askParking, Exact: true}, nil)
	w.Press("ArrowDown")
	w.Becomes("the menu of the one that has the focus", seen(askLaundry), true)
	w.Press("Tab")
	w.Press("Enter")
	w.Click("menuitem", "Rename")
	w.Quiet()
}

// R119: what came after the turn is neither in the copy nor in its history.
func TestBrowser_ABranchEndsAtItsTurn(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	w.Answered(askLift)
	w.Answered(askParking)
	w.Turn(askLift, "Continue from here in a copy")
	w.Becomes("the turns of the copy", `document.querySelectorAll('article').length`, 2)
	w.Answered("What does drying cost in Quay House?")
	all, err := w.app.Conversations(t.Context(), 5)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d conversations, %v", len(all), err)
	}
	for _, c := range all {
		detail, err := w.app.Conversation(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, turn := range detail.Turns {
			asked = append(asked, turn.Question)
		}
		if got := strings.Join(asked, " "); len(asked) != 3 || strings.Contains(got, askParking) == strings.Contains(got, "drying") {
			t.Errorf("a conversation asks %q", got)
		}
	}
	w.Quiet()
}

func TestBrowser_ADeletedConversationComesBack(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	w.do("focus", element{Role: "button", Name: askLaundry, Exact: true}, nil)
	w.Press("Delete")
	w.ClickExact("button", "Delete")
	w.See("Deleted “" + askLaundry)
	w.Becomes("no turn is left", `document.querySelectorAll('article').length`, 0)
	w.Click("button", "Undo")
	w.SeeRole("article", askLaundry)
	w.Quiet()
}

func TestBrowser_AConversationIsRenamedAndKeptAtTheTop(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	w.do("focus", element{Role: "button", Name: askLaundry, Exact: true}, nil)
	w.Press("F2")
	w.Type("textbox", "Conversation title", "Washing")
	w.Press("Enter")
	w.SeeRole("button", "Washing")
	w.Click("button", "More for this conversation")
	w.Click("menuitem", "Keep at the top")
	w.See("Pinned")
	w.do("reload", element{}, nil)
	w.SeeRole("button", "Washing")
	w.See("Pinned")
	w.Quiet()
}

// failingRewrite is a model that rewrites and does not respond.
func failingRewrite() *fake.Host {
	return fake.New(fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Err: inference.ErrWorkerDied}, role == inference.RoleCondense
	}})
}

func TestBrowser_AFailedRewriteAddsEarlierWords(t *testing.T) {
	w := openWorld(t, failingRewrite(), map[string]string{"chat.engine": "condense_context", "condense.on_failure": "expand"})
	w.AddFolder()
	w.Answered(askLaundry)
	w.Ask("And what does it cost?")
	w.See("Rewrite failed: the model did not respond")
	w.See("from earlier questions")
	w.picture("failed-expand")
	w.Quiet()
}

func TestBrowser_AFailedRewriteSearchesTheWordsAsTheyAre(t *testing.T) {
	w := openWorld(t, failingRewrite(), map[string]string{"chat.engine": "condense_context", "condense.on_failure": "verbatim"})
	w.AddFolder()
	w.Answered(askLaundry)
	w.Ask("And what does it cost?")
	w.See("Rewrite failed: the model did not respond")
	w.See("Searched your words instead.")
	w.Quiet()
}

func TestBrowser_ADraftSurvivesARestartOfThePage(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	w.Type("textbox", "Question", "And on which days of the week")
	w.Becomes("the draft is stored", `(async () => (await window.go.desktop.Window.Draft(1)).includes('which days'))()`, true)
	w.do("reload", element{}, nil)
	w.ClickExact("button", askLaundry)
	w.Becomes("the draft", `document.querySelector('textarea').value`, "And on which days of the week")
	w.Press("Control+n")
	w.Becomes("no draft in another", `document.querySelector('textarea').value`, "")
	w.Quiet()
}

func TestBrowser_AQuestionIsAskedDifferently(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	w.Answered(askLift)
	w.Turn(askLift, "Edit question")
	w.Type("textbox", "The question, to ask it differently", askParking)
	w.Click("button", "Ask this instead")
	w.SeeRole("article", askParking)
	w.See("62 euros")
	w.Quiet()
}

func TestBrowser_AConversationIsWrittenWithItsSources(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	out := t.TempDir()
	w.bridge.picks = []string{out}
	w.Click("button", "More for this conversation")
	w.Click("menuitem", "Export as Markdown")
	var body []byte
	waitUntil(t, "the export", func() bool {
		found, err := filepath.Glob(filepath.Join(out, "*.md"))
		if err != nil || len(found) != 1 {
			return false
		}
		body, err = os.ReadFile(found[0])
		return err == nil && len(body) > 0
	})
	for _, part := range []string{askLaundry, "[1]", "quay-house.md"} {
		if !strings.Contains(string(body), part) {
			t.Errorf("the export lacks %q:\n%s", part, body)
		}
	}
	w.Quiet()
}

func TestBrowser_TheEvidenceSaysWhatTheModelSawAndWhatWasLeftOut(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.write(t, "garden.md", "# Garden\n\nThe garden of Quay House is watered by the neighbours on Sundays.\n")
	w.write(t, "roof.md", "# Roof\n\nThe tiles were replaced after the storm.\n")
	w.AddFolder()
	w.Answered(askLaundry)
	w.SeeRole("listitem", "Passage 1")
	w.See("BM25")
	w.Click("button", "more considered")
	w.See("below the floor")
	w.picture("evidence")
	w.ClickExact("button", "Pin")
	w.SeeRole("listitem", "pinned")
	w.Quiet()
}

// What a model writes is text: nothing of it loads or runs, and a link asks first.
func TestBrowser_AnAnswerCannotRunOrReachAnything(t *testing.T) {
	attack := "<script>window.pwned=1</script> <img src=x onerror=\"window.pwned=1\"> [bad](javascript:window.pwned=1) [data](data:text/html,x) " +
		"![remote](https://evil.example/y.png) [good](https://example.org/a?b=c) \u202egnp.exe\u202c is said in the laundry [1].\n"
	host := fake.New(fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Text: attack}, role == inference.RoleAnswer
	}})
	w := openWorld(t, host, map[string]string{"chat.mode": "generate"})
	w.AddFolder()
	w.Ask(askLaundry)
	w.See("window.pwned=1")
	w.See("The cited passage does not say this")
	w.Becomes("nothing turns the order of letters round", `/[\u202a-\u202e]/.test(document.querySelector('article').innerText)`, false)
	w.Becomes("nothing runs or loads", `window.pwned === undefined && document.querySelectorAll('article :is(script, img, iframe, object, embed, form)').length === 0`, true)
	w.Becomes("links that are none", `[...document.querySelectorAll('article a')].filter((a) => !a.href.startsWith('https://example.org/') && !a.href.startsWith('https://evil.example/')).length`, 0)
	w.Click("link", "good")
	w.SeeRole("dialog", "Open this link in the browser?")
	w.See("https://example.org/a?b=c")
	w.ClickExact("button", "Cancel")
	if len(w.bridge.links) != 0 {
		t.Errorf("opened unasked: %v", w.bridge.links)
	}
	w.Click("link", "good")
	w.ClickExact("button", "Open link")
	w.Gone("dialog", "Open this link in the browser?")
	waitUntil(t, "the link", func() bool { return len(w.bridge.links) == 1 })
	w.picture("attack")
	w.Quiet()
}
