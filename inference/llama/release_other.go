//go:build !linux

package llama

// release does nothing here: the pages of a buffer stay with the process.
func release([]float32) {}
