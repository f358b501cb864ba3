package kernel

import "unsafe"

// memoryPage is the smallest page of memory of any system, in bytes.
const memoryPage = 4096

// touch reads a value in every page of memory that rows lie in. Rows may be of
// a mapped file that was cut short: here the fault is one that Go can recover
// from, in C it would end the program.
//
//go:noinline
func touch[T uint8 | uint16 | float32](rows []T) (sum T) {
	for i := 0; i < len(rows); i += memoryPage / int(unsafe.Sizeof(sum)) {
		sum += rows[i]
	}
	return sum + rows[len(rows)-1]
}
