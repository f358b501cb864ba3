package llama

import "github.com/ebitengine/purego"

// returnMemory gives freed memory back to the system. The C library keeps what
// a model freed in one pool a thread, and a load rarely runs on the thread of
// the load before it: 200 loads would keep 150 MB.
func returnMemory() {
	if trim, err := purego.Dlsym(purego.RTLD_DEFAULT, "malloc_trim"); err == nil && trim != 0 {
		purego.SyscallN(trim, 0)
	}
}
