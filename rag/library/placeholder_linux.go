package library

import (
	"io/fs"
	"syscall"
)

// inlined is more than a file system keeps of a file beside its blocks, in
// bytes.
const inlined = 64 << 10

// placeholder tells whether a file holds no content on this computer, so that
// opening it might fetch it. Linux marks none, but a large file without a block
// is one, or is empty space.
func placeholder(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Blocks == 0 && st.Size >= inlined
}
