package runtime

import "golang.org/x/sys/unix"

// Memory returns the main memory of this machine in bytes; 0: not known.
func Memory() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
