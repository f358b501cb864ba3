package owner

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// samePerson tells whether the process at the other end runs as this user. The
// socket's mode says so already; this holds where a file system ignores modes.
func samePerson(conn net.Conn) bool {
	u, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return false
	}
	same := false
	err = raw.Control(func(fd uintptr) {
		cred, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		same = err == nil && int(cred.Uid) == os.Getuid()
	})
	return err == nil && same
}
