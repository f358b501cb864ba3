//go:build !linux

package process

import "time"

// resident is not known here: a memory cap has no effect on this system.
func resident(int) (int64, bool) { return 0, false }

// cpuTime is not known here.
func cpuTime(int) (time.Duration, bool) { return 0, false }
