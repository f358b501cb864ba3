//go:build cgo

package desktop

import (
	"slices"
	"syscall"
	"testing"
)

// A handler without SA_ONSTACK is what WebKit leaves behind; with it, a nil
// dereference in Go would end the process even under recover.
func TestSignals_AHandlerWithoutItsOwnStackIsRepaired(t *testing.T) {
	repairSignals()
	if !breakSignal(int(syscall.SIGSEGV)) || !breakSignal(int(syscall.SIGBUS)) {
		t.Fatal("the flag could not be taken away")
	}
	got := repairSignals()
	if !slices.Contains(got, int(syscall.SIGSEGV)) || !slices.Contains(got, int(syscall.SIGBUS)) {
		t.Fatalf("repaired %v", got)
	}
	if again := repairSignals(); len(again) != 0 {
		t.Errorf("repaired a second time: %v", again)
	}
	for range 3 {
		if !recovers() {
			t.Fatal("a nil dereference was not recovered")
		}
	}
}

func recovers() (ok bool) {
	defer func() { ok = recover() != nil }()
	var p *int
	*p = 1
	return false
}
