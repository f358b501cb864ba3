package process

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// ownExecutable is the running file itself, also after an upgrade has put
// another one in its place.
func ownExecutable() (string, error) { return "/proc/self/exe", nil }

type startRequest struct {
	cmd  *exec.Cmd
	done chan error
}

// starter hands commands to one goroutine that owns its thread for the life of
// the process.
var starter = sync.OnceValue(func() chan<- startRequest {
	requests := make(chan startRequest)
	go func() {
		runtime.LockOSThread() // never unlocked, see start
		for r := range requests {
			r.done <- r.cmd.Start()
		}
	}()
	return requests
})

// start starts a child that the kernel kills when this process ends. The kernel
// watches the thread that started the child and not the process, and Go ends
// threads as it likes; so one thread that never ends starts all children.
func start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	r := startRequest{cmd, make(chan error, 1)}
	starter() <- r
	return <-r.done
}
