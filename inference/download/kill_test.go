package download

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"referent/inference/outbound"
)

// In the child the test binary downloads once and ends.
const (
	childURL   = "REFERENT_TEST_DOWNLOAD_URL"
	childPath  = "REFERENT_TEST_DOWNLOAD_PATH"
	childAllow = "REFERENT_TEST_DOWNLOAD_ALLOW" // the one host that it may connect to
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		d := downloader(systemClock{})
		d.Client = outbound.New(func(_ context.Context, _, host string) bool { return host == os.Getenv(childAllow) }).Client("download")
		_, err := d.Fetch(context.Background(), Request{URL: url, Path: os.Getenv(childPath)}, nil)
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A proxy of the environment is used, and the permission is asked for the host
// behind it: without one not even the proxy hears of the download.
func TestFetch_GoesThroughAProxy(t *testing.T) {
	content := noise(21, size)
	for _, allow := range []string{"", "models.example:80"} {
		s, p := serve(t, content), path(t)
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "HTTP_PROXY="+s.URL, "http_proxy="+s.URL, "NO_PROXY=", "no_proxy=",
			childURL+"=http://models.example/m.gguf", childPath+"="+p, childAllow+"="+allow)
		err := child.Run()
		if allow == "" {
			if err == nil || len(s.asked()) != 0 {
				t.Errorf("without permission: %v, the proxy was asked %d times", err, len(s.asked()))
			}
			continue
		}
		if err != nil || len(s.asked()) != 1 {
			t.Errorf("through the proxy: %v, asked %d times", err, len(s.asked()))
		}
		expectFile(t, p, content)
	}
}

// The process is killed in the middle; the next one asks for the rest only.
func TestFetch_GoesOnAfterAKill(t *testing.T) {
	content := noise(20, size)
	s, p := serve(t, content), path(t)
	half := make(chan struct{})
	s.mu.Lock() // the child's request is no event that this process could order
	s.misbehave = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			return false
		}
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, _ = w.Write(content[:size/2])
		_ = http.NewResponseController(w).Flush()
		close(half)
		<-r.Context().Done()
		return true
	}
	s.mu.Unlock()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childURL+"="+s.URL, childPath+"="+p)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	<-half
	for { // until something of it is on the disk
		if left, err := Pending(folderOf(p)); err != nil || len(left) == 1 && left[0].Done > 0 {
			break
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	if _, err := os.Stat(p); err == nil {
		t.Fatal("half a file has its name")
	}
	if _, err := downloader(&hand{}).Fetch(t.Context(), Request{URL: s.URL, Path: p}, nil); err != nil {
		t.Fatal(err)
	}
	expectFile(t, p, content)
	if asked := s.asked(); len(asked) != 2 || asked[1] == "" || slices.Contains(asked, "bytes=0-") {
		t.Errorf("asked for %q", asked)
	}
}
