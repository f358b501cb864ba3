package process

import "os/exec"

// StartForeign starts a program that is not ours. On Linux the kernel ends it
// when this process ends; elsewhere it ends when its input or output closes.
// The caller waits for it.
func StartForeign(cmd *exec.Cmd) error { return start(cmd) }
