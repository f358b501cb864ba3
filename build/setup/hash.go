package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
)

// hashes remembers the SHA-256 of files in the cache, so that a second run
// need not read two gigabytes. A file counts as unchanged while its size and
// time of change are.
type hashes struct {
	path string
	rows map[string]hashRow
}

type hashRow struct {
	Size   int64  `json:"size"`
	Time   int64  `json:"time"` // of the last change, nanoseconds
	SHA256 string `json:"sha256"`
}

func openHashes(path string) *hashes {
	h := &hashes{path: path, rows: map[string]hashRow{}}
	if b, err := os.ReadFile(path); err == nil {
		if json.Unmarshal(b, &h.rows) != nil {
			h.rows = map[string]hashRow{} // a damaged note costs one more look
		}
	}
	return h
}

// is reports whether the file at path has the hash. A missing file has none.
func (h *hashes) is(ctx context.Context, path, want string) (bool, error) {
	st, err := os.Stat(path)
	if err != nil {
		return false, nil
	}
	row, ok := h.rows[path]
	if !ok || row.Size != st.Size() || row.Time != st.ModTime().UnixNano() {
		sum, err := hashFile(ctx, path)
		if err != nil {
			return false, err
		}
		row = hashRow{st.Size(), st.ModTime().UnixNano(), sum}
		h.rows[path] = row
		h.save()
	}
	return row.SHA256 == want, nil
}

// save writes the note. Losing it costs time only, so that errors are dropped.
func (h *hashes) save() {
	b, err := json.MarshalIndent(h.rows, "", " ")
	if err != nil {
		return
	}
	part := h.path + ".part"
	if os.WriteFile(part, b, 0o644) == nil {
		_ = os.Rename(part, h.path)
	}
}

func hashFile(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return hashOf(ctx, f, io.Discard)
}

// hashOf copies r to w and returns the SHA-256 of what went through.
func hashOf(ctx context.Context, r io.Reader, w io.Writer) (string, error) {
	sum := sha256.New()
	if _, err := io.CopyBuffer(io.MultiWriter(w, sum), stoppable{ctx, r}, make([]byte, 1<<20)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// stoppable ends a copy when its context does.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(b)
}

// place writes a file through a .part file beside it and returns its hash.
// Until fill and the check have passed, path keeps what it had.
func place(ctx context.Context, path string, r io.Reader, check func(hash string) error) error {
	part := path + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	sum, err := hashOf(ctx, r, f)
	if err == nil {
		err = check(sum)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(part)
		return err
	}
	return os.Rename(part, path)
}

// folderSize adds up the files under dir, in bytes.
func folderSize(dir string) int64 {
	var sum int64
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // files come and go while a download runs
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
