package outbound

import (
	"context"
	"net"
	"net/http"
	"time"
)

// targetKey carries the host of a request to the dialer, which otherwise would
// see only a proxy.
type targetKey struct{}

// Client returns an HTTP client whose connections are made for a purpose. It
// has no limit for a whole request, since downloads are long: use the context.
// A redirect to another host asks again. Proxies of the environment are used.
func (d *Dialer) Client(purpose string) *http.Client {
	return &http.Client{Transport: &transport{&http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return d.DialContext(ctx, purpose, network, address)
		},
		ForceAttemptHTTP2:     true,
		TLSHandshakeTimeout:   15 * time.Second,
		ResponseHeaderTimeout: 60 * time.Second,
		IdleConnTimeout:       30 * time.Second,
		MaxIdleConns:          8,
	}}}
}

// transport names the target of each request.
type transport struct{ inner *http.Transport }

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if host := req.URL.Hostname(); !loopback(host) {
		port := req.URL.Port()
		if port == "" && req.URL.Scheme == "https" {
			port = "443"
		} else if port == "" {
			port = "80"
		}
		req = req.WithContext(context.WithValue(req.Context(), targetKey{}, net.JoinHostPort(host, port)))
		// A proxy's plain connection could carry a request to another host
		// without a question.
		req.Close = req.Close || req.URL.Scheme == "http"
	}
	return t.inner.RoundTrip(req)
}

// CloseIdleConnections lets http.Client end what waits for reuse.
func (t *transport) CloseIdleConnections() { t.inner.CloseIdleConnections() }
