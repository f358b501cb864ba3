package modelfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/digest"
	"referent/inference/download"
	"referent/inference/gguf"
)

// Import says which file is taken into which folder.
type Import struct {
	Dir  string // the person's folder of models; made if missing
	Path string
	Role inference.Role
	Link bool // share the bytes with the file at Path instead of copying; same disk only
	Now  time.Time
	Free func(dir string) (int64, error) // nil: download.FreeSpace
}

// Take imports a file. progress gets bytes and may be nil. The same file taken
// twice gives the same record. Errors for people are *inference.Error of kind
// ErrModelFile, or of a kind of package download about the disk.
func Take(ctx context.Context, in Import, progress func(done, total int64)) (Record, error) {
	total, err := inspect(in.Path, in.Role)
	if err != nil {
		return Record{}, err
	}
	if err := os.MkdirAll(in.Dir, 0o700); err != nil {
		return Record{}, disk(err)
	}
	if in.Free == nil {
		in.Free = download.FreeSpace
	}
	if free, err := in.Free(in.Dir); err == nil && !in.Link && free < total+total/20+1<<30 {
		return Record{}, &inference.Error{Kind: download.ErrNoSpace, Message: fmt.Sprintf(
			"There is not enough space on the disk: the copy needs %.1f GiB with some room and %.1f GiB is free. Free some space, or import with --link.",
			float64(total+total/20+1<<30)/(1<<30), float64(free)/(1<<30))}
	}
	fresh, hash, size, err := in.bring(ctx, func(done int64) {
		if progress != nil {
			progress(done, total)
		}
	})
	if err != nil {
		return Record{}, err
	}
	defer func() { _ = os.Remove(fresh) }() // gone already where all went well
	// The file may have been written to while it was copied.
	f, err := open(fresh, in.Role)
	if err != nil {
		return Record{}, err
	}
	return in.settle(fresh, hash, size, describe(f))
}

// inspect checks the file where it lies and returns its size.
func inspect(path string, role inference.Role) (int64, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return 0, &inference.Error{Kind: inference.ErrModelFile, Message: "This is no file. Choose a file that ends in .gguf."}
	}
	if _, err := open(path, role); err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// open reads the header and checks it and the role.
func open(path string, role inference.Role) (*gguf.File, error) {
	if err := gguf.Check(path); err != nil {
		return nil, err
	}
	f, err := gguf.Open(path)
	if err != nil {
		return nil, err
	}
	return f, Suits(f, role)
}

// bring puts the bytes into the folder under a name that no model has.
func (in Import) bring(ctx context.Context, each func(int64)) (fresh, hash string, size int64, err error) {
	if in.Link {
		fresh = filepath.Join(in.Dir, fmt.Sprintf(".import-%d.tmp", time.Now().UnixNano()))
		if err := os.Link(in.Path, fresh); err != nil {
			return "", "", 0, &inference.Error{Kind: download.ErrDisk, Message: "The file lies on another disk, or the disk knows no links. Leave out --link to copy it.", Cause: err}
		}
		if hash, size, err = digest.File(ctx, fresh, each); err != nil {
			return "", "", 0, errors.Join(disk(err), os.Remove(fresh))
		}
		return fresh, hash, size, nil
	}
	from, err := os.Open(in.Path)
	if err != nil {
		return "", "", 0, disk(err)
	}
	defer func() { _ = from.Close() }()
	to, err := os.CreateTemp(in.Dir, ".import-*.tmp")
	if err != nil {
		return "", "", 0, disk(err)
	}
	hash, size, err = digest.Copy(ctx, to, from, each)
	if err == nil {
		err = to.Sync()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return "", "", 0, errors.Join(disk(err), os.Remove(to.Name()))
	}
	return to.Name(), hash, size, nil
}

// settle gives the file its name and writes its record.
func (in Import) settle(fresh, hash string, size int64, r Record) (Record, error) {
	r.Bytes, r.SHA256, r.Source, r.Added, r.Proof, r.Roles = size, hash, in.Path, in.Now.UTC(), ProofNone, rolesOf(in.Role)
	base := fileName(in.Path)
	if e, ok := catalogue.ByHash(hash); ok {
		r.ID, r.Name, r.Proof, base = e.ID, e.Name, ProofCatalogue, e.File
	} else if e, ok := catalogue.ByFile(base); ok && e.SHA256 == "" && (e.Bytes == 0 || e.Bytes == size) && e.Plays(in.Role) {
		r.ID, r.Name = e.ID, e.Name
	} else {
		r.ID = ID(base)
		if _, taken := catalogue.ByID(r.ID); taken {
			r.ID += "-" + hash[:8]
		}
	}
	if r.Name == "" {
		r.Name = strings.TrimSuffix(base, ".gguf")
	}
	for _, old := range List(in.Dir) {
		switch {
		case old.SHA256 == hash:
			old.Roles = union(old.Roles, r.Roles)
			return old, disk(Write(old))
		case old.ID == r.ID || filepath.Base(old.Path) == base:
			r.ID = ID(base) + "-" + hash[:8]
			base = strings.TrimSuffix(base, ".gguf") + "-" + hash[:8] + ".gguf"
		}
	}
	r.Path = filepath.Join(in.Dir, base)
	if _, err := os.Stat(r.Path); err == nil { // a file without a record
		r.Path = filepath.Join(in.Dir, strings.TrimSuffix(base, ".gguf")+"-"+hash[:8]+".gguf")
	}
	if err := Write(r); err != nil {
		return Record{}, disk(err)
	}
	if err := errors.Join(os.Rename(fresh, r.Path), download.SyncFolder(in.Dir)); err != nil {
		return Record{}, errors.Join(disk(err), os.Remove(r.Path+Suffix))
	}
	return r, nil
}

func union(a, b []inference.Role) []inference.Role {
	var out []inference.Role
	for _, role := range inference.Roles() {
		for _, have := range [][]inference.Role{a, b} {
			for _, x := range have {
				if x == role && (len(out) == 0 || out[len(out)-1] != role) {
					out = append(out, role)
				}
			}
		}
	}
	return out
}

// fileName is the name that a file gets, always ending in .gguf.
func fileName(path string) string {
	return trimKind(filepath.Base(path)) + ".gguf"
}

// ID makes the id of a model from the name of its file: lower-case letters,
// digits, dots, dashes and underscores.
func ID(base string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, trimKind(base))
	if id = strings.TrimLeft(id, "-._"); id == "" {
		return "model"
	}
	return id
}

// disk turns an error of the file system into a sentence.
func disk(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, syscall.ENOSPC):
		return &inference.Error{Kind: download.ErrNoSpace, Message: "The disk is full. Free some space and try again.", Cause: err}
	case errors.Is(err, fs.ErrPermission):
		return &inference.Error{Kind: download.ErrDisk, Message: "The file may not be read, or the folder for models may not be written to. Change the permissions.", Cause: err}
	}
	return &inference.Error{Kind: download.ErrDisk, Message: "The file could not be copied. Look at the disk and try again.", Cause: err}
}

// trimKind takes the ending of a model file off its name.
func trimKind(base string) string {
	if strings.EqualFold(filepath.Ext(base), ".gguf") {
		return strings.TrimSuffix(base, filepath.Ext(base))
	}
	return base
}
