package llama

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// release gives the pages of a buffer that nobody writes to back to the system;
// what is read there afterwards is zero. Pages that it shares with others stay.
func release(buffer []float32) {
	if len(buffer) == 0 {
		return
	}
	page := os.Getpagesize()
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&buffer[0])), 4*len(buffer))
	skip := (page - int(uintptr(unsafe.Pointer(&bytes[0]))%uintptr(page))) % page
	if whole := (len(bytes) - skip) / page * page; whole > 0 {
		_ = unix.Madvise(bytes[skip:skip+whole], unix.MADV_DONTNEED) // a failure costs only memory
	}
}
