//go:build browser

package desktop

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// troubleShim puts a language of the system and what Wails binds on the page.
// What is chosen is kept, and refused while refuse is set.
const troubleShim = `<script>
  Object.defineProperty(navigator, 'language', { value: %q });
  window.chosen = [];
  window.go = { desktop: { Trouble: {
    FindCopy: async () => {
      if (window.refuse) throw { message: 'No copy is whole.', hint: 'Nothing was changed.' };
      return { at: '2026-05-03T09:00:00Z', names: ['chats-20260101.db'] };
    },
    Choose: async (...values) => {
    window.chosen.push(values.join(' '));
    if (window.refuse) throw { message: 'No copy is whole.', hint: 'Nothing was changed.' };
    return true;
  } } } };
</script>`

// openTrouble opens the page in a browser whose system speaks a language.
func openTrouble(t *testing.T, trouble *Trouble, language string) *browser {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNoContent) // the icon that a browser asks for
			return
		}
		page, err := trouble.page()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(strings.Replace(string(page), "<head>", "<head>"+fmt.Sprintf(troubleShim, language), 1)))
	}))
	t.Cleanup(server.Close)
	return openBrowser(t, server.URL)
}

// A start that failed is told in the language of the system; each way out of a
// damaged file asks first, and a way that fails says why.
func TestBrowser_AStartThatFailedSpeaksTheLanguageOfTheSystemAndAsks(t *testing.T) {
	dir, damaged := damagedFolder(t, "chats.db")
	trouble := NewTrouble(damaged, dir)
	for language, heading := range map[string]string{"it-IT": "Referent non può aprire la tua libreria", "en-GB": "Referent cannot open your library", "fr-FR": "Referent cannot open your library"} {
		b := openTrouble(t, trouble, language)
		b.SeeRole("heading", heading)
		b.Quiet()
	}

	b := openTrouble(t, trouble, "it-IT")
	b.SeeRole("heading", "Referent non può aprire la tua libreria")
	b.Accessible("trouble")
	b.Click("button", "Comincia senza conversazioni")
	b.See("ogni impostazione avrà il suo valore predefinito")
	b.Accessible("trouble-asks")
	chosen := func(want string) {
		t.Helper()
		if got := fmt.Sprint(b.Evaluate(`window.chosen.join(', ')`)); got != want {
			t.Errorf("chosen: %q, not %q", got, want)
		}
	}
	b.Click("button", "Annulla")
	b.Gone("dialog", "")
	chosen("")
	b.Evaluate(`window.refuse = true`)
	b.Click("button", "Comincia senza conversazioni")
	b.Click("button", "Metti da parte e comincia")
	b.See("No copy is whole. Nothing was changed.")
	chosen("set_aside it")
	b.Evaluate(`window.refuse = false`)
	b.Click("button", "Riprova")
	chosen("set_aside it, retry it")
	if said := b.Evaluate(`[...document.querySelectorAll('.failed')].map((e) => e.textContent).join('')`); said != "" {
		t.Errorf("the page still says %v", said)
	}
	b.Quiet()
}

// Who comes by the keyboard is where the next key does something: on the way that
// nothing is lost by at first, in the question that a way asks, and after a no or a
// failure on the way that asked. Found copies are named before one is taken.
func TestBrowser_AStartThatFailedKeepsTheFocusAndNamesTheCopy(t *testing.T) {
	dir, damaged := damagedFolder(t, "chats.db")
	backup := filepath.Join(dir, "backup")
	if err := errors.Join(os.MkdirAll(backup, 0o700), os.WriteFile(filepath.Join(backup, "chats-20260101-120000.000000000.db"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	b := openTrouble(t, NewTrouble(damaged, dir), "en-GB")
	focused := func(want string) {
		t.Helper()
		if got := fmt.Sprint(b.Evaluate(`document.activeElement.textContent.trim()`)); got != want {
			t.Errorf("the focus is on %q, not on %q", got, want)
		}
	}
	b.SeeRole("button", "Try again")
	focused("Try again")
	b.Press("Tab")
	focused("Go back to a copy")
	b.Evaluate(`window.refuse = true`)
	b.Press("Enter")
	b.See("No copy is whole. Nothing was changed.")
	focused("Go back to a copy")
	b.Evaluate(`window.refuse = false`)
	b.Press("Enter")
	b.See("chats-20260101.db")
	b.See("3 May 2026")
	focused("Take the copy")
	b.Press("Escape")
	b.Gone("dialog", "")
	focused("Go back to a copy")
	b.Press("Enter")
	b.SeeRole("dialog", "Go back to a copy?")
	b.Press("Enter")
	b.Gone("dialog", "")
	focused("Go back to a copy")
	if got := fmt.Sprint(b.Evaluate(`window.chosen.join(', ')`)); got != "go_back en" {
		t.Errorf("chosen: %q", got)
	}
	b.Quiet()
}
