package extract

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits until f is locked for this process alone.
func lockFile(f *os.File) error {
	const whole = ^uint32(0)
	handle, at := windows.Handle(f.Fd()), new(windows.Overlapped)
	err := windows.LockFileEx(handle, windows.LOCKFILE_EXCLUSIVE_LOCK, 0, whole, whole, at)
	if errors.Is(err, windows.ERROR_IO_PENDING) {
		var n uint32
		err = windows.GetOverlappedResult(handle, at, &n, true)
	}
	return err
}
