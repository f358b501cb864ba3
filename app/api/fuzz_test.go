package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"referent/app"
	"referent/app/api/wire"
)

// adding is use cases that add nothing: bytes could name any folder.
type adding struct{ app.UseCases }

func (adding) Add(context.Context, app.AddRequest) (app.AddResult, error) {
	return app.AddResult{}, nil
}

// FuzzRoutes sends bytes to every route. Whatever they are, the answer has a
// described status and a described body, nothing faults, and nothing restricted
// comes out.
func FuzzRoutes(f *testing.F) {
	d := newDesk(f, func(c *Config) { c.Use = adding{c.Use} })
	operations := wire.Described.Operations()
	for i, o := range operations {
		body := []byte("{}")
		if o.Body != nil {
			var err error
			if body, err = json.Marshal(d.validBody(o)); err != nil {
				f.Fatal(err)
			}
		}
		f.Add(i, "limit=1", "1", "application/json", body)
		f.Add(i, "limit=-1&x=%00", "0", "text/plain", []byte(`{"question":"`+theVault+`","history":[{"role":"\u0000","text":"\ud800"}]}`))
		f.Add(i, "search=vault", "9223372036854775807", "application/json", bytes.ToUpper(body))
	}
	f.Fuzz(func(t *testing.T, route int, query, id, kind string, body []byte) {
		if route < 0 {
			route = -(route + 1)
		}
		o := operations[route%len(operations)]
		path := strings.NewReplacer("{id}", id, "{chunk}", id).Replace(o.Path)
		r := httptest.NewRequest(o.Method, "http://localhost/", bytes.NewReader(body))
		r.URL.Path, r.URL.RawQuery = path, query
		r.Header = http.Header{"Authorization": {"Bearer " + d.token}, "Content-Type": {kind}}
		w := httptest.NewRecorder()
		d.server.http.Handler.ServeHTTP(w, r.WithContext(t.Context()))
		allowed := []int{200, 401, 403, 404, 405, 409, 413, 415, 422, 429, 501, 503}
		if !slices.Contains(allowed, w.Code) {
			t.Fatalf("%s %q: %d %s", o.Method, path, w.Code, w.Body)
		}
		if s := o.Replies[strconv.Itoa(w.Code)]; s != nil && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && path == o.Path {
			described(t, s, o.ID, w.Body.Bytes())
		}
		for _, secret := range secrets {
			if bytes.Contains(w.Body.Bytes(), []byte(secret)) && !bytes.Contains(body, []byte(secret)) && !strings.Contains(query+id, secret) {
				t.Fatalf("%s %q gives away %q: %s", o.Method, path, secret, w.Body)
			}
		}
	})
}

// FuzzMCP sends bytes to the route of MCP, inside a session and outside of one.
func FuzzMCP(f *testing.F) {
	d := newDesk(f, nil)
	begin := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}`
	send := func(ctx context.Context, session string, body []byte) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "http://localhost/mcp", bytes.NewReader(body))
		r.Header = http.Header{"Authorization": {"Bearer " + d.token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		w := httptest.NewRecorder()
		d.server.http.Handler.ServeHTTP(w, r.WithContext(ctx))
		return w
	}
	session := send(f.Context(), "", []byte(begin)).Header().Get("Mcp-Session-Id")
	if session == "" {
		f.Fatal("no session was begun")
	}
	send(f.Context(), session, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	for _, inside := range []bool{true, false} {
		f.Add(inside, []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"`+theVault+`"}}}`))
		f.Add(inside, []byte(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"referent://document/1"}}`))
		f.Add(inside, []byte(`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`))
		f.Add(inside, []byte(`[{"jsonrpc":"2.0","id":5,"method":"ping"},{"id":null}]`))
	}
	f.Fuzz(func(t *testing.T, inside bool, body []byte) {
		in := ""
		if inside {
			in = session
		}
		w := send(t.Context(), in, body)
		if w.Code >= 500 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		for _, secret := range secrets {
			if bytes.Contains(w.Body.Bytes(), []byte(secret)) && !bytes.Contains(body, []byte(secret)) {
				t.Fatalf("gives away %q: %s", secret, w.Body)
			}
		}
	})
}
