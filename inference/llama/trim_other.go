//go:build !linux

package llama

// returnMemory does nothing: these systems give freed memory back by themselves.
func returnMemory() {}
