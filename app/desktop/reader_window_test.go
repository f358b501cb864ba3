//go:build window

package desktop

import (
	"path/filepath"
	"testing"
)

// The Reader in the shipped window: pages come over the program's own route and
// are drawn by a worker of its own, under its policy.
func TestWindow_APDFIsShownAsPages(t *testing.T) {
	library, err := filepath.Abs(filepath.Join("..", "..", "testdata", "library"))
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	for _, theme := range []string{"light", "dark"} {
		s := openWindow(t, data, []string{"REFERENT_WINDOW_THEME=" + theme}, "--demo", library)
		s.Key("ctrl+2")
		s.See("heating-manual.pdf")
		waitFor(t, "the manual to be read", func() bool {
			v, rejected := s.settle(`(await window.go.desktop.Window.Files({ search: 'heating-manual.pdf' })).files[0]?.status`)
			return !rejected && v == "indexed"
		})
		waitFor(t, "its row", func() bool {
			return s.evaluate(`(() => {
				const row = [...document.querySelectorAll('.row.entry')].find((e) => e.innerText.includes('heating-manual.pdf'));
				row?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
				return row !== undefined;
			})()`) == true
		})
		waitFor(t, "a page", func() bool {
			return s.evaluate(`document.querySelector('.reader [data-page="1"]')?.dataset.drawn`) == "true"
		})
		if got := s.evaluate(`document.querySelector('.reader .words').textContent`); got == "" {
			t.Error("the page has no words to select")
		}
		if got := s.evaluate(`document.querySelector('.reader .t-meta').textContent`); got != "page 1 of 16" {
			t.Errorf("the place is %q", got)
		}
		s.Key("ctrl+f")
		s.Type("ignition electrode")
		s.See("1 of 2")
		s.Picture("reader-" + theme)
		s.Alive()
		s.Quit()
	}
}
