//go:build models

package app_test

import (
	"context"
	"os"

	"referent/app"
	"referent/app/command"
	"referent/app/owner"
	"referent/inference"
	"referent/inference/dryrun"
	"referent/inference/llama"
	"referent/inference/process"
	"referent/inference/runtime"
	"referent/inference/selftest"
	"referent/inference/worker"
)

// The variable is filled before TestMain looks at it.
var _ = addRoles(map[string]func() int{
	worker.RoleName: worker.Role(func(c worker.Config) (inference.Host, error) {
		return llama.New(llama.Config{RuntimeDir: c.RuntimeDir, Threads: c.Threads})
	}),
	runtime.Role:  runtime.ProbeRole,
	dryrun.Role:   llama.DryRun,
	selftest.Role: llama.SelfTest,
	programRole:   runProgram,
})

// programRole is the program as main wires it for a command, so that a test can
// run it in a process of its own.
const programRole = "program"

func runProgram() int {
	_, out := process.Stdio()
	return command.Run(context.Background(), process.Args(), command.Env{Stdin: os.Stdin, Stdout: out, Stderr: os.Stderr, Version: "test",
		DataDir: app.DefaultDataDir, Extract: app.ExtractFile,
		Open: func(ctx context.Context, dir string) (command.Session, error) {
			return owner.Open(ctx, owner.Options{Dir: dir, Version: "test", Front: owner.FrontCommand, Log: app.Log,
				Start: func(ctx context.Context) (owner.Closer, error) {
					return app.Open(ctx, app.Config{DataDir: dir, Version: "test"})
				}})
		}})
}

func addRoles(more map[string]func() int) bool {
	for name, run := range more {
		roles[name] = run
	}
	return true
}
