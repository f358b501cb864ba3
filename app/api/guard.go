package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"

	"referent/app"
	"referent/app/api/wire"
)

// guard refuses what no route should see, the cheapest test first: a foreign
// name of this computer, a foreign page, a path that is not clean, a missing
// token, too many calls.
func (s *Server) guard(r *http.Request, open bool) *wire.Failure {
	if !localHost(r.Host) {
		return &wire.Failure{Code: wire.CodeForbidden, Message: "This name is not one of this computer.", Hint: "Use 127.0.0.1 or localhost."}
	}
	if !sameOrigin(r) {
		return &wire.Failure{Code: wire.CodeForbidden, Message: "Web pages may not ask.", Hint: "Ask from a program on this computer."}
	}
	if !cleanPath(r.URL) {
		return notFound()
	}
	if !open {
		if f := s.checkToken(r.Header.Get("Authorization")); f != nil {
			return f
		}
	}
	if wait, ok := s.rate.take(client(r)); !ok {
		return &wire.Failure{Code: wire.CodeTooMany, Message: "This program asks too often.", Hint: "Ask again in a moment.", RetryAfter: wait}
	}
	return nil
}

func notFound() *wire.Failure {
	return &wire.Failure{Code: wire.CodeNotFound, Message: "There is no such address.", Hint: "/openapi.json describes them all."}
}

// localHost tells whether the Host header names this computer: a page of a
// foreign name that resolves to 127.0.0.1 sends that name (DNS rebinding).
func localHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback() && ip.Zone() == ""
}

// sameOrigin tells that no page of another site sent the request. A browser
// says so in Origin or in Sec-Fetch-Site (Fetch standard); programs send
// neither.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	if len(r.Header.Values("Origin")) == 0 {
		return true
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Scheme == "http" && origin.Host != "" && strings.EqualFold(origin.Host, r.Host)
}

// cleanPath refuses paths that could be read as another one.
func cleanPath(u *url.URL) bool {
	p := u.EscapedPath()
	return p == path.Clean(p) && !strings.Contains(p, "%") && !strings.ContainsAny(u.Path, "\\\x00")
}

func (s *Server) checkToken(header string) *wire.Failure {
	scheme, given, _ := strings.Cut(header, " ")
	token, err := app.Token(s.config.Dir)
	if err != nil {
		return wire.FailureOf(err)
	}
	a, b := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(token))
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
		return &wire.Failure{Code: wire.CodeUnauthorized, Message: "The token is missing or wrong.",
			Hint: "Send it as Authorization: Bearer TOKEN. It is in the file " + app.TokenFile + " of the data folder."}
	}
	return nil
}

// ClientHeader is where a program may name itself; else its User-Agent is used.
const ClientHeader = "X-Referent-Client"

// client is the name of the calling program.
func client(r *http.Request) string {
	if name := r.Header.Get(ClientHeader); name != "" {
		return name
	}
	return r.Header.Get("User-Agent")
}
