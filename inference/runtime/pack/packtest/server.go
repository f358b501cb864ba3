package packtest

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Server serves the archive under any path, in parts where it is asked to.
type Server struct {
	Archive []byte
	SHA256  string       // of the archive, in hex
	Asked   atomic.Int32 // requests
	WentOn  atomic.Bool  // one of them went on where another had stopped
	Release func()       // lets the held answer end, half of it sent; more than once does nothing
	URL     string       // of the archive
}

// Archive is what the server has.
func Archive(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "lib/libcudart.so.13", Method: zip.Store})
	if err == nil {
		_, err = w.Write(bytes.Repeat([]byte("no library "), 100_000))
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Serve starts a server that ends with the test. Hold: the first request gets half
// of the archive and then waits for Release.
func Serve(t testing.TB, hold bool) *Server {
	t.Helper()
	held := make(chan struct{})
	s := &Server{Archive: Archive(t), Release: sync.OnceFunc(func() { close(held) })}
	sum := sha256.Sum256(s.Archive)
	s.SHA256 = hex.EncodeToString(sum[:])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") != "" {
			s.WentOn.Store(true)
		}
		w.Header().Set("Etag", `"v1"`)
		if s.Asked.Add(1) > 1 || !hold {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.Archive))
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(s.Archive)))
		_, _ = w.Write(s.Archive[:len(s.Archive)/2])
		_ = http.NewResponseController(w).Flush()
		<-held
	}))
	t.Cleanup(func() { s.Release(); server.Close() })
	s.URL = server.URL + "/pack.whl"
	return s
}
