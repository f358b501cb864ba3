//go:build browser

package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// bridge is Platform over HTTP: the built page in an ordinary browser calls the
// same Window by reflection. It listens on loopback and lives in tests only.
type bridge struct {
	window *Window
	dist   string
	picks  []string // what the file dialog answers

	mu        sync.Mutex
	listeners map[chan []byte]bool
	links     []string
}

// shim puts what Wails would put on the page, before the page's own script.
const shim = `<script>(() => {
  const handlers = {};
  const call = (name) => async (...values) => {
    const reply = await fetch('/call/' + name, { method: 'POST', body: JSON.stringify(values) });
    const body = await reply.json();
    if (!reply.ok) throw body;
    return body;
  };
  window.go = { desktop: { Window: new Proxy({}, { get: (_, name) => call(name) }) } };
  window.runtime = {
    EventsOn(name, callback) {
      (handlers[name] ??= []).push(callback);
      return () => { handlers[name] = handlers[name].filter((one) => one !== callback); };
    },
    OnFileDrop(callback) { window.drop = (paths) => callback(10, 10, paths); },
    OnFileDropOff() {},
  };
  new EventSource('/events').onmessage = (message) => {
    const { name, data } = JSON.parse(message.data);
    for (const callback of handlers[name] ?? []) callback(data);
  };
})();</script>`

func (b *bridge) Emit(name string, data any) {
	body, err := json.Marshal(map[string]any{"name": name, "data": data})
	if err != nil {
		panic(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for l := range b.listeners {
		select {
		case l <- body:
		default:
			panic("the page does not keep up with events")
		}
	}
}

func (b *bridge) PickFiles(context.Context) ([]string, error) { return b.picks, nil }
func (b *bridge) PickFolder(context.Context) (string, error)  { return b.picks[0], nil }
func (b *bridge) SaveFile(_ context.Context, name string) (string, error) {
	return filepath.Join(b.picks[0], name), nil
}
func (b *bridge) OpenLink(address string)     { b.links = append(b.links, address) }
func (b *bridge) OpenPath(string, bool) error { return nil }
func (b *bridge) Zoom(int)                    {}
func (b *bridge) Raise()                      {}
func (b *bridge) Quit()                       {}

// serve starts the bridge around a window and returns its address.
func serve(t *testing.T, w *Window) (*bridge, string) {
	t.Helper()
	b := &bridge{window: w, dist: filepath.Join("..", "..", "frontend", "dist"), listeners: map[chan []byte]bool{}}
	if _, err := os.Stat(filepath.Join(b.dist, "index.html")); err != nil {
		t.Fatalf("the page is not built: %v. Run `make build` first.", err)
	}
	w.start(b)
	t.Cleanup(w.stop)
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return b, server.URL
}

func (b *bridge) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/events":
		b.stream(rw, r)
	case strings.HasPrefix(r.URL.Path, "/call/"):
		b.call(rw, r)
	case strings.HasPrefix(r.URL.Path, "/document/"):
		documentRoute{b.window}.ServeHTTP(rw, r)
	case r.URL.Path == "/" || r.URL.Path == "/index.html":
		page, err := os.ReadFile(filepath.Join(b.dist, "index.html"))
		if err != nil {
			http.Error(rw, err.Error(), http.StatusInternalServerError)
			return
		}
		// The page's policy forbids inline scripts; the shim is the test's own.
		html := strings.Replace(string(page), "script-src 'self'", "script-src 'self' 'unsafe-inline'", 1)
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(rw, strings.Replace(html, "<head>", "<head>"+shim, 1))
	default:
		http.FileServer(http.Dir(b.dist)).ServeHTTP(rw, r)
	}
}

func (b *bridge) stream(rw http.ResponseWriter, r *http.Request) {
	events := make(chan []byte, 4096)
	b.mu.Lock()
	b.listeners[events] = true
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		delete(b.listeners, events)
		b.mu.Unlock()
	}()
	rw.Header().Set("Content-Type", "text/event-stream")
	flusher := rw.(http.Flusher)
	flusher.Flush()
	for {
		select {
		case <-r.Context().Done():
			return
		case body := <-events:
			fmt.Fprintf(rw, "data: %s\n\n", body)
			flusher.Flush()
		}
	}
}

// call runs a bound method as Wails does: arguments by position, an error as a
// rejected promise.
func (b *bridge) call(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "application/json")
	fail := func(body any) {
		rw.WriteHeader(http.StatusInternalServerError)
		_ = json.NewEncoder(rw).Encode(body)
	}
	method := reflect.ValueOf(b.window).MethodByName(strings.TrimPrefix(r.URL.Path, "/call/"))
	if !method.IsValid() {
		fail(PageError{Code: "internal", Message: "There is no method " + r.URL.Path + "."})
		return
	}
	var raw []json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&raw); err != nil {
		fail(PageError{Code: "internal", Message: err.Error()})
		return
	}
	if len(raw) != method.Type().NumIn() {
		fail(PageError{Code: "internal", Message: fmt.Sprintf("%s takes %d arguments, not %d.", r.URL.Path, method.Type().NumIn(), len(raw))})
		return
	}
	in := make([]reflect.Value, len(raw))
	for i := range raw {
		v := reflect.New(method.Type().In(i))
		if err := json.Unmarshal(raw[i], v.Interface()); err != nil {
			fail(PageError{Code: "internal", Message: err.Error()})
			return
		}
		in[i] = v.Elem()
	}
	var result any
	for _, out := range method.Call(in) {
		if err, ok := out.Interface().(error); ok && err != nil {
			fail(b.window.formatError(err))
			return
		}
		if !out.Type().Implements(reflect.TypeFor[error]()) {
			result = out.Interface()
		}
	}
	_ = json.NewEncoder(rw).Encode(result)
}
