package pack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"referent/inference"
	"referent/inference/digest"
	"referent/inference/download"
	"referent/inference/runtime"
	"referent/inference/selftest"
)

// Request says what to install from and where to.
type Request struct {
	Place    string   // the folder whose folder "runtime" gets the pack
	Core     string   // a verified runtime of the processor
	Archives []string // files, in any order; more than are needed do no harm
	// Untried: nothing here can run the pack (Lacks), so it is not asked to.
	Untried bool
	// Progress gets the stage, and the bytes of Pack.Bytes that are unpacked so
	// far; nil: nobody asks.
	Progress func(stage Stage, done int64)
	Free     func(dir string) (int64, error) // nil: download.FreeSpace
}

// Stage is what an installation does now.
type Stage string

// The closed list of stages.
const (
	StageUnpack Stage = "unpack"
	StageVerify Stage = "verify" // compares every library with the built-in table
	StageTest   Stage = "test"   // computes with a small model
)

func (r Request) tell(stage Stage, done int64) {
	if r.Progress != nil {
		r.Progress(stage, done)
	}
}

// installer is how a folder is judged; tests put their own in place.
type installer struct {
	verify func(dir string) (runtime.Info, error)
	try    func(ctx context.Context, dir string) error
}

// Install unpacks, verifies and tries a pack, and puts it in place of an older
// one. Errors are an *inference.Error of the kind ErrNoRuntime with a sentence
// for people, or the context's.
func (p Pack) Install(ctx context.Context, req Request) (runtime.Info, error) {
	return installer{runtime.Verify, try}.install(ctx, p, req)
}

// try starts the libraries in a child of the program, asks for a device, and lets
// it compute in another child.
func try(ctx context.Context, dir string) error {
	report, err := runtime.Probe(ctx, dir)
	if err != nil {
		return err
	}
	if why := report.Lacks(); why != "" {
		return refuse(nil, "The pack does not work on this computer, so it was not installed: %s.", why)
	}
	_, err = selftest.Run(ctx, dir, true)
	return err
}

