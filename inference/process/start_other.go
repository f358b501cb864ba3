//go:build !linux

package process

import (
	"os"
	"os/exec"
)

func ownExecutable() (string, error) { return os.Executable() }

// start starts a child. Its input closes with this process, which ends it.
func start(cmd *exec.Cmd) error { return cmd.Start() }
