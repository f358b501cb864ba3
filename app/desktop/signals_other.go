//go:build !linux || !cgo

package desktop

// repairSignals has nothing to repair where no WebKitGTK runs in the process.
func repairSignals() []int { return nil }
