package runtime

import "golang.org/x/sys/unix"

// Memory returns the main memory of this machine in bytes; 0: not known.
func Memory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}
