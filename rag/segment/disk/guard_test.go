package disk

import (
	"errors"
	"runtime"
	"testing"
)

// An impossible place is the file's fault only where the file says so.
func TestGuard_AnImpossiblePlaceCountsWhereAFileIsBroken(t *testing.T) {
	beyond := func() error {
		var none []int
		i := 3
		return errors.New(string(rune(none[i])))
	}
	if err := Guard(func() bool { return true }, beyond); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	for name, broken := range map[string]func() bool{"whole": func() bool { return false }, "nobody asked": nil} {
		func() {
			defer func() {
				if _, ok := recover().(runtime.Error); !ok {
					t.Errorf("%s: a bug was taken for damage", name)
				}
			}()
			_ = Guard(broken, beyond)
		}()
	}
}
