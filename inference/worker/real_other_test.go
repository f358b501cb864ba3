//go:build !models && !gpu

package worker

import "referent/inference"

// realRole and realChat exist with the build tag models only.
func realRole() int { return exitUsage }

func realChat() (Config, inference.LoadSpec) { return Config{}, chatSpec() }