func (i installer) install(ctx context.Context, p Pack, req Request) (info runtime.Info, err error) {
	core, err := i.verify(req.Core)
	if err != nil {
		return info, err
	}
	place := filepath.Dir(runtime.Folder(req.Place, p.Name))
	if err := os.MkdirAll(place, 0o755); err != nil {
		return info, diskError(err)
	}
	sweep(place, p.Name)
	if err := room(req.Free, place, p.Bytes()); err != nil {
		return info, err
	}
	fresh, err := os.MkdirTemp(place, freshPrefix(p.Name))
	if err != nil {
		return info, diskError(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	if err := takeCore(ctx, core, fresh); err != nil {
		return info, err
	}
	if err := p.takeArchives(ctx, req, fresh); err != nil {
		return info, err
	}
	req.tell(StageVerify, 0)
	if _, err = i.verify(fresh); err != nil {
		return info, err
	}
	if !req.Untried {
		req.tell(StageTest, 0)
		if err := i.try(ctx, fresh); err != nil {
			return info, err
		}
	}
	if err := ctx.Err(); err != nil {
		return info, err
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return info, diskError(err)
	}
	if err := exchange(fresh, filepath.Join(place, p.Name)); err != nil {
		return info, err
	}
	return i.verify(filepath.Join(place, p.Name))
}

// room refuses what would not leave a GiB and five per cent of it free. A file
// system that does not tell is full when it is written to.
func room(free func(dir string) (int64, error), dir string, need int64) error {
	if free == nil {
		free = download.FreeSpace
	}
	there, err := free(dir)
	if need += need/20 + 1<<30; err != nil || there >= need {
		return nil
	}
	return &inference.Error{Kind: download.ErrNoSpace, Message: fmt.Sprintf("There is not enough space on the disk: the pack needs %.1f GiB with some room and %.1f GiB is free. Free some space and try again.",
		float64(need)/(1<<30), float64(there)/(1<<30))}
}

// takeArchives unpacks the files of the pack.
func (p Pack) takeArchives(ctx context.Context, req Request, fresh string) error {
	found := map[string]bool{}
	var done int64
	for _, archive := range req.Archives {
		err := unpack(ctx, archive, func(name string, r io.Reader) error {
			f, ok := p.wanted(name)
			if !ok || found[name] {
				return nil
			}
			found[name] = true
			before := done
			return place(ctx, filepath.Join(fresh, name), r, f, func(n int64) {
				done = before + n
				req.tell(StageUnpack, done)
			})
		})
		if err != nil {
			return err
		}
	}
	return p.missing(found)
}

// takeCore copies the runtime of the processor: files as second names where the
// disk allows, links as they are.
func takeCore(ctx context.Context, core runtime.Info, fresh string) error {
	entries, err := os.ReadDir(core.Dir)
	if err != nil {
		return diskError(err)
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		from, to := filepath.Join(core.Dir, e.Name()), filepath.Join(fresh, e.Name())
		switch {
		case e.Type()&os.ModeSymlink != 0:
			var target string
			if target, err = os.Readlink(from); err == nil {
				err = os.Symlink(target, to)
			}
		case e.Type().IsRegular():
			if err = os.Link(from, to); err != nil {
				err = copyFile(from, to)
			}
		}
		if err != nil {
			return diskError(err)
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

func freshPrefix(name string) string { return "." + name + "-" }

// oldFolder is where a whole pack lies while a new one takes its place, goneFolder
// where one lies that is being removed.
func oldFolder(dir string) string { return hidden(dir, "old") }

func goneFolder(dir string) string { return hidden(dir, "gone") }

func hidden(dir, end string) string {
	return filepath.Join(filepath.Dir(dir), freshPrefix(filepath.Base(dir))+end)
}

// exchange puts the new folder in the place of the old one. After a kill between
// the two steps sweep brings the old one back.
func exchange(fresh, dir string) error {
	place, old := filepath.Dir(dir), oldFolder(dir)
	// A file system that cannot sync folders still gets the pack.
	_ = download.SyncFolder(fresh)
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return diskError(err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(diskError(err), os.Rename(old, dir))
	}
	_ = download.SyncFolder(place) // before the old one goes
	if err := os.RemoveAll(old); err != nil {
		return diskError(err)
	}
	return nil
}

// Remove takes a pack away. It says false where none is installed there.
func (p Pack) Remove(place string) (bool, error) {
	dir := runtime.Folder(place, p.Name)
	sweep(filepath.Dir(dir), p.Name)
	gone := goneFolder(dir)
	// One step first: half a folder must never look like a runtime.
	if err := os.Rename(dir, gone); errors.Is(err, os.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, diskError(err)
	}
	if err := os.RemoveAll(gone); err != nil {
		return true, diskError(err)
	}
	return true, nil
}

// sweep removes what an interrupted installation has left, and brings back the old
// pack where the new one has not taken its place. What cannot be removed is tried
// again the next time.
func sweep(place, name string) {
	dir := filepath.Join(place, name)
	if !exists(dir) && os.Rename(oldFolder(dir), dir) == nil {
		_ = download.SyncFolder(place)
	}
	entries, err := os.ReadDir(place)
	if err != nil {
		return
	}
	there := exists(dir)
	for _, e := range entries {
		at := filepath.Join(place, e.Name())
		if at == oldFolder(dir) && !there { // it could not be brought back
			continue
		}
		if strings.HasPrefix(e.Name(), freshPrefix(name)) {
			_ = os.RemoveAll(at)
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Check reads the files of an installed pack again and compares their hashes.
func (p Pack) Check(ctx context.Context, dir string) error {
	for _, a := range p.Archives {
		for _, f := range a.Files {
			hash, _, err := digest.File(ctx, filepath.Join(dir, f.Name), nil)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil || hash != f.SHA256 {
				return refuse(err, "The library %s in %s is missing or damaged. Install the pack again.", f.Name, dir)
			}
		}
	}
	return nil
}

func refuse(cause error, sentence string, args ...any) error {
	return &inference.Error{Kind: inference.ErrNoRuntime, Message: fmt.Sprintf(sentence, args...), Cause: cause}
}

// diskError turns an error of the file system into a sentence.
func diskError(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return refuse(err, "The disk is full, so the pack was not installed. Free some space and try again.")
	case errors.Is(err, os.ErrPermission):
		return refuse(err, "The folder for libraries may not be written to. Change its permissions.")
	}
	return refuse(err, "The pack could not be put in place. Look at the disk and try again.")
}
