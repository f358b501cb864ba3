package launch

import (
	"os"
	"os/exec"
)

// again starts the program once more and leaves it running: a window
// system starts once in a process.
func again(args []string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	return exec.Command(exe, args...).Start()
}
