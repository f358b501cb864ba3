//go:build browser

package desktop

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// held is what the page and the program hold when nothing is under way.
// resident is what the system counts for it, in bytes.
type held struct{ heap, nodes, listeners, resident, program, programResident float64 }

func (w *world) Held() held {
	w.t.Helper()
	list := w.do("memory", element{}, nil).([]any)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return held{list[0].(float64), list[1].(float64), list[2].(float64), list[3].(float64), float64(m.HeapAlloc), resident(w.t)}
}

// resident reads what the system counts for this process, in bytes.
func resident(t *testing.T) float64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	var kb float64
	if _, after, ok := strings.Cut(string(status), "VmRSS:"); ok {
		_, err = fmt.Sscan(after, &kb)
	}
	if err != nil || kb == 0 {
		t.Fatalf("no VmRSS in %s", status)
	}
	return kb * 1024
}

// What was shown and is not shown any more is given back: the page holds as much
// after many turns as after a few. `make soak` asks 500.
func TestBrowser_MemoryIsSteadyOverManyTurns(t *testing.T) {
	talks := 4
	if os.Getenv("REFERENT_SOAK") != "" {
		talks = 50
	}
	const turns = 10 // of each conversation
	w := openWorld(t, nil, nil)
	w.AddFolder()
	var first held
	for talk := range talks {
		w.Press("Control+n")
		w.Becomes("an empty page", `document.querySelectorAll('article').length`, 0)
		for turn := range turns {
			w.Type("textbox", "Question", fmt.Sprintf("%s Number %d.", askLaundry, turn))
			w.Press("Enter")
			w.Becomes("the answer", fmt.Sprintf(`(() => { const all = document.querySelectorAll('article'); return all.length === %d && all[%d].innerText.includes('Supported'); })()`, turn+1, turn), true)
		}
		if talk == 1 { // everything was used once
			w.Press("Control+n")
			w.Becomes("an empty page", `document.querySelectorAll('article').length`, 0)
			first = w.Held()
		}
	}
	w.Press("Control+n")
	w.Becomes("an empty page", `document.querySelectorAll('article').length`, 0)
	last := w.Held()
	more := float64((talks - 2) * turns)
	t.Logf("%d turns: the heap of the page %.1f to %.1f MB, nodes %.0f to %.0f, listeners %.0f to %.0f, resident %.0f to %.0f MB; of the program %.1f to %.1f MB, resident %.0f to %.0f MB",
		talks*turns, first.heap/1e6, last.heap/1e6, first.nodes, last.nodes, first.listeners, last.listeners, first.resident/1e6, last.resident/1e6,
		first.program/1e6, last.program/1e6, first.programResident/1e6, last.programResident/1e6)
	// A conversation stays in the list: its row, of some 75 nodes, is all that its
	// turns may cost. Each of them has hundreds while it is shown.
	if grown := (last.heap - first.heap) / more; grown > 20_000 {
		t.Errorf("the page keeps %.0f bytes of each turn", grown)
	}
	if grown := (last.nodes - first.nodes) / float64(talks-2); grown > 100 {
		t.Errorf("the page keeps %.0f nodes of each conversation", grown)
	}
	w.Quiet()
}
