//go:build models

package llama

import (
	"strings"
	"testing"

	"referent/inference/selftest"
)

// The installed libraries compute right on the processor, and where a graphics
// processor must be they are refused. A switch to the software device of Vulkan,
// which package app tries, passes the same test there.
func TestSelfTest_TheInstalledLibrariesComputeRight(t *testing.T) {
	r, err := selftest.Run(t.Context(), runtimeDir("cpu"), false)
	if err != nil || r.Device != "CPU" || r.Layers != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = selftest.Run(t.Context(), runtimeDir("cpu"), true); err == nil || !strings.Contains(err.Error(), "no layer of a small model") {
		t.Errorf("%+v, %v", r, err)
	}
}
