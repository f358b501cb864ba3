//go:build browser

package desktop

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// packArchive is an archive with the name of one of the pack's libraries, which
// holds something else.
func packArchive(t *testing.T) []byte {
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

// The pack is read about, accepted and installed by keyboard; what is no archive
// of it is refused in a sentence, and nothing is there afterwards.
func TestBrowser_APackIsInstalledFromFilesOnlyWhenItIsOne(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Press("Control+3")
	w.See("What models run on")
	w.SeeRole("button", "Install CUDA")
	w.Accessible("runtimes")
	w.do("focus", element{Role: "button", Name: "Install CUDA"}, nil)
	w.Press("Enter")
	w.See("NVIDIA CUDA Toolkit End User License Agreement")
	w.Accessible("runtimes-install")
	w.do("focus", element{Role: "checkbox", Name: "I have read this"}, nil)
	w.Press("Space")
	file := filepath.Join(w.folder, "pack.whl")
	if err := os.WriteFile(file, packArchive(t), 0o644); err != nil {
		t.Fatal(err)
	}
	w.bridge.picks = []string{file}
	w.Quiet() // what is refused next is an error on the page's wire
	w.do("focus", element{Role: "button", Name: "Choose files"}, nil)
	w.Press("Enter")
	w.See("There are no model libraries") // nothing that a pack could stand on is here
	w.SeeRole("button", "Install CUDA")
}

// A download from an address of the person's own pauses, goes on where it
// stopped, and what came is thrown away on request.
func TestBrowser_APackIsDownloadedWithPauseAndChecksum(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	archive := packArchive(t)
	var asked atomic.Int32
	held := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Etag", `"v1"`)
		if asked.Add(1) > 1 {
			http.ServeContent(rw, r, "", time.Time{}, bytes.NewReader(archive))
			return
		}
		rw.Header().Set("Content-Length", strconv.Itoa(len(archive)))
		_, _ = rw.Write(archive[:len(archive)/2])
		_ = http.NewResponseController(rw).Flush()
		<-held
	}))
	release := sync.OnceFunc(func() { close(held) })
	t.Cleanup(func() { release(); server.Close() })
	sum := sha256.Sum256(archive)
	line := server.URL + "/pack.whl " + hex.EncodeToString(sum[:])
	w.Press("Control+3")
	ask := func(button string) {
		t.Helper()
		w.Click("button", button)
		w.Click("checkbox", "I have read this")
		w.do("click", element{Name: "From addresses of your own"}, nil)
		w.Type("textbox", "Addresses", line)
		w.Click("button", "Download from there")
	}
	w.Quiet()           // a pause is an error on the page's wire
	ask("Install CUDA") // a server on this computer needs no permission
	w.Click("button", "Pause the download of CUDA")
	w.SeeRole("button", "Go on with the download of CUDA")
	w.See("Paused")
	release()
	w.picture("runtimes-paused")
	ask("Go on with the download of CUDA")
	w.See("There are no model libraries")
	if n := asked.Load(); n != 2 {
		t.Errorf("%d requests", n)
	}
	w.Click("button", "Remove CUDA")
	w.ClickExact("button", "Remove")
	w.SeeRole("button", "Install CUDA")
	if left, err := os.ReadDir(filepath.Join(w.cache, "packs", "cuda")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left are %v, %v", left, err)
	}
}
