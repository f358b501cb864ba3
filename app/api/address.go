package api

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"referent/rag"
)

// DefaultAddress is where the server listens unless the settings say otherwise.
const DefaultAddress = "127.0.0.1:7337"

// SocketAddress asks for a Unix socket in the data folder.
const SocketAddress = "unix"

// socketName is the socket's file in the data folder.
const socketName = "api.sock"

// socketWait bounds the question whether a socket still answers.
const socketWait = time.Second

// Listen opens the address: "127.0.0.1:PORT", "[::1]:PORT", "localhost:PORT",
// or "unix" for a socket in the data folder that only this user may open. Port
// 0 takes a free one. Every other address is refused.
func Listen(dir, address string) (net.Listener, error) {
	if address == SocketAddress {
		return listenUnix(filepath.Join(dir, socketName))
	}
	at, err := loopback(address)
	if err != nil {
		return nil, err
	}
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(at))
	if err != nil {
		return nil, &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("Other programs cannot be answered at %s.", address),
			Hint: "Another program may use this port. Choose another one in the setting api.address.", Cause: err}
	}
	return l, nil
}

// loopback reads an address that cannot be reached from another computer. Names
// are not looked up: localhost is 127.0.0.1 here.
func loopback(address string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return netip.AddrPort{}, notLoopback(address)
	}
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() || ip.Zone() != "" {
		return netip.AddrPort{}, notLoopback(address)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return netip.AddrPort{}, notLoopback(address)
	}
	return netip.AddrPortFrom(ip, uint16(n)), nil
}

func notLoopback(address string) error {
	return &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("%q is not an address of this computer alone.", address),
		Hint: "Use 127.0.0.1:PORT, [::1]:PORT, localhost:PORT or unix."}
}

// listenUnix makes the socket anew. A socket that still answers belongs to
// another server and is left alone.
func listenUnix(path string) (net.Listener, error) {
	failed := func(err error) (net.Listener, error) {
		return nil, &rag.Error{Code: rag.CodeNotAvailable, Message: "The socket for other programs could not be made.",
			Hint: "Choose an address such as " + DefaultAddress + " in the setting api.address.", Cause: err}
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		conn, err := net.DialTimeout("unix", path, socketWait)
		if err == nil {
			_ = conn.Close() // only its answer was wanted
		}
		if err == nil || errors.Is(err, syscall.EAGAIN) { // EAGAIN: too many wait for it
			return nil, &rag.Error{Code: rag.CodeNotAvailable, Message: "Another Referent answers other programs at the socket of this data folder.",
				Hint: "Close it, or choose an address such as " + DefaultAddress + " in the setting api.address."}
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return failed(err)
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return failed(err)
	}
	l.SetUnlinkOnClose(false) // by then the socket may be another server's
	if err := os.Chmod(path, 0o600); err != nil {
		return failed(errors.Join(err, l.Close()))
	}
	return l, nil
}
