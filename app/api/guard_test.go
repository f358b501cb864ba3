package api

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/app/api/public"
	"referent/app/api/wire"
)

func TestGuard_WithoutTheTokenNothingIsTold(t *testing.T) {
	d := newDesk(t, nil)
	old := d.token
	for _, header := range []string{"", "Bearer", "Bearer ", "Bearer " + old[:63], "Bearer " + old + "0", "Bearer " + strings.ToUpper(old), "Basic " + old, old,
		"Bearer " + strings.Repeat("0", 64), "Bearer " + strings.Repeat("x", 10000)} {
		for pattern := range d.server.routes() {
			method, path, _ := cut(pattern)
			if path == "/health" || path == "/openapi.json" {
				continue
			}
			r := d.call(method, strings.NewReplacer("{id}", "1", "{chunk}", "1").Replace(path), nil, "Authorization", header)
			if r.status != 401 || r.code() != "unauthorized" || r.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s with %.20q: %d %s", pattern, header, r.status, r.body)
			}
		}
		if r := d.call("POST", "/mcp", map[string]any{}, "Authorization", header); r.status != 401 {
			t.Errorf("/mcp with %.20q: %d", header, r.status)
		}
		if r := d.call("GET", "/no/such/path", nil, "Authorization", header); r.status != 401 {
			t.Errorf("an unknown path with %.20q: %d", header, r.status)
		}
	}
	if r := d.call("GET", "/api/v1/status?token="+old, nil, "Authorization", ""); r.status != 401 {
		t.Errorf("a token in the address: %d", r.status)
	}
}

