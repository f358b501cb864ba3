package library

import (
	"io/fs"
	"syscall"
)

// dataless is SF_DATALESS of sys/stat.h.
const dataless = 0x40000000

// placeholder tells whether a file holds no content on this computer, so that
// opening it would fetch it.
func placeholder(_ string, info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Flags&dataless != 0
}
