//go:build !unix

package library

import "io/fs"

// inode is the file's number in its file system; here it is not known.
func inode(fs.FileInfo) uint64 { return 0 }

func notFolder(error) bool { return false }

func watchLimit(error) bool { return false }
