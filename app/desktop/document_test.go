package desktop

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/rag"
)

// shelf is use cases that know documents by their number and nothing else.
type shelf struct {
	app.UseCases
	files map[int64]app.DocumentFile
}

func (s shelf) DocumentFile(_ context.Context, id int64) (app.DocumentFile, error) {
	f, ok := s.files[id]
	if !ok {
		return f, &rag.Error{Code: rag.CodeUnknownDocument, Message: "This file is not in the library."}
	}
	return f, nil
}

// aShelf holds one document of each sort under its number.
func aShelf(t *testing.T) (documentRoute, shelf) {
	t.Helper()
	dir := t.TempDir()
	s := shelf{files: map[int64]app.DocumentFile{}}
	put := func(id int64, name, kind, body string) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		s.files[id] = app.DocumentFile{Path: path, Kind: kind}
	}
	put(1, "manual é %2f.pdf", "pdf", "%PDF-1.7\n"+strings.Repeat("0123456789", 400))
	put(2, "scan.png", "image", "\x89PNG\r\n\x1a\n picture")
	put(3, "page.html", "html", "<script>alert(1)</script>")
	put(4, "swapped.pdf", "pdf", "root:x:0:0:root:/root:/bin/bash")
	put(5, "picture.svg", "image", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
	put(6, "empty.pdf", "pdf", "")
	s.files[7] = app.DocumentFile{Path: filepath.Join(dir, "gone.pdf"), Kind: "pdf"}
	s.files[8] = app.DocumentFile{Path: dir, Kind: "pdf"}
	s.files[9] = app.DocumentFile{Path: filepath.Join(dir, "link.pdf"), Kind: "pdf"}
	if err := os.Symlink(s.files[1].Path, s.files[9].Path); err != nil {
		t.Fatal(err)
	}
	return documentRoute{NewWindow(s, nil, func(line string) { t.Log(line) })}, s
}

func (s shelf) version(t *testing.T, id int64) string {
	t.Helper()
	info, err := os.Stat(s.files[id].Path)
	if err != nil {
		t.Fatal(err)
	}
	return app.FileVersion(info)
}

// ask sends one request to the route and returns what came back.
func (d documentRoute) ask(method, target string, header map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://wails.localhost"+target, nil)
	for k, v := range header {
		r.Header.Set(k, v)
	}
	rec := httptest.NewRecorder()
	d.ServeHTTP(rec, r)
	return rec
}

func TestDocumentRoute_ServesWholeFilesAndRanges(t *testing.T) {
	d, s := aShelf(t)
	at := "/document/1?v=" + s.version(t, 1)
	whole := d.ask("GET", at, nil)
	if whole.Code != 200 || whole.Body.Len() != 4009 || whole.Header().Get("Content-Type") != "application/pdf" || whole.Header().Get("Accept-Ranges") != "bytes" {
		t.Fatalf("%d, %d bytes, %v", whole.Code, whole.Body.Len(), whole.Header())
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "no-store"} {
		if got := whole.Header().Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, c := range []struct{ ask, body, sent string }{
		{"bytes=0-4", "%PDF-", "bytes 0-4/4009"},
		{"bytes=9-13", "01234", "bytes 9-13/4009"},
		{"bytes=-3", "789", "bytes 4006-4008/4009"},
		{"bytes=4000-9999", "123456789", "bytes 4000-4008/4009"},
	} {
		part := d.ask("GET", at, map[string]string{"Range": c.ask})
		if part.Code != http.StatusPartialContent || part.Body.String() != c.body || part.Header().Get("Content-Range") != c.sent {
			t.Errorf("%s: %d %q %q", c.ask, part.Code, part.Body, part.Header().Get("Content-Range"))
		}
	}
	if past := d.ask("GET", at, map[string]string{"Range": "bytes=5000-"}); past.Code != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("a range past the end: %d", past.Code)
	}
	if head := d.ask("HEAD", at, nil); head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("Content-Length") != "4009" {
		t.Errorf("HEAD: %d, %v", head.Code, head.Header())
	}
	if picture := d.ask("GET", "/document/2?v="+s.version(t, 2), nil); picture.Code != 200 || picture.Header().Get("Content-Type") != "image/png" {
		t.Errorf("a picture: %d %v", picture.Code, picture.Header())
	}
}

