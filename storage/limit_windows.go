package storage

import "syscall"

// limitErrors is that of a quota: ERROR_DISK_QUOTA_EXCEEDED.
var limitErrors = []syscall.Errno{1295}
