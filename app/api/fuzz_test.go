package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"referent/app/api/wire"
)

// FuzzRoutes sends bytes to every route. Whatever they are, the answer has a
// described status and a described body, nothing faults, and nothing restricted
// comes out.
func FuzzRoutes(f *testing.F) {
	d := newDesk(f, nil)
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
		if o.Path == "/api/v1/documents" && o.Method == "POST" {
			return // it would add whatever folder the bytes name
		}
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
