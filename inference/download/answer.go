package download

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// announcement is what a server says about the whole file. Model hubs name the
// SHA-256 of a large file as the ETag of the address that they redirect to
// (X-Linked-Etag), and its size beside it.
type announcement struct {
	sha256 string
	size   int64
}

// read takes what a response names; the first one that names a thing wins, since
// the address that was asked for knows best.
func (a *announcement) read(h http.Header) {
	for _, name := range []string{"X-Linked-Etag", "Etag"} {
		mark := strings.ToLower(strings.Trim(strings.TrimPrefix(h.Get(name), "W/"), `"`))
		if b, err := hex.DecodeString(mark); err == nil && len(b) == 32 && a.sha256 == "" {
			a.sha256 = mark
		}
	}
	if n, err := strconv.ParseInt(h.Get("X-Linked-Size"), 10, 64); err == nil && n > 0 && a.size == 0 {
		a.size = n
	}
}

// validator returns what If-Range may carry: a strong ETag, else the date.
func validator(h http.Header) string {
	if tag := h.Get("Etag"); strings.HasPrefix(tag, `"`) {
		return tag
	}
	return h.Get("Last-Modified")
}

// accept judges a response before its body is read. complete: there is no body
// to read, everything is there.
func (t *transfer) accept(resp *http.Response, named announcement) (complete bool, err error) {
	switch resp.StatusCode {
	case http.StatusOK:
		if t.done > 0 { // another version, or a server without ranges
			if err := t.restart(); err != nil {
				return false, err
			}
		}
		return false, t.begin(resp, named)
	case http.StatusPartialContent:
		from, total, ok := contentRange(resp.Header.Get("Content-Range"))
		if !ok || from != t.done || t.done == 0 || total > 0 && t.size() > 0 && total != t.size() || t.another(resp.Header, named) {
			return false, t.anew()
		}
		if t.state.Size == 0 {
			t.state.Size = total
		}
		return false, t.room()
	case http.StatusRequestedRangeNotSatisfiable:
		if _, total, ok := contentRange(resp.Header.Get("Content-Range")); ok && total == t.done && t.done > 0 && t.size() == 0 {
			return true, nil
		}
		return false, t.anew()
	}
	return false, refused(resp.StatusCode)
}

// begin notes what the file is to be and makes sure that there is room for it.
func (t *transfer) begin(resp *http.Response, named announcement) error {
	size := max(resp.ContentLength, 0)
	if size == 0 {
		size = named.size
	}
	switch {
	case t.req.Bytes > 0 && size > 0 && size != t.req.Bytes:
		return fail(ErrChanged, nil, "The file at its source has another size than the catalogue says. It was not downloaded; look for an update of the program.")
	case t.req.SHA256 != "" && resp.Header.Get("X-Linked-Etag") != "" && named.sha256 != "" && !sameHash(named.sha256, t.req.SHA256):
		return fail(ErrChanged, nil, "The file at its source has changed since the catalogue was written. It was not downloaded; look for an update of the program.")
	case t.req.SHA256 == "" && named.sha256 == "":
		return fail(ErrNoHash, nil, "The server does not say what the file's checksum is, so a damaged file could not be told from a whole one. Download it with a browser, compare it, and import it.")
	}
	t.state = state{URL: t.req.URL, Validator: validator(resp.Header), Announced: named.sha256, Size: size}
	if err := t.room(); err != nil {
		return err
	}
	if err := t.state.write(t.req.Path); err != nil {
		return diskError(err)
	}
	return nil
}

// another reports whether a part of a response belongs to another version.
func (t *transfer) another(h http.Header, named announcement) bool {
	if v := validator(h); v != "" && v != t.state.Validator {
		return true
	}
	return named.sha256 != "" && t.state.Announced != "" && named.sha256 != t.state.Announced
}

// anew throws the part away and asks for the whole file.
func (t *transfer) anew() error {
	if err := t.restart(); err != nil {
		return err
	}
	return again{fail(ErrServer, errAnew, "The server does not send the file in parts as it should. Try again later.")}
}

// room checks the free space: the rest, five per cent of the whole, and one GiB
// that stays free for everything else.
func (t *transfer) room() error {
	free, err := t.Free(folder(t.req.Path))
	if err != nil {
		return nil // the file system does not tell; a full disk is found when writing
	}
	need := max(0, t.size()-t.done) + t.size()/20 + 1<<30
	if free < need {
		return fail(ErrNoSpace, nil, "There is not enough space on the disk: the download needs %s and %s is free. Free some space and start it again.", gib(need), gib(free))
	}
	return nil
}

func gib(n int64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }

// refused is a status that brings no file.
func refused(status int) error {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fail(ErrServer, nil, "The server wants an account for this file (status %d). Download it with a browser and import it.", status)
	case status == http.StatusNotFound || status == http.StatusGone:
		return fail(ErrServer, nil, "The file is no longer at its address (status %d). Look for an update of the program, or import the file.", status)
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		return again{fail(ErrServer, nil, "The server is busy or broken (status %d). Try again later; what has arrived is kept.", status)}
	}
	return fail(ErrServer, nil, "The server does not send the file (status %d).", status)
}

// contentRange reads "bytes FROM-TO/TOTAL" and "bytes */TOTAL"; a total that is
// not given is 0.
func contentRange(s string) (from, total int64, ok bool) {
	rest, ok := strings.CutPrefix(s, "bytes ")
	if !ok {
		return 0, 0, false
	}
	span, whole, ok := strings.Cut(rest, "/")
	if !ok {
		return 0, 0, false
	}
	if whole != "*" {
		n, err := strconv.ParseInt(whole, 10, 64)
		if err != nil || n < 0 {
			return 0, 0, false
		}
		total = n
	}
	if span == "*" {
		return 0, total, true
	}
	first, _, ok := strings.Cut(span, "-")
	n, err := strconv.ParseInt(first, 10, 64)
	return n, total, ok && err == nil && n >= 0
}
