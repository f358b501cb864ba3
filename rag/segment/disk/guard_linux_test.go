package disk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func TestGuard_AFileCutShortIsDamaged(t *testing.T) {
	f, dir := opened(t)
	size, sum, err := f.Write("seg-1.vec", bytes.Repeat([]byte("segment "), 2000))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Map("seg-1.vec", size, sum)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "seg-1.vec"), 0); err != nil {
		t.Fatal(err)
	}
	deferred := false
	err = Guard(nil, func() error {
		defer func() { deferred = true }()
		if bytes.IndexByte(m.Data, 'x') >= 0 {
			return errors.New("a letter that was never written")
		}
		return nil
	})
	if !errors.Is(err, ErrDamaged) || !deferred {
		t.Errorf("got %v, deferred calls ran: %v", err, deferred)
	}
	if was := debug.SetPanicOnFault(false); was {
		t.Error("the setting of the goroutine was not put back")
	}
}

func TestGuard_LeavesOtherEndsAlone(t *testing.T) {
	mine := errors.New("mine")
	if err := Guard(nil, func() error { return mine }); err != mine {
		t.Errorf("got %v", err)
	}
	defer func() {
		if recover() != "a bug" {
			t.Error("a panic was swallowed")
		}
	}()
	_ = Guard(nil, func() error { panic("a bug") })
}
