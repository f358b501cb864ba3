package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultStderrBytes is how much of the error output is kept.
const DefaultStderrBytes = 8 << 10

// Spec describes a child.
type Spec struct {
	Role string   // word of the role, see Dispatch
	Args []string // arguments behind the role word
	// Env is added to the environment of this process. An entry without an
	// equals sign removes that variable.
	Env []string
	// Dir is the working folder; empty: the root of the file system. Libraries
	// are searched in the working folder, so it must be one that nobody else
	// can write to.
	Dir string
	// MemoryLimit is a cap on resident memory in bytes, looked at every 50 ms;
	// 0: none. Only Linux can tell; elsewhere it has no effect.
	MemoryLimit int64
	StderrBytes int    // 0: DefaultStderrBytes
	Exe         string // executable to start; empty: the running one
}

// Child is a running child process. Send may be called from several goroutines,
// Receive from one, everything else from any.
type Child struct {
	*Pipe
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *ring
	exited chan struct{}

	mu    sync.Mutex
	cause DeathKind // why it was killed; empty: it was not
	death Death     // valid once exited is closed
}

// Spawn starts a child. It is killed when ctx is done. Close must be called in
// the end, also after the child has ended.
func Spawn(ctx context.Context, spec Spec) (*Child, error) {
	exe := spec.Exe
	if exe == "" {
		own, err := ownExecutable()
		if err != nil {
			return nil, fmt.Errorf("find the running executable: %w", err)
		}
		exe = own
	}
	childIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, childOut, err := os.Pipe()
	if err != nil {
		return nil, closeAll(err, childIn, stdin)
	}
	size := spec.StderrBytes
	if size <= 0 {
		size = DefaultStderrBytes
	}
	c := &Child{Pipe: NewPipe(stdout, stdin), stdin: stdin, stdout: stdout, stderr: newRing(size), exited: make(chan struct{})}
	c.cmd = exec.Command(exe, append([]string{roleFlag + spec.Role}, spec.Args...)...)
	c.cmd.Env = environment(os.Environ(), spec.Env)
	c.cmd.Dir = spec.Dir
	if c.cmd.Dir == "" {
		c.cmd.Dir = string(filepath.Separator)
	}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = childIn, childOut, c.stderr
	c.cmd.WaitDelay = 2 * time.Second // a process of the child's own may hold its error output open
	if err := start(c.cmd); err != nil {
		return nil, closeAll(err, childIn, childOut, stdin, stdout)
	}
	_ = closeAll(nil, childIn, childOut) // the child has its own copies
	go c.reap()
	go c.watch(ctx, spec.MemoryLimit)
	return c, nil
}

func closeAll(err error, files ...*os.File) error {
	for _, f := range files {
		_ = f.Close()
	}
	return err
}

// environment applies changes to a list of variables.
func environment(base, changes []string) []string {
	out := slices.Clone(base)
	for _, change := range changes {
		name, _, set := strings.Cut(change, "=")
		out = slices.DeleteFunc(out, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if set {
			out = append(out, change)
		}
	}
	return out
}

// reap waits for the end and keeps what is known about it.
func (c *Child) reap() {
	_ = c.cmd.Wait() // the state tells more than the error
	c.stderr.flush()
	c.mu.Lock()
	c.death = deathOf(c.cmd.ProcessState, c.cause)
	c.death.Stderr = c.stderr.String()
	c.mu.Unlock()
	close(c.exited)
}

// memoryInterval is how often a memory cap is looked at.
const memoryInterval = 50 * time.Millisecond

// watch kills the child at the end of ctx and at its memory cap. It ends with
// the child.
func (c *Child) watch(ctx context.Context, limit int64) {
	var look <-chan time.Time
	if limit > 0 {
		ticker := time.NewTicker(memoryInterval)
		defer ticker.Stop()
		look = ticker.C
	}
	for {
		select {
		case <-c.exited:
			return
		case <-ctx.Done():
			c.Kill()
			return
		case <-look:
			if bytes, ok := resident(c.PID()); ok && bytes > limit {
				c.KillAs(DeathMemory)
			}
		}
	}
}

// PID returns the process id.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// CPUTime returns the processor time used so far; false where the system does
// not tell.
func (c *Child) CPUTime() (time.Duration, bool) { return cpuTime(c.PID()) }

// Resident returns the resident memory in bytes; false where the system does
// not tell.
func (c *Child) Resident() (int64, bool) { return resident(c.PID()) }

// Kill ends the child at once. Wait then reports DeathKilled.
func (c *Child) Kill() { c.KillAs(DeathKilled) }

// KillAs ends the child at once and records why; the first reason stays.
func (c *Child) KillAs(why DeathKind) {
	c.mu.Lock()
	if c.cause == "" {
		c.cause = why
	}
	c.mu.Unlock()
	_ = c.cmd.Process.Kill() // it may have ended already
}

// CloseSend closes the child's input, which asks it to end.
func (c *Child) CloseSend() { _ = c.stdin.Close() }

// Exited is closed when the child has ended and its Death is known.
func (c *Child) Exited() <-chan struct{} { return c.exited }

// Wait waits for the end. It returns nil after an exit with code 0 and else a
// *Death.
func (c *Child) Wait() error {
	<-c.exited
	if d := c.Death(); d.Kind != DeathExit || d.Code != 0 {
		return &d
	}
	return nil
}

// Death tells how the child ended; it waits for the end.
func (c *Child) Death() Death {
	<-c.exited
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.death
}

// Stderr returns the kept end of the error output, scrubbed.
func (c *Child) Stderr() string { return c.stderr.String() }

// Close asks the child to end, kills it after the grace time and frees the
// pipes. It returns what Wait returns.
func (c *Child) Close(grace time.Duration) error {
	c.CloseSend()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.exited:
	case <-timer.C:
		c.Kill()
	}
	err := c.Wait()
	_ = c.stdout.Close()
	return err
}
