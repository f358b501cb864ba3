//go:build unix

package llama

import "github.com/ebitengine/purego"

// abortFunction returns the C function that answers "shall I stop?". The
// library asks it before every operation of a graph, about a thousand times a
// token, and a call into Go each time would cost more than 3 % of the speed.
// strlen is a function of the right shape that every C library has: given the
// address of a flag followed by a zero byte it returns 0 or 1.
func abortFunction() uintptr {
	if fn, err := purego.Dlsym(purego.RTLD_DEFAULT, "strlen"); err == nil && fn != 0 {
		return fn
	}
	return abortInGo()
}

func abortInGo() uintptr {
	return purego.NewCallback(func(flag *byte) uintptr {
		if flag != nil && *flag != 0 {
			return 1
		}
		return 0
	})
}
