//go:build browser

package desktop

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Resize sets the size of the window in CSS pixels: half of it is a zoom of 200 %.
func (w *world) Resize(width, height int) {
	w.t.Helper()
	w.do("size", element{}, map[string]any{"width": width, "height": height})
}

// FitsAcross fails where the page scrolls sideways or a control lies outside it.
// A table may scroll in itself.
func (w *world) FitsAcross() {
	w.t.Helper()
	w.Becomes("what sticks out", `((scrolls) => [document.documentElement.scrollWidth > innerWidth ? ['the page'] : [],
		...[...document.querySelectorAll('button, input, textarea, a, [role]')].filter((e) => {
			const box = e.getBoundingClientRect();
			return box.width > 0 && e.checkVisibility() && (box.left < -1 || box.right > innerWidth + 1) && !e.closest('.hidden-text') && !scrolls(e);
		}).map((e) => e.ariaLabel ?? e.innerText)].flat().join('; '))((e) => {
			for (let up = e.parentElement; up; up = up.parentElement) if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return true;
			return false;
		})`, "")
}

// waitUntil waits for a condition outside of the page.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second) // a guard against a hang
	for tick := time.NewTicker(20 * time.Millisecond); !holds(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come", what)
		}
	}
}

// R103: a text has the direction of its own script, in the turn and in the list.
func TestBrowser_RightToLeftTextStandsByItself(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.write(t, "عقد.md", "# عقد الإيجار\n\nمدة الإشعار في Quay House هي ثلاثة أشهر.\n")
	w.AddFolder()
	const arabic = "ما هي مدة الإشعار في Quay House؟"
	w.Ask(arabic)
	w.Ask(askLift)
	direction := func(question, want string) {
		w.Becomes("the direction of "+question, fmt.Sprintf(`[...document.querySelectorAll('article [dir=auto]')].some((e) => e.innerText.includes(%q) && getComputedStyle(e).direction === %q)`, question, want), true)
	}
	direction(arabic, "rtl")
	direction(askLift, "ltr")
	w.Becomes("its title", fmt.Sprintf(`getComputedStyle([...document.querySelectorAll('.row.cut')].find((e) => e.innerText.includes(%q))).direction`, "ما هي"), "rtl")
	w.Becomes("the page", `getComputedStyle(document.body).direction`, "ltr")
	w.picture("right-to-left")
	w.Quiet()
}

func TestBrowser_AtTwiceTheSizeEverythingIsThere(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Resize(640, 416)
	w.Answered(askLaundry)
	w.FitsAcross()
	w.picture("zoom-chat")
	for i := 2; i <= 5; i++ {
		w.Press(fmt.Sprintf("Control+%d", i))
		w.SeeRole("main", "")
		w.FitsAcross()
		w.picture(fmt.Sprintf("zoom-%d", i))
	}
	w.Quiet()
}

func TestBrowser_InANarrowWindowTheEvidenceIsADrawer(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Resize(900, 600)
	w.Answered(askLaundry)
	w.FitsAcross()
	w.Becomes("the passages are away", `[...document.querySelectorAll('[data-passage]')].filter((e) => e.checkVisibility()).length`, 0)
	w.Click("button", "Citation 1")
	w.SeeRole("listitem", "Passage 1")
	w.FitsAcross()
	w.picture("narrow")
	w.Press("Escape")
	w.Becomes("the drawer is shut", `[...document.querySelectorAll('[data-passage]')].filter((e) => e.checkVisibility()).length`, 0)
	w.Quiet()
}

