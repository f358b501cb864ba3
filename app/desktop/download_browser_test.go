//go:build browser

package desktop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/app"
	"referent/inference/gguf/toy"
	"referent/rag"
)

// slowServer has one file, of which each of the first requests gets a quarter
// more; then its line goes dead until the reader leaves.
type slowServer struct {
	body    []byte
	dead    int // requests whose line goes dead
	mu      sync.Mutex
	ranges  []string
	reached chan struct{} // one for each line that is dead
}

func (s *slowServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.ranges)
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	s.mu.Unlock()
	hash := sha256.Sum256(s.body)
	w.Header().Set("ETag", `"v1"`)
	w.Header().Set("X-Linked-Etag", `"`+hex.EncodeToString(hash[:])+`"`)
	if n >= s.dead {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.body))
		return
	}
	from := begins(r.Header.Get("Range"))
	if from > 0 {
		w.Header().Set("Content-Range", "bytes "+strconv.Itoa(from)+"-"+strconv.Itoa(len(s.body)-1)+"/"+strconv.Itoa(len(s.body)))
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(s.body)-from))
	if from > 0 {
		w.WriteHeader(http.StatusPartialContent)
	}
	_, _ = w.Write(s.body[from : from+len(s.body)/4])
	w.(http.Flusher).Flush()
	s.reached <- struct{}{}
	<-r.Context().Done()
}

// begins is the first byte that a range asks for.
func begins(header string) int {
	from, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(header, "bytes="), "-"))
	return from
}

// A download is paused on the page, the program is closed, and another start goes
// on where it stopped; what has arrived is compared with the server's checksum.
// The hosts of the catalogue cannot be reached here, so the first quarter comes by
// an address, as `referent models pull` takes it.
func TestBrowser_ADownloadIsPausedAndGoesOnAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toy.gguf")
	if _, err := (toy.Chat{Text: "Yes [1]."}).Write(path); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	source := &slowServer{body: body, dead: 2, reached: make(chan struct{}, 2)}
	server := httptest.NewServer(source)
	t.Cleanup(server.Close)

	quarter := len(body) / 4
	w := openWorld(t, nil, nil)
	w.Click("button", "Skip set-up")
	arrived := func(bytes int) {
		t.Helper()
		<-source.reached
		waitUntil(t, "what was sent", func() bool {
			info, err := os.Stat(filepath.Join(w.data, "models", "small-toy.gguf.part"))
			return err == nil && info.Size() >= int64(bytes)
		})
	}
	pulled := make(chan error, 1)
	go func() {
		pulled <- w.app.PullModel(context.WithoutCancel(t.Context()), app.PullRequest{URL: server.URL + "/small-toy.gguf", Role: "answer", Granted: true}, nil)
	}()
	arrived(quarter)
	if err := w.app.PauseModel(t.Context(), "small-toy"); err != nil {
		t.Fatal(err)
	}
	var known *rag.Error
	if err := <-pulled; !errors.As(err, &known) || known.Code != rag.CodeCancelled {
		t.Fatalf("paused: %v", err)
	}

	w.Press("Control+3")
	w.Click("button", "Go on with the download of small-toy.gguf")
	arrived(2 * quarter)
	w.Click("button", "Pause the download of small-toy.gguf")
	w.SeeRole("button", "Go on with the download of small-toy.gguf")
	w.See("Paused")
	w.picture("download-paused")
	// The bridge answers the call that was paused as a server does, and Chromium notes that.
	if noted := w.do("problems", element{}, nil).([]any); len(noted) != 1 || !strings.Contains(noted[0].(string), "500") {
		t.Errorf("problems: %v", noted)
	}
	w.Quiet()

	w.Restart()
	w.Click("button", "Skip set-up")
	w.Press("Control+3")
	w.See("Paused")
	w.Click("button", "Go on with the download of small-toy.gguf")
	w.See("Compared with the server's checksum")
	w.Gone("button", "Go on with the download of small-toy.gguf")
	w.picture("download-ready")
	w.Quiet()

	source.mu.Lock()
	defer source.mu.Unlock()
	var starts []int
	for _, r := range source.ranges {
		starts = append(starts, begins(r))
	}
	if want := []int{0, quarter, 2 * quarter}; !slices.Equal(starts, want) {
		t.Errorf("the server was asked from %v on, not %v", starts, want)
	}
	got, err := os.ReadFile(filepath.Join(w.data, "models", "small-toy.gguf"))
	if err != nil || !bytes.Equal(got, body) {
		t.Errorf("the file has %d bytes of %d, %v", len(got), len(body), err)
	}
}
