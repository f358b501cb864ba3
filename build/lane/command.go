package main

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// prepare makes a command that ends with ctx: first an interrupt, so that test
// programs can end their own children, then a kill.
func prepare(ctx context.Context, env []string, command ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 15 * time.Second
	return cmd
}

// check runs a command that either passes or fails as a whole.
func check(ctx context.Context, r *result, name, dir string, env []string, command ...string) {
	cmd := prepare(ctx, env, command...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.fail(name, string(out)+err.Error())
		return
	}
	r.pass(1)
}
