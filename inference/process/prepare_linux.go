package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// prepareChild makes the process safe to die: no core dump may hold document
// text. The limit stops ordinary core files; a core_pattern that pipes to a
// program ignores it, so the process is marked as not dumpable as well.
func prepareChild(role string) error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	nameThread("referent-" + role)
	return claimStdout()
}

// nameThread shows the role in lists of processes. A name is at most 15 bytes;
// without one the kernel would show "exe".
func nameThread(name string) {
	b, err := unix.ByteSliceFromString(name[:min(len(name), 15)])
	if err == nil {
		_ = os.WriteFile("/proc/self/comm", b[:len(b)-1], 0) // only a name
	}
}

// claimStdout keeps the frames to itself: descriptor 1, which C code prints to,
// becomes the error output.
func claimStdout() error {
	frames, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return err
	}
	if err := unix.Dup3(2, 1, 0); err != nil {
		return err
	}
	os.Stdout = os.NewFile(uintptr(frames), "frames")
	return nil
}
