//go:build !linux && !windows

package library

import (
	"bytes"
	"os/exec"
	"runtime"
)

// OnBattery tells whether the computer runs on its battery now; false where the
// system does not say.
func OnBattery() bool {
	if runtime.GOOS != "darwin" {
		return false
	}
	out, err := exec.Command("/usr/bin/pmset", "-g", "batt").Output()
	return err == nil && bytes.Contains(out, []byte("'Battery Power'"))
}
