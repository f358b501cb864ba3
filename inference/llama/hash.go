package llama

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"referent/inference/digest"
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
	stat, err := os.Stat(path)
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
	if now.SHA256, _, err = digest.File(ctx, path, nil); err != nil {
		return "", err
	}
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