func TestDocumentRoute_RefusesWhatThePageHasNoNeedOf(t *testing.T) {
	d, s := aShelf(t)
	version := "?v=" + s.version(t, 1)
	for name, target := range map[string]string{
		"unknown":                  "/document/99" + version,
		"no number":                "/document/" + version,
		"nought":                   "/document/0" + version,
		"negative":                 "/document/-1" + version,
		"too long":                 "/document/99999999999999999999" + version,
		"hexadecimal":              "/document/0x1" + version,
		"a path":                   "/document/etc/passwd",
		"dots":                     "/document/../1" + version,
		"encoded dots":             "/document/%2e%2e%2f1" + version,
		"dots behind":              "/document/1/../../../../etc/passwd" + version,
		"encoded slash":            "/document/1%2f..%2f2" + version,
		"a path as query":          "/document/?path=/etc/passwd",
		"elsewhere":                "/documents/1" + version,
		"a page":                   "/document/3?v=" + s.version(t, 3),
		"another file in its room": "/document/4?v=" + s.version(t, 4),
		"a drawing with script":    "/document/5?v=" + s.version(t, 5),
		"empty":                    "/document/6?v=" + s.version(t, 6),
		"gone":                     "/document/7",
		"a folder":                 "/document/8",
		"a link":                   "/document/9" + version,
	} {
		if got := d.ask("GET", target, nil); got.Code != http.StatusNotFound || strings.TrimSpace(got.Body.String()) != "404 page not found" {
			t.Errorf("%s: %d %q", name, got.Code, got.Body)
		}
	}
	for _, version := range []string{"", "?v=", "?v=0-0", "?v=" + s.version(t, 2)} {
		if got := d.ask("GET", "/document/1"+version, nil); got.Code != http.StatusConflict || strings.Contains(got.Body.String(), "PDF") {
			t.Errorf("version %q: %d", version, got.Code)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		if got := d.ask(method, "/document/1"+version, nil); got.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, got.Code)
		}
	}
}

func TestDocumentRoute_AnswersNoOtherOrigin(t *testing.T) {
	d, s := aShelf(t)
	at := "/document/1?v=" + s.version(t, 1)
	for _, header := range []map[string]string{
		{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://wails.localhost.evil.example"}, {"Origin": "://"},
		{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"},
		{"Origin": "http://wails.localhost", "Sec-Fetch-Site": "cross-site"},
	} {
		if got := d.ask("GET", at, header); got.Code != http.StatusForbidden || strings.Contains(got.Body.String(), "PDF") {
			t.Errorf("%v: %d", header, got.Code)
		}
	}
	for _, header := range []map[string]string{{"Origin": "http://wails.localhost"}, {"Sec-Fetch-Site": "same-origin"}} {
		got := d.ask("GET", at, header)
		if got.Code != 200 || got.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%v: %d %v", header, got.Code, got.Header())
		}
	}
}

// A file that changes while it is shown is not mixed with what was read of it.
func TestDocumentRoute_AChangedFileIsAnotherVersion(t *testing.T) {
	d, s := aShelf(t)
	at := "/document/1?v=" + s.version(t, 1)
	if err := os.WriteFile(s.files[1].Path, []byte("%PDF-1.7 another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := d.ask("GET", at, map[string]string{"Range": "bytes=0-4"}); got.Code != http.StatusConflict {
		t.Errorf("the old version: %d", got.Code)
	}
	if got := d.ask("GET", "/document/1?v="+s.version(t, 1), nil); got.Code != 200 {
		t.Errorf("the new version: %d", got.Code)
	}
}

// A fault in a request is an answer and a line in the log, never the end.
func TestDocumentRoute_APanicIsAnAnswer(t *testing.T) {
	var log []string
	d := documentRoute{NewWindow(&cases{}, nil, func(line string) { log = append(log, line) })} // knows no documents
	if got := d.ask("GET", "/document/1", nil); got.Code != http.StatusInternalServerError || len(log) != 1 {
		t.Errorf("%d, log %v", got.Code, log)
	}
}