func TestGuard_ANewTokenEndsTheOldOneAtOnce(t *testing.T) {
	d := newDesk(t, nil)
	d.expect(200, "GET", "/api/v1/status", nil)
	if err := d.app.RotateToken(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.expect(401, "GET", "/api/v1/status", nil)
	fresh, err := app.Token(d.dir)
	if err != nil || fresh == d.token {
		t.Fatalf("%q, %v", fresh, err)
	}
	d.token = fresh
	d.expect(200, "GET", "/api/v1/status", nil)
	info, err := os.Stat(filepath.Join(d.dir, app.TokenFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestGuard_ForeignNamesAndPagesAreRefused(t *testing.T) {
	d := newDesk(t, nil)
	for _, c := range []struct {
		header, value string
		status        int
	}{
		{"Host", "localhost", 200},
		{"Host", "LOCALHOST:7337", 200},
		{"Host", "127.0.0.1:1", 200},
		{"Host", "127.8.8.8", 200},
		{"Host", "[::1]:7337", 200},
		{"Host", "evil.example", 403}, // DNS rebinding
		{"Host", "evil.example:7337", 403},
		{"Host", "localhost.evil.example", 403},
		{"Host", "127.0.0.1.evil.example", 403},
		{"Host", "0.0.0.0", 403},
		{"Host", "192.168.1.2", 403},
		{"Host", "2130706433", 403}, // 127.0.0.1 as one number
		{"Host", "[::ffff:192.168.1.2]", 403},
		{"Origin", "https://evil.example", 403},
		{"Origin", "null", 403},
		{"Origin", "http://localhost:1", 403}, // another port is another page
		{"Origin", "file://", 403},
		{"Origin", "chrome-extension://abcdef", 403},
		{"Sec-Fetch-Site", "cross-site", 403},
		{"Sec-Fetch-Site", "same-site", 403},
		{"Sec-Fetch-Site", "none", 200},
	} {
		for _, path := range []string{"/health", "/openapi.json", "/api/v1/status", "/v1/models"} {
			r := d.call("GET", path, nil, c.header, c.value)
			if r.status != c.status || c.status == 403 && r.code() != "forbidden" {
				t.Errorf("%s %s: %s: %d %s", c.header, c.value, path, r.status, r.body)
			}
			if r.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s lets pages read it", path)
			}
		}
		if c.status == 403 {
			if r := d.call("POST", "/mcp", map[string]any{}, c.header, c.value); r.status != 403 {
				t.Errorf("/mcp with %s %s: %d", c.header, c.value, r.status)
			}
		}
	}
	if r := d.call("GET", "/api/v1/status", nil, "Origin", d.url); r.status != 200 {
		t.Errorf("its own page: %d", r.status)
	}
	if r := d.call("OPTIONS", "/api/v1/ask", nil, "Origin", "https://evil.example", "Access-Control-Request-Method", "POST", "Authorization", ""); r.status != 403 {
		t.Errorf("a preflight: %d", r.status)
	}
}

func TestGuard_PathsThatCouldMeanAnotherAre404(t *testing.T) {
	d := newDesk(t, nil)
	for _, path := range []string{"/api/v1/../../etc/passwd", "/api/v1/documents/..%2f..%2f..%2fetc%2fpasswd", "//etc/passwd", "/api//v1/status", "/api/v1/status/",
		"/api/v1/./status", "/%2e%2e/%2e%2e/etc/passwd", "/api/v1/documents/1%00/text", "/api/v1/documents/%5c..%5cx", "/api/v1/Status", "/api/v1/documents/1/text/x", "/"} {
		r := d.call("GET", path, nil)
		if r.status != 404 || r.code() != "not_found" || r.header.Get("Location") != "" {
			t.Errorf("%s: %d %s %s", path, r.status, r.header.Get("Location"), r.body)
		}
	}
	r := d.call("DELETE", "/api/v1/documents", nil)
	if r.status != 405 || r.code() != "method_not_allowed" || !strings.Contains(r.header.Get("Allow"), "POST") {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
}

func TestGuard_TooManyCallsAreToldWhenToComeBack(t *testing.T) {
	now := time.Unix(1000, 0)
	d := newDesk(t, func(c *Config) { c.PerSecond, c.Burst, c.Now = 0.5, 3, func() time.Time { return now } })
	for range 3 {
		d.expect(200, "GET", "/api/v1/status", nil, ClientHeader, "a script")
	}
	r := d.expect(429, "GET", "/api/v1/status", nil, ClientHeader, "a script")
	if r.header.Get("Retry-After") != "2" || r.code() != "too_many_requests" { // half a call a second
		t.Errorf("%v %s", r.header, r.body)
	}
	d.expect(200, "GET", "/api/v1/status", nil, ClientHeader, "another one")
	now = now.Add(2 * time.Second)
	d.expect(200, "GET", "/api/v1/status", nil, ClientHeader, "a script")
	d.expect(429, "GET", "/api/v1/status", nil, ClientHeader, "a script")
}

func TestGuard_ALargeRequestIsRefusedOnEveryRoute(t *testing.T) {
	d := newDesk(t, nil)
	large := []byte(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", wire.MaxBody) + `"}}`)
	for pattern := range d.server.routes() {
		method, path, _ := cut(pattern)
		if o := wire.Described.Operation(method, path); o == nil || o.Body == nil {
			continue
		}
		if r := d.call(method, strings.ReplaceAll(path, "{id}", "1"), large); r.status != 413 || r.code() != "request_too_large" {
			t.Errorf("%s: %d %.200s", pattern, r.status, r.body)
		}
	}
	if r := d.call("POST", "/mcp", large, "Accept", "application/json, text/event-stream"); r.status < 400 || r.status >= 500 {
		t.Errorf("/mcp: %d %.200s", r.status, r.body)
	}
}

func TestRate_NewNamesDoNotGetAroundTheSharedBucket(t *testing.T) {
	now := time.Unix(1000, 0)
	r := newRate(1, 10, func() time.Time { return now })
	let := 0
	for i := range 1000 {
		if _, ok := r.take(strings.Repeat("x", i)); ok {
			let++
		}
	}
	if let != shared*10 || len(r.clients) > clientsKept {
		t.Errorf("%d calls were let in, %d clients are kept", let, len(r.clients))
	}
}

func TestAddress_OnlyThisComputer(t *testing.T) {
	for address, want := range map[string]string{"127.0.0.1:7337": "127.0.0.1:7337", "localhost:1": "127.0.0.1:1", "LocalHost:0": "127.0.0.1:0", "[::1]:80": "[::1]:80",
		"127.1.2.3:9": "127.1.2.3:9"} {
		if at, err := loopback(address); err != nil || at.String() != want {
			t.Errorf("%s: %v, %v", address, at, err)
		}
	}
	for _, address := range []string{"", ":7337", "0.0.0.0:7337", "[::]:7337", "192.168.1.2:7337", "10.0.0.1:1", "example.com:80", "localhost", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999",
		"[fe80::1%lo]:1", "[::1%lo]:1", "unix:/tmp/x", "8.8.8.8:53", "*:80", "127.0.0.1:-1"} {
		l, err := Listen(t.TempDir(), address)
		if err == nil {
			_ = l.Close()
			t.Errorf("%q was opened", address)
		} else if !strings.Contains(err.Error(), "is not an address of this computer alone. Use 127.0.0.1:PORT") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestAddress_ATakenPortIsASentence(t *testing.T) {
	l, err := Listen(t.TempDir(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if _, err := Listen(t.TempDir(), l.Addr().String()); err == nil || !strings.Contains(err.Error(), "Another program may use this port.") {
		t.Errorf("%v", err)
	}
}

func TestAddress_ASocketIsPrivateAndMadeAnew(t *testing.T) {
	d := newDesk(t, nil)
	dir := t.TempDir()
	for range 2 { // the second finds the leftover of the first
		l, err := Listen(dir, SocketAddress)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, socketName))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("%v %v", info.Mode(), err)
		}
		s := New(Config{Use: d.app, Dir: d.dir, PerSecond: 100, Burst: 100})
		s.Serve(l)
		client := http.Client{Transport: unixTransport(filepath.Join(dir, socketName))}
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://localhost/api/v1/status", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+d.token)
		got, err := client.Do(r)
		if err != nil || got.StatusCode != 200 {
			t.Fatalf("%v %v", got, err)
		}
		_ = got.Body.Close()
		client.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "other"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, socketName)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, socketName), []byte("not a socket"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(dir, SocketAddress); err == nil {
		t.Error("a file in the place of the socket was replaced")
	}
}

func TestAddress_ASocketThatAnswersIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	first, err := Listen(dir, SocketAddress)
	if err != nil {
		t.Fatal(err)
	}
	if l, err := Listen(dir, SocketAddress); err == nil {
		_ = l.Close()
		t.Fatal("a second server took the socket of the first")
	} else if !strings.Contains(err.Error(), "Another Referent answers") {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, socketName)); err != nil {
		t.Errorf("closing removed a name that may be another server's: %v", err)
	}
	again, err := Listen(dir, SocketAddress)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// broken is use cases that fault.
type broken struct{ app.UseCases }

func TestServer_AFaultCostsOnlyItsCall(t *testing.T) {
	var log []string
	dir := t.TempDir()
	token, err := app.Token(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Use: broken{}, Dir: dir, Log: func(line string) { log = append(log, line) }, Limits: public.Limits{}})
	defer func() { _ = s.Close() }()
	ask := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "http://localhost"+path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		s.http.Handler.ServeHTTP(w, r)
		return w
	}
	w := ask("/api/v1/models")
	if w.Code != 500 || !bytes.Contains(w.Body.Bytes(), []byte(`"error":"internal"`)) || bytes.Contains(w.Body.Bytes(), []byte("nil pointer")) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if len(log) == 0 || !strings.Contains(log[0], "panic") {
		t.Errorf("log %q", log)
	}
	if w := ask("/health"); w.Code != 200 {
		t.Errorf("afterwards: %d", w.Code)
	}
}
