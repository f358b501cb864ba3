//go:build !windows

package launch

import (
	"os"
	"syscall"
)

// again replaces this process by a new start of the program: a window
// system starts once in a process.
func again(args []string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(exe, append([]string{exe}, args...), os.Environ())
}
