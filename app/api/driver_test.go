package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/app"
	"referent/app/api/wire"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/extract"
)

// town is the library of the tests. Everything about the vault is restricted.
var town = map[string]string{
	"public/bridge.md":    "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long.\n\n## History\n\nThe Harlow Bridge was opened in 1932 by the mayor.\n",
	"public/boiler.md":    "# Boiler manual\n\nThe boiler pressure must be 1.5 bar.\n",
	"public/vault.md":     "# Vault of Harlow\n\nThe vault code of Harlow is k7741-quokka.\n",
	"restricted/plans.md": "# Plans\n\nThe vault of Harlow will be moved to Quarry Street, code k7741-quokka.\n",
}

// secrets are words that only restricted files hold.
var secrets = []string{"k7741", "quokka", "Quarry Street", "vault.md", "plans.md", "restricted/", "Strongroom"}

const (
	howLong  = "How long is the Harlow Bridge?"
	theVault = "What is the vault code of Harlow?"
)

// desk is a program with fake models and a small library, and a server on it.
type desk struct {
	t      testing.TB
	app    *app.App
	host   *fake.Host
	docs   string
	dir    string // data folder
	server *Server
	url    string
	token  string

	mu    sync.Mutex
	log   []string
	fails bool   // rewrites fail
	says  string // by the answer model; empty: what the fake says
	step  func(context.Context, fake.Step) error
}

// quick is a clock on which the library's times pass twenty times as fast.
type quick struct{ begin time.Time }

const quicker = 20

func (q quick) Now() time.Time { return q.begin.Add(time.Since(q.begin) * quicker) }

func (q quick) After(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d / quicker)
	return t.C, func() { t.Stop() }
}

// newDesk opens the program, restricts what is to be restricted, and serves.
func newDesk(t testing.TB, change func(*Config)) *desk {
	t.Helper()
	d := newProgram(t)
	c := Config{Use: d.app, Dir: d.dir, Version: "1.2.3", Log: d.note, PerSecond: 1e6, Burst: 1e6}
	if change != nil {
		change(&c)
	}
	d.serve(c)
	return d
}

func newProgram(t testing.TB) *desk {
	t.Helper()
	root := t.TempDir()
	d := &desk{t: t, docs: filepath.Join(root, "docs"), dir: filepath.Join(root, "data")}
	d.host = fake.New(fake.Config{
		Step: func(ctx context.Context, s fake.Step) error {
			d.mu.Lock()
			f := d.step
			d.mu.Unlock()
			if f == nil {
				return ctx.Err()
			}
			return f(ctx, s)
		},
		Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.says != "" && role == inference.RoleAnswer && req.MaxTokens > 1 {
				return fake.Reply{Text: d.says}, true
			}
			return fake.Reply{Text: " "}, d.fails && role == inference.RoleCondense && req.MaxTokens > 1
		}})
	for _, role := range inference.Roles() {
		spec := fake.Spec(role)
		if e, ok := catalogue.Starter(role); ok {
			spec.Hash = e.SHA256 // the program keeps vectors by the model's hash
		}
		if _, err := d.host.Load(t.Context(), spec, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range town {
		d.write(name, text)
	}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var err error
	d.app, err = app.Open(t.Context(), app.Config{DataDir: d.dir, CacheDir: filepath.Join(root, "cache"), Version: "1.2.3", Host: d.host, Log: d.note, Clock: quick{time.Now()},
		Extract: func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
			return extract.File(ctx, path, extract.Options{Password: file.Password, Encoding: file.Encoding})
		}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.app.Close(); err != nil {
			t.Error(err)
		}
	})
	d.add(app.AddRequest{Paths: []string{filepath.Join(d.docs, "public")}, Collection: "Town"})
	d.add(app.AddRequest{Paths: []string{filepath.Join(d.docs, "restricted")}, Collection: "Strongroom"})
	for _, what := range []string{filepath.Join(d.docs, "public", "vault.md"), filepath.Join(d.docs, "restricted"), "Strongroom"} {
		if err := d.app.SetLabel(t.Context(), what, string(rag.LabelRestricted)); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func (d *desk) serve(c Config) {
	d.t.Helper()
	l, err := Listen(d.dir, "127.0.0.1:0")
	if err != nil {
		d.t.Fatal(err)
	}
	d.server = New(c)
	d.server.Serve(l)
	d.t.Cleanup(func() {
		if err := d.server.Close(); err != nil {
			d.t.Error(err)
		}
	})
	d.url = "http://" + l.Addr().String()
	if d.token, err = app.Token(d.dir); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) note(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, line)
}

// set changes how the fake model behaves.
func (d *desk) set(f func(*desk)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(d)
}

func (d *desk) add(req app.AddRequest) {
	d.t.Helper()
	r, err := d.app.Add(d.t.Context(), req)
	if err != nil || len(r.Problems) > 0 {
		d.t.Fatalf("%v %+v", err, r.Problems)
	}
	if err := d.app.Sync(d.t.Context(), nil); err != nil {
		d.t.Fatal(err)
	}
}

// write makes a file, an hour old, so that nothing waits for it to rest.
func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.docs, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		d.t.Fatal(err)
	}
}

