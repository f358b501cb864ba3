package llama

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// hashFile is the name of the file in Config.StateDir that remembers hashes.
const hashesFile = "model-hashes.json"

// hashes remembers the SHA-256 of model files. A file whose size and time of
// change are what they were is not read again: a large one takes seconds.
type hashes struct {
	mu    sync.Mutex
	dir   string // "": only in memory
	known map[string]hashed
}

type hashed struct {
	Size     int64  `json:"size"`
	Modified int64  `json:"modified_ns"`
	SHA256   string `json:"sha256"`
}

func newHashes(dir string) *hashes {
	h := &hashes{dir: dir, known: map[string]hashed{}}
	if dir != "" {
		if b, err := os.ReadFile(filepath.Join(dir, hashesFile)); err == nil {
			_ = json.Unmarshal(b, &h.known) // a damaged file costs only time
		}
	}
	if h.known == nil {
		h.known = map[string]hashed{}
	}
	return h
}

// of returns the hash of a file, lower-case hex.
func (h *hashes) of(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return "", err
	}
	now := hashed{Size: stat.Size(), Modified: stat.ModTime().UnixNano()}
	h.mu.Lock()
	old, ok := h.known[path]
	h.mu.Unlock()
	if ok && old.Size == now.Size && old.Modified == now.Modified {
		return old.SHA256, nil
	}
	sum := sha256.New()
	if _, err := io.CopyBuffer(sum, contextReader{ctx, f}, make([]byte, 1<<20)); err != nil {
		return "", err
	}
	now.SHA256 = hex.EncodeToString(sum.Sum(nil))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[path] = now
	h.save()
	return now.SHA256, nil
}

// save writes the file beside itself and renames it. A failure costs only time
// at the next start.
func (h *hashes) save() {
	if h.dir == "" {
		return
	}
	b, err := json.MarshalIndent(h.known, "", "  ")
	if err != nil {
		return
	}
	temporary := filepath.Join(h.dir, hashesFile+".new")
	if os.MkdirAll(h.dir, 0o700) == nil && os.WriteFile(temporary, b, 0o600) == nil {
		_ = os.Rename(temporary, filepath.Join(h.dir, hashesFile))
	}
}

// contextReader stops reading when the context is done.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