// Under a finger there is no pointer to bring out what is hidden, and what is
// pressed is larger: everything but links in text measures 32 px or more.
func TestBrowser_UnderAFingerWhatIsPressedIsLargeAndInSight(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Answered(askLaundry)
	w.Press("Control+n") // so that no conversation is chosen
	const more = `[...document.querySelectorAll('button')].find((e) => e.ariaLabel === 'More for ` + askLaundry + `' && e.closest('.item')).closest('.more').getBoundingClientRect().width > 0`
	w.Becomes("what a pointer brings out", more, false)
	w.do("touch", element{}, map[string]any{"text": "on"})
	w.Becomes("what a finger needs no pointer for", more, true)
	for i := 1; i <= 3; i++ {
		w.Press(fmt.Sprintf("Control+%d", i))
		w.SeeRole("main", "")
		w.Becomes("what is too small for a finger", `[...document.querySelectorAll('.button:not(.link), .icon-button, .menu-trigger')]
			.filter((e) => e.checkVisibility() && e.offsetWidth > 0 && (e.offsetHeight < 32 || e.offsetWidth < 32)).map((e) => (e.ariaLabel ?? e.innerText) + ' ' + e.offsetWidth + ' x ' + e.offsetHeight).join('; ')`, "")
		w.picture(fmt.Sprintf("touch-%d", i))
	}
	w.Quiet()
}

func TestBrowser_NothingMovesForWhoWantsNoMotion(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.do("theme", element{}, map[string]any{"text": "dark"}) // and reduced motion
	w.Evaluate(`window.moved = new Set(); (function look() {
		for (const a of document.getAnimations()) if ((a.effect?.getComputedTiming().duration ?? 0) > 1) window.moved.add(a.animationName ?? a.transitionProperty);
		requestAnimationFrame(look);
	})()`)
	w.Answered(askLaundry)
	w.Press("Control+Shift+p")
	w.SeeRole("dialog", "")
	w.Press("Escape")
	w.Press("Control+e")
	w.Press("Control+2")
	w.See("quay-house.md")
	w.Becomes("what moved", `[...window.moved].join(', ')`, "")
	w.Quiet()
}

func TestBrowser_ThePaletteRunsWhatIsTyped(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Press("Control+Shift+p")
	w.do("type", element{}, map[string]any{"text": "pause ind"})
	w.SeeRole("option", "Pause indexing")
	w.Press("Enter")
	waitUntil(t, "the pause", func() bool {
		l, err := w.app.Library(t.Context())
		return err == nil && l.Progress.Paused
	})
	w.Press("Control+Shift+p")
	w.do("type", element{}, map[string]any{"text": "zzz"})
	w.See("No command matches.")
	w.Press("Escape")
	w.Press("F6")
	w.Becomes("the focus is in a region", `document.activeElement.closest('[data-region]') !== null`, true)
	w.Quiet()
}

// R107: many files at once, with names of every kind.
func TestBrowser_TwoHundredFilesAreDroppedAtOnce(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.Click("button", "Skip set-up")
	var paths []string
	for i := range 200 {
		name := fmt.Sprintf("note %03d é 文 100%%.md", i)
		w.write(t, name, fmt.Sprintf("# Note %d\n\nThe meter of flat %d stands at %d.\n", i, i, 1000+i))
		paths = append(paths, fmt.Sprintf("%q", w.folder+"/"+name))
	}
	w.Evaluate(`window.drop([` + strings.Join(paths, ",") + `])`)
	waitUntil(t, "200 files", func() bool {
		l, err := w.app.Library(t.Context())
		return err == nil && len(l.Folders) == 200
	})
	if err := w.app.Sync(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	w.Press("Control+2")
	w.See("note 000")
	w.Becomes("rows in the page", `document.querySelectorAll('[role=row], .ledger li, tbody tr').length < 120`, true)
	w.picture("two-hundred")
	w.Quiet()
}

func TestBrowser_TheProgramSpeaksItalianAtOnce(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.write(t, "scan.zip", "PK\x03\x04 no archive")
	w.AddFolder()
	w.Press("Control+2")
	w.See("The document is cut off or damaged")
	w.Press("Control+5")
	w.ClickExact("radio", "it")
	w.See("Impostazioni")
	w.Press("Control+2")
	w.See("Il documento è troncato o danneggiato")
	w.picture("italian")
	w.Press("Control+5")
	w.ClickExact("radio", "en")
	w.Press("Control+2")
	w.See("The document is cut off or damaged")
	w.Quiet()
}
