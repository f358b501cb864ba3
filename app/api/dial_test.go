package api

import (
	"context"
	"net"
	"net/http"
)

// unixTransport speaks HTTP over a Unix socket.
func unixTransport(path string) *http.Transport {
	return &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, "unix", path)
	}}
}
