//go:build !linux && !darwin

package runtime

// Memory returns the main memory of this machine in bytes; 0: not known here.
func Memory() int64 { return 0 }