// file is the ledger's row of a file.
func (d *desk) file(name string) app.File {
	d.t.Helper()
	found, err := d.app.Files(d.t.Context(), app.FilesRequest{Search: name})
	if err != nil || len(found.Files) != 1 {
		d.t.Fatalf("%s: %v %+v", name, err, found.Files)
	}
	return found.Files[0]
}

// response is what a call got.
type response struct {
	status int
	header http.Header
	body   []byte
}

// text is the body for a comparison.
func (r response) text() string { return strings.TrimSpace(string(r.body)) }

// code is the code of a refusal in either shape.
func (r response) code() string {
	var own struct {
		Error json.RawMessage `json:"error"`
	}
	var shaped struct {
		Code string `json:"code"`
	}
	var code string
	if json.Unmarshal(r.body, &own) != nil {
		return ""
	}
	if json.Unmarshal(own.Error, &code) == nil {
		return code
	}
	_ = json.Unmarshal(own.Error, &shaped) // not a refusal: no code
	return shaped.Code
}

// call sends a body (nil: none; []byte: as it is; else as JSON) with the token.
func (d *desk) call(method, path string, body any, headers ...string) response {
	d.t.Helper()
	return d.callIn(d.t.Context(), method, path, body, headers...)
}

func (d *desk) callIn(ctx context.Context, method, path string, body any, headers ...string) response {
	d.t.Helper()
	r := d.request(ctx, method, path, body, headers...)
	got, err := browserless.Do(r)
	if err != nil {
		d.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = got.Body.Close() }()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		d.t.Fatalf("%s %s: %v", method, path, err)
	}
	return response{got.StatusCode, got.Header, raw}
}

// browserless follows no redirect: none is ever sent.
var browserless = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport: &http.Transport{MaxIdleConnsPerHost: 16, DialContext: (&net.Dialer{}).DialContext}}

func (d *desk) request(ctx context.Context, method, path string, body any, headers ...string) *http.Request {
	d.t.Helper()
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case []byte:
		in = bytes.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			d.t.Fatal(err)
		}
		in = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(ctx, method, d.url+path, in)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	return r
}

// expect makes a call that must have this status, and a described body.
func (d *desk) expect(status int, method, path string, body any, headers ...string) response {
	d.t.Helper()
	r := d.call(method, path, body, headers...)
	if r.status != status {
		d.t.Fatalf("%s %s: status %d, want %d: %s", method, path, r.status, status, r.body)
	}
	return r
}

// object reads a body as an object.
func (r response) object(t testing.TB) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(r.body, &out); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	return out
}

// message is one event of a stream.
type message struct {
	name string
	data string
}

// messages reads server-sent events.
func (r response) messages() []message {
	var out []message
	for block := range strings.SplitSeq(strings.TrimSpace(string(r.body)), "\n\n") {
		var m message
		for line := range strings.SplitSeq(block, "\n") {
			if v, ok := strings.CutPrefix(line, "event: "); ok {
				m.name = v
			}
			if v, ok := strings.CutPrefix(line, "data: "); ok {
				m.data = v
			}
		}
		out = append(out, m)
	}
	return out
}

// noSecret fails where a text holds what only restricted files hold.
func (d *desk) noSecret(what string, text []byte) {
	d.t.Helper()
	for _, s := range secrets {
		if bytes.Contains(bytes.ToLower(text), bytes.ToLower([]byte(s))) {
			d.t.Errorf("%s gives away %q: %s", what, s, text)
		}
	}
}

// described checks a value against a named schema.
func described(t testing.TB, s *wire.Schema, what string, raw []byte) {
	t.Helper()
	v, err := wire.Decode(raw)
	if err != nil {
		t.Errorf("%s is not JSON: %v: %s", what, err, raw)
		return
	}
	if f := wire.Described.Check(s, "", v); f != nil {
		t.Errorf("%s is not as described: %v: %s", what, f, raw)
	}
}
