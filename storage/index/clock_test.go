package index

import (
	"testing"
	"time"
)

// A file that went away while the clock was ahead is not forgotten early when
// the clock is put right, and comes back with its number.
func TestAClockThatGoesBackForgetsNothing(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	d := l.see(f.ID, "/docs/a.txt", 1)
	now := time.Now()
	ids, err := l.Missing(t.Context(), []string{"/docs/a.txt"}, now.AddDate(10, 0, 0))
	l.ok(err)
	if len(ids) != 1 {
		t.Fatalf("missing: %v", ids)
	}
	gone, err := l.PurgeMissing(t.Context(), now)
	l.ok(err)
	if len(gone) != 0 {
		t.Errorf("%v were forgotten", gone)
	}
	if again := l.see(f.ID, "/docs/a.txt", 1); again.ID != d.ID {
		t.Errorf("it comes back as %d, was %d", again.ID, d.ID)
	}
}
