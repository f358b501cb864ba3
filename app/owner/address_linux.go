package owner

import (
	"fmt"
	"os"
	"path/filepath"
)

// socketName is the socket's file in the data folder.
const socketName = "owner.sock"

// address returns a path of the socket that is short enough for a socket
// address (107 bytes), whatever the folder's length: it goes through a
// descriptor of the folder. release must be called after bind or connect.
func address(dir string) (path string, release func(), err error) {
	path = filepath.Join(dir, socketName)
	if len(path) < 100 {
		return path, func() {}, nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), socketName), func() { _ = f.Close() }, nil
}
