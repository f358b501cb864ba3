package runtime

import (
	"context"
	goruntime "runtime"

	"github.com/ebitengine/purego"
	"github.com/jupiterrider/ffi"
)

// askDriver is the argument by which ProbeRole looks for a driver and not into a
// folder.
const askDriver = "cuda-driver"

// CUDADriver asks a child of this program which CUDA the driver of this computer
// speaks at most: 13000 for 13.0, 0 where there is no driver. env is added to the
// child's environment. Errors are those of Probe.
func CUDADriver(ctx context.Context, env ...string) (int, error) {
	var version int
	err := ask(ctx, "", askDriver, env, &version, "The driver of the graphics card does not answer.")
	return version, err
}

// cudaDriver runs in the child. The driver needs no device to tell its version.
func cudaDriver() int {
	name := "libcuda.so.1"
	if goruntime.GOOS == "windows" {
		name = "nvcuda.dll"
	}
	driver, err := ffi.Load(name)
	if err != nil {
		return 0
	}
	address, err := driver.Get("cuDriverGetVersion")
	if err != nil {
		return 0
	}
	var tell func(version *int32) int32
	purego.RegisterFunc(&tell, address)
	var version int32
	if tell(&version) != 0 {
		return 0
	}
	return int(version)
}
