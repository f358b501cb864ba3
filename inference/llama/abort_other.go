//go:build !unix

package llama

import "github.com/ebitengine/purego"

// abortFunction returns the C function that answers "shall I stop?".
func abortFunction() uintptr {
	return purego.NewCallback(func(flag *byte) uintptr {
		if flag != nil && *flag != 0 {
			return 1
		}
		return 0
	})
}
