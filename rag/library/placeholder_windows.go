package library

import (
	"io/fs"
	"syscall"
)

// elsewhere is FILE_ATTRIBUTE_OFFLINE, RECALL_ON_OPEN and RECALL_ON_DATA_ACCESS
// of winnt.h.
const elsewhere = 0x1000 | 0x40000 | 0x400000

// placeholder tells whether a file holds no content on this computer, so that
// opening it would fetch it.
func placeholder(_ string, info fs.FileInfo) bool {
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	return ok && data.FileAttributes&elsewhere != 0
}
