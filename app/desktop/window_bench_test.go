//go:build window

package desktop

import (
	"path/filepath"
	"testing"
)

// BenchmarkWindow_Usable is the time from the start of the program until its
// page shows the status strip, on an empty data folder.
func BenchmarkWindow_Usable(b *testing.B) {
	for b.Loop() {
		s := openWindow(b, filepath.Join(b.TempDir(), "data"), nil)
		b.StopTimer()
		s.Quit()
		b.StartTimer()
	}
}
