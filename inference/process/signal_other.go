//go:build !unix

package process

import "os"

// signalOf is always empty: this system ends processes with codes only.
func signalOf(*os.ProcessState) string { return "" }
