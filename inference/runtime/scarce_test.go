package runtime

import (
	"runtime"
	"testing"
)

func TestScarce(t *testing.T) {
	const gib = int64(1) << 30
	for _, c := range []struct {
		available, total int64
		want             bool
	}{
		{0, 16 * gib, false}, // not known
		{2 * gib, 16 * gib, false}, {gib / 2, 16 * gib, true},
		{gib / 2, 4 * gib, false}, {gib / 4, 4 * gib, true}, {gib / 4, 0, true},
	} {
		if got := scarce(c.available, c.total); got != c.want {
			t.Errorf("%d of %d: %v", c.available, c.total, got)
		}
	}
	if runtime.GOOS == "linux" && (Available() <= 0 || Available() > Memory()) {
		t.Errorf("%d of %d can be taken", Available(), Memory())
	}
}
