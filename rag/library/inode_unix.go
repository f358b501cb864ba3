//go:build unix

package library

import (
	"errors"
	"io/fs"
	"syscall"
)

// inode is the file's number in its file system; 0: not known.
func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino) // narrower on some systems
	}
	return 0
}

// notFolder: a part of the path is a file now, so what was below it is gone.
func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// watchLimit tells whether the system has no more watches to give.
func watchLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}
