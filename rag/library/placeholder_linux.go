package library

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// inlined is more than a file system keeps of a file beside its blocks, in
// bytes.
const inlined = 64 << 10

// placeholder tells whether a file holds no content on this computer, so that
// reading it might fetch it. Linux marks none, but a large file without a block
// and without any data is one, or is empty space. Some file systems of programs
// report no blocks for every file; they do not tell where data is, which counts
// as data.
func placeholder(path string, info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Blocks > 0 || st.Size < inlined {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false // reading it says why
	}
	defer file.Close()
	_, err = file.Seek(0, unix.SEEK_DATA)
	return errors.Is(err, syscall.ENXIO)
}
