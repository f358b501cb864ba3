package digest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The hash of "abc" is the first example of FIPS 180-2.
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestCopy(t *testing.T) {
	var to bytes.Buffer
	var seen []int64
	hash, size, err := Copy(t.Context(), &to, strings.NewReader("abc"), func(done int64) { seen = append(seen, done) })
	if err != nil || hash != abc || size != 3 || to.String() != "abc" || len(seen) == 0 || seen[len(seen)-1] != 3 {
		t.Errorf("%s, %d bytes, %v; wrote %q, told %v", hash, size, err, to.String(), seen)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Copy(ctx, nil, strings.NewReader("abc"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	if hash, size, err := File(t.Context(), path, nil); err != nil || hash != abc || size != 3 {
		t.Errorf("%s, %d bytes, %v", hash, size, err)
	}
	if _, _, err := File(t.Context(), path+"x", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
