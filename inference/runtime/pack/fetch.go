package pack

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"referent/inference/digest"
	"referent/inference/download"
)

// Fetched is an archive that is there, whole and compared.
type Fetched struct {
	Path  string
	Proof download.Proof
}

// Fetch downloads archives into dir, one after the other, and returns them in
// the order of from. What is there already, with the right hash, is not fetched
// again, and a transfer that was broken off goes on. Nothing is fetched where the
// disk has no room for all of it and then bytes more. When ctx ends, what has
// arrived stays. progress sees all archives as one transfer; its Total is 0 where
// the size of one of several is unknown. Errors are those of the downloader.
func Fetch(ctx context.Context, d *download.Downloader, dir string, from []Source, then int64, progress func(download.Progress)) ([]Fetched, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, diskError(err)
	}
	if err := room(d.Free, dir, lacking(dir, from)+then); err != nil {
		return nil, err
	}
	var out []Fetched
	var before, total int64
	for _, s := range from {
		if s.Bytes <= 0 {
			total = 0
			break
		}
		total += s.Bytes
	}
	for i, s := range from {
		if err := s.check(); err != nil {
			return nil, err
		}
		file := archivePath(dir, i, s)
		if done, ok := there(ctx, file, s); ok {
			before += done
			out = append(out, Fetched{file, download.ProofCatalogue})
			continue
		}
		got, err := d.Fetch(ctx, download.Request{URL: s.URL, Path: file, Bytes: s.Bytes, SHA256: s.SHA256}, func(now download.Progress) {
			if now.Done += before; len(from) > 1 {
				now.Total = total
			}
			if progress != nil {
				progress(now)
			}
		})
		if err != nil {
			return nil, err
		}
		before += got.Bytes
		out = append(out, Fetched{got.Path, got.Proof})
	}
	return out, ctx.Err()
}

// lacking is how many bytes are still to come, as far as that is known.
func lacking(dir string, from []Source) int64 {
	pending, _ := download.Pending(dir) // none is as good as one that cannot be read
	var n int64
	for i, s := range from {
		file, there := archivePath(dir, i, s), int64(0)
		if info, err := os.Stat(file); err == nil {
			there = info.Size()
		}
		for _, u := range pending {
			if u.Path == file {
				there = u.Done
			}
		}
		n += max(0, s.Bytes-there)
	}
	return n
}

// check refuses what cannot be an archive's address, or a hash.
func (s Source) check() error {
	u, err := url.Parse(s.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return refuse(err, "“%s” is no address of an archive. It must begin with https://.", s.URL)
	}
	if b, err := hex.DecodeString(s.SHA256); err != nil || s.SHA256 != "" && len(b) != 32 {
		return refuse(err, "“%s” is no SHA-256: it has 64 digits and letters from a to f.", s.SHA256)
	}
	return nil
}

// archivePath is where a source comes to lie: the number keeps two of one name
// apart.
func archivePath(dir string, i int, s Source) string {
	name := "archive"
	if u, err := url.Parse(s.URL); err == nil {
		name = strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c) {
				return c
			}
			return '-'
		}, path.Base(u.Path))
	}
	return filepath.Join(dir, fmt.Sprintf("%d-%s", i+1, name))
}

// there tells whether an archive was fetched before.
func there(ctx context.Context, file string, s Source) (int64, bool) {
	info, err := os.Stat(file)
	if err != nil || s.SHA256 == "" || s.Bytes > 0 && info.Size() != s.Bytes {
		return 0, false
	}
	hash, _, err := digest.File(ctx, file, nil)
	return info.Size(), err == nil && strings.EqualFold(hash, s.SHA256)
}
