package desktop

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"

	"referent/app"
	"referent/rag"
)

// documentRoute serves the bytes of documents to the page, for what it shows as
// itself instead of as text: PDF and pictures. A document is named by its number
// and by the version that the page has read of; the page never names a path.
// Only what begins as its kind says is served, so that a file that was swapped
// for another is not. It is no method of Window, since the page could call that.
type documentRoute struct{ w *Window }

var documentAddress = regexp.MustCompile(`^/document/([1-9][0-9]{0,17})$`)

// ServeHTTP answers GET and HEAD with 200, 206, 304 or 416; with 409 when the
// file is no longer the version asked for; with 403 when another origin asks;
// else with 404, which tells nothing of why.
func (d documentRoute) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			d.w.log(fmt.Sprintf("panic in a document request: %v\n%s", p, debug.Stack()))
			http.Error(rw, "internal", http.StatusInternalServerError)
		}
	}()
	at := documentAddress.FindStringSubmatch(r.URL.Path)
	switch {
	case at == nil:
		http.NotFound(rw, r)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		rw.Header().Set("Allow", "GET, HEAD")
		http.Error(rw, "method not allowed", http.StatusMethodNotAllowed)
		return
	case !sameOrigin(r):
		http.Error(rw, "another origin", http.StatusForbidden)
		return
	}
	id, err := strconv.ParseInt(at[1], 10, 64)
	if err != nil {
		http.NotFound(rw, r)
		return
	}
	file, err := d.w.use.DocumentFile(r.Context(), id)
	if err != nil {
		d.refuse(rw, r, err)
		return
	}
	d.serve(rw, r, file)
}

// refuse hides why; what is no everyday refusal goes to the log.
func (d documentRoute) refuse(rw http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, &rag.Error{Code: rag.CodeUnknownDocument}) && r.Context().Err() == nil {
		d.w.log(fmt.Sprintf("document request: %v", err))
	}
	http.NotFound(rw, r)
}

func (d documentRoute) serve(rw http.ResponseWriter, r *http.Request, file app.DocumentFile) {
	known, err := app.StatRegular(file.Path)
	if err != nil {
		http.NotFound(rw, r)
		return
	}
	f, err := os.Open(file.Path)
	if err != nil {
		http.NotFound(rw, r)
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !os.SameFile(known, info) {
		http.NotFound(rw, r)
		return
	}
	head := make([]byte, 1024) // a PDF may begin with up to this much of something else
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		http.NotFound(rw, r)
		return
	}
	media := mediaType(file.Kind, head[:n])
	if media == "" {
		http.NotFound(rw, r)
		return
	}
	version := app.FileVersion(info)
	if asked := r.URL.Query().Get("v"); asked != version {
		http.Error(rw, "the file has changed", http.StatusConflict)
		return
	}
	h := rw.Header()
	h.Set("Content-Type", media)
	h.Set("ETag", `"`+version+`"`)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-store")
	http.ServeContent(rw, r, "", info.ModTime(), f)
}

// sameOrigin tells whether the page itself asks. Engines that know the header
// of the fetch standard say so with every request.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && u.Host == r.Host
}

// pictures are the beginnings of what the page can show as a picture. SVG is no
// part of them: it is a program.
var pictures = []struct{ begins, media string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"BM", "image/bmp"},
	{"II*\x00", "image/tiff"},
	{"MM\x00*", "image/tiff"},
}

// mediaType is what a document of a kind is served as, judged by how it begins;
// empty: it is not served.
func mediaType(kind string, head []byte) string {
	switch kind {
	case "pdf":
		if bytes.Contains(head, []byte("%PDF")) {
			return "application/pdf"
		}
	case "image":
		for _, p := range pictures {
			if bytes.HasPrefix(head, []byte(p.begins)) {
				return p.media
			}
		}
		if len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP" {
			return "image/webp"
		}
	}
	return ""
}
