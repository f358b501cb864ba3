package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// ErrDenied says that a connection was not permitted.
var ErrDenied = errors.New("the connection was not allowed")

// errNotLoopback says that a name that must mean this machine does not.
var errNotLoopback = errors.New("localhost does not point to this machine")

// dialTimeout bounds one attempt to connect.
const dialTimeout = 30 * time.Second

// Ask decides about one connection. purpose is the word that the program shows
// ("download", "remote", "update"), address is host:port as asked for. It may
// wait for a person; it should give up with ctx.
type Ask func(ctx context.Context, purpose, address string) bool

// Dialer opens connections with permission. All methods may be called from any
// goroutine.
type Dialer struct {
	ask    Ask
	now    func() time.Time
	ledger ledger
}

// New returns a Dialer. A nil ask denies everything.
func New(ask Ask) *Dialer {
	if ask == nil {
		ask = func(context.Context, string, string) bool { return false }
	}
	return &Dialer{ask: ask, now: time.Now}
}

// DialContext opens a TCP connection for a purpose. The error wraps ErrDenied
// when permission was not given.
func (d *Dialer) DialContext(ctx context.Context, purpose, network, address string) (net.Conn, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return nil, fmt.Errorf("outbound connections use TCP, not %q", network)
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	target, named := ctx.Value(targetKey{}).(string)
	if loopback(host) && !named {
		inside := net.Dialer{Timeout: dialTimeout, ControlContext: onlyLoopback}
		return inside.DialContext(ctx, network, address)
	}
	asked := address
	if named {
		asked = target // the address may be a proxy's, also one on this machine
	}
	if !d.ask(ctx, purpose, asked) {
		d.ledger.deny()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s for %s: %w", asked, purpose, ErrDenied)
	}
	outside := net.Dialer{Timeout: dialTimeout}
	inner, err := outside.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return d.ledger.open(inner, Connection{Purpose: purpose, Host: asked, Started: d.now()}, d.now), nil
}

// loopback tells whether a host means this machine without any look-up.
func loopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// onlyLoopback refuses an address that the name localhost must not have.
func onlyLoopback(_ context.Context, _, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.Unmap().IsLoopback() {
		return errNotLoopback
	}
	return nil
}
