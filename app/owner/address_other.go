//go:build !linux

package owner

import "path/filepath"

// socketName is the socket's file in the data folder.
const socketName = "owner.sock"

// address returns the path of the socket.
func address(dir string) (path string, release func(), err error) {
	return filepath.Join(dir, socketName), func() {}, nil
}
