//go:build unix

package storage

import "syscall"

// limitErrors are those of a quota and of a limit on the size of a file.
var limitErrors = []syscall.Errno{syscall.EDQUOT, syscall.EFBIG}
