package digest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
)

const blockSize = 1 << 20

// Copy copies r to w (nil: nowhere) and returns the SHA-256 of what went
// through, in lower-case hex. each, when set, gets the bytes so far.
func Copy(ctx context.Context, w io.Writer, r io.Reader, each func(done int64)) (hash string, size int64, err error) {
	sum, block := sha256.New(), make([]byte, blockSize)
	for {
		if err := ctx.Err(); err != nil {
			return "", size, err
		}
		n, err := r.Read(block)
		sum.Write(block[:n])
		if w != nil && n > 0 {
			if _, err := w.Write(block[:n]); err != nil {
				return "", size, err
			}
		}
		size += int64(n)
		if each != nil {
			each(size)
		}
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(sum.Sum(nil)), size, nil
		}
		if err != nil {
			return "", size, err
		}
	}
}

// File reads a whole file and returns its SHA-256 and size.
func File(ctx context.Context, path string, each func(done int64)) (hash string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = f.Close() }()
	return Copy(ctx, nil, f, each)
}
