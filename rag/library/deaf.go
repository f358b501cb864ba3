package library

import "fmt"

// A watch that tells nothing looks like a folder in which nothing happens. Each
// full comparison that comes by the clock tests it: a change that has been on
// the disk for a while, and of which no event came, was missed. The folder is
// polled from then on, until an event from it comes.

// beginTest notes whether the comparison of a root that begins now tests its
// watch. Parts of a root are compared because of an event, and a root after an
// overflow or at the start has a good reason to differ.
func (w *watch) beginTest(r root, dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.testing[r.ID] = dir == r.Path && !r.SingleFile && r.State == "watching" && !w.overflow && !r.LastChecked.IsZero() && w.l.clock.Now().Sub(r.LastChecked) >= reconcileAge
}

// missed notes that the ledger did not know of the present state of a path.
func (w *watch) missed(r root, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.testing[r.ID] {
		return
	}
	for heard := range w.pending { // of it, or of a folder above it
		if within(path, heard) {
			return
		}
	}
	w.deaf[r.ID] = true
}

// endTest says why a root is polled though it is watched; empty: it is not.
func (w *watch) endTest(r root) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.testing, r.ID)
	if !w.deaf[r.ID] {
		return ""
	}
	return fmt.Sprintf("The system did not tell of changes in this folder. It is checked every %d minutes.", int(pollAge.Minutes()))
}

// hears notes that an event came: the roots that the path belongs to are told
// of again.
func (w *watch) hears(path string) {
	w.mu.Lock()
	w.pulse.note(path)
	none := len(w.deaf) == 0
	w.mu.Unlock()
	if none {
		return
	}
	roots := w.l.roots.of(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range roots {
		delete(w.deaf, r.ID)
	}
}
