package segment

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// lowPriority keeps the calling goroutine on a thread of its own that gets the
// processor after others.
func lowPriority() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), 10) // as polite as the system lets it be
}
