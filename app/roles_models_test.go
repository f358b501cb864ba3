//go:build models

package app_test

import (
	"referent/inference"
	"referent/inference/llama"
	"referent/inference/runtime"
	"referent/inference/worker"
)

// The variable is filled before TestMain looks at it.
var _ = addRoles(map[string]func() int{
	worker.RoleName: worker.Role(func(c worker.Config) (inference.Host, error) {
		return llama.New(llama.Config{RuntimeDir: c.RuntimeDir, Threads: c.Threads})
	}),
	runtime.Role: runtime.ProbeRole,
})

func addRoles(more map[string]func() int) bool {
	for name, run := range more {
		roles[name] = run
	}
	return true
}
