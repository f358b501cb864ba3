//go:build browser

package desktop

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every view in light and dark: a picture of each is kept, and where its regions
// stand is what frontend/e2e/layout.txt says. `npm run shots` does the same, with
// axe, and with UPDATE=1 records a change that is meant.
func TestBrowser_EveryViewStandsAsRecorded(t *testing.T) {
	pictures, err := filepath.Abs(filepath.Join("..", "..", "build", "bin", "pictures"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "e2e/shots.mjs")
	cmd.Dir = filepath.Join("..", "..", "frontend")
	cmd.Env = append(os.Environ(), "SHOTS="+pictures, "NO_AXE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kept, err := filepath.Glob(filepath.Join(pictures, "*.png"))
	if err != nil || len(kept) < 60 {
		t.Errorf("%d pictures were kept, %v", len(kept), err)
	}
}

// The page without the reader of PDFs, which loads when it is first used, is at
// most 500 kB as it travels.
func TestBrowser_ThePageIsSmall(t *testing.T) {
	dist := filepath.Join("..", "..", "frontend", "dist")
	index, err := os.ReadFile(filepath.Join(dist, "index.html"))
	if err != nil {
		t.Fatalf("%v. Run `make build` first.", err)
	}
	files := regexp.MustCompile(`(?:src|href)="\.?/?(assets/[^"]+\.(?:js|css))"`).FindAllStringSubmatch(string(index), -1)
	if len(files) < 2 {
		t.Fatalf("the page names %v", files)
	}
	total := 0
	for _, file := range files {
		if strings.Contains(file[1], "pdf") {
			t.Errorf("%s is loaded at the start", file[1])
		}
		total += zipped(t, filepath.Join(dist, file[1]))
	}
	t.Logf("%d kB", total/1000)
	if total > 500_000 {
		t.Errorf("the page has %d kB", total/1000)
	}
}

// zipped is the size of a file after gzip, in bytes.
func zipped(t *testing.T, path string) int {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var n counter
	w := gzip.NewWriter(&n)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return int(n)
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

var _ io.Writer = (*counter)(nil)
