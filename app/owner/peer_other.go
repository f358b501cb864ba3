//go:build !linux

package owner

import "net"

// samePerson relies on the mode of the data folder where the system has no
// peer credentials of Linux' kind.
func samePerson(net.Conn) bool { return true }
