//go:build unix

package extract

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile waits until f is locked for this process alone.
func lockFile(f *os.File) error {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
