package llama

import (
	"runtime"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// defaultThreads is the number of threads for work on the processor: one core
// fewer than there are, so that the window stays responsive, but two on two or
// three cores. Threads beyond the free cores cost a factor of 300, because
// the library waits for all of them at every operation.
func defaultThreads() int { return threadsFor(min(int(llama.Threads()), runtime.NumCPU())) }

func threadsFor(cores int) int {
	switch {
	case cores <= 1:
		return 1
	case cores <= 3:
		return 2
	}
	return cores - 1
}

// gpuThreads is enough when every layer is on a GPU.
const gpuThreads = 2
