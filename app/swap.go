package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"referent/rag"
	"referent/rag/segment/disk"
	"referent/storage"
	"referent/storage/chats"
	"referent/storage/index"
)

// databases are the files that a backup holds and a restore replaces.
var databases = []string{index.FileName, chats.FileName}

// Names of folders of whole copies, which end with what made them.
const (
	backupCopies  = "backup-"
	restoreCopies = "restore-"
)

// swapMarker is the file of the data folder that tells of a swap under way.
const swapMarker = "restoring"

// swap replaces both databases and, where there is a new one, the lab. They cannot
// change in one step, so the swap is written down first, and whoever opens the
// folder next completes it, or undoes it where it failed. Every step may be
// repeated.
type swap struct {
	dir    string   // data folder
	Fresh  string   `json:"fresh"`  // its folder with the new files
	Before string   `json:"before"` // folder in "backup" that keeps the old files
	Kept   []string `json:"kept"`   // their names
	Lab    bool     `json:"lab"`    // a new lab is among the new files
	Undo   bool     `json:"undo"`
	// Planned: nothing was begun; the next start does it all.
	Planned bool `json:"planned,omitempty"`
}

func (s *swap) before() string { return filepath.Join(s.dir, "backup", s.Before) }

// run does the whole swap. After an error everything is as it was, or the
// next start settles it.
func (s *swap) run(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return errors.Join(err, os.RemoveAll(s.before()))
	}
	err := s.finish()
	if err == nil {
		return nil
	}
	s.Undo = true
	if e := s.write(); e != nil {
		return errors.Join(err, e)
	}
	return errors.Join(err, s.undo())
}

// begin keeps the old files and writes the marker; nothing is replaced yet.
func (s *swap) begin(ctx context.Context) error {
	if err := s.fold(ctx); err != nil {
		return err
	}
	if err := os.MkdirAll(s.before(), storage.FolderMode); err != nil {
		return err
	}
	for _, name := range databases {
		for _, end := range []string{"", "-wal"} {
			err := linkOrCopy(os.Link, filepath.Join(s.dir, name+end), filepath.Join(s.before(), name+end))
			switch {
			case err == nil:
				s.Kept = append(s.Kept, name+end)
			case !errors.Is(err, fs.ErrNotExist):
				return err
			}
		}
	}
	if err := s.keepLab(); err != nil {
		return err
	}
	for _, dir := range []string{s.before(), filepath.Dir(s.before()), filepath.Join(s.dir, s.Fresh)} {
		if err := disk.SyncFolder(dir); err != nil {
			return err
		}
	}
	return s.write()
}

// fold opens and closes the old databases: after a crash the newest turns are
// in the file beside. One that does not open is kept as it is.
func (s *swap) fold(ctx context.Context) error {
	if exists(filepath.Join(s.dir, index.FileName)) {
		if store, err := index.Open(ctx, s.dir); err == nil {
			_ = store.Close() // what is not folded in is kept beside
		}
	}
	if exists(filepath.Join(s.dir, chats.FileName)) {
		if store, err := chats.Open(ctx, s.dir); err == nil {
			_ = store.Close() // as above
		}
	}
	return ctx.Err()
}

// write puts the marker in place in one step.
func (s *swap) write() error {
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, s.Fresh, swapMarker)
	out, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, storage.FileMode)
	if err != nil {
		return err
	}
	_, err = out.Write(body)
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	if err := os.Rename(path, filepath.Join(s.dir, swapMarker)); err != nil {
		return err
	}
	return disk.SyncFolder(s.dir)
}

// finish moves the new files in.
func (s *swap) finish() error {
	for _, name := range databases {
		fresh := filepath.Join(s.dir, s.Fresh, name)
		if !exists(fresh) {
			continue // moved already
		}
		for _, end := range []string{"-wal", "-shm"} { // of the old file; they would be read into the new one
			if err := remove(filepath.Join(s.dir, name+end)); err != nil {
				return err
			}
		}
		if err := os.Rename(fresh, filepath.Join(s.dir, name)); err != nil {
			return err
		}
	}
	if err := errors.Join(s.replaceLab(), os.RemoveAll(filepath.Join(s.dir, indexFolder))); err != nil {
		return err
	}
	return s.end()
}

// undo moves the old files back. The new ones are still in the backup.
func (s *swap) undo() error {
	for _, name := range databases {
		for _, end := range []string{"-wal", "-shm", ""} {
			kept, at := filepath.Join(s.before(), name+end), filepath.Join(s.dir, name+end)
			switch {
			case !slices.Contains(s.Kept, name+end):
				if err := remove(at); err != nil {
					return err
				}
			case exists(kept): // else it is back already
				if err := os.Rename(kept, at); err != nil {
					return err
				}
				if err := remove(kept); err != nil { // a rename between two links of one file does nothing
					return err
				}
			}
		}
	}
	if err := errors.Join(s.bringLabBack(), os.RemoveAll(filepath.Join(s.dir, indexFolder))); err != nil {
		return err
	}
	return errors.Join(s.end(), os.RemoveAll(s.before()))
}

// end takes the marker away: from here on the folder may be opened.
func (s *swap) end() error {
	if err := disk.SyncFolder(s.dir); err != nil {
		return err
	}
	if err := remove(filepath.Join(s.dir, swapMarker)); err != nil {
		return err
	}
	return errors.Join(disk.SyncFolder(s.dir), os.RemoveAll(filepath.Join(s.dir, s.Fresh)))
}

// unsettled tells whether a swap waits for its end.
func unsettled(dir string) bool { return exists(filepath.Join(dir, swapMarker)) }

// settle ends a swap that was cut short and removes whole copies that a kill
// left behind. The caller holds the lock and has not opened the databases.
func settle(ctx context.Context, dir string) error {
	if err := storage.PrepareFolder(dir); err != nil {
		return err
	}
	s, err := readSwap(dir)
	if err == nil && s != nil {
		err = s.settle(ctx)
	}
	if err != nil {
		return storage.Explain(err)
	}
	sweepCopies(dir)
	return nil
}

// readSwap reads the marker of a data folder; nil: there is none.
func readSwap(dir string) (*swap, error) {
	marker, err := os.ReadFile(filepath.Join(dir, swapMarker))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := swap{dir: dir}
	err = json.Unmarshal(marker, &s)
	if err != nil || !madeBy(restoreCopies, s.Fresh) || !strings.HasPrefix(s.Before, "before-restore-") || !filepath.IsLocal(s.Before) {
		return nil, &rag.Error{Code: rag.CodeStorageFailed, Message: "A restore was cut short, and its record cannot be read.", Cause: err,
			Hint: "Move the file “restoring” out of the data folder to open what is there. What was there before is in its folder “backup”."}
	}
	return &s, nil
}

func (s *swap) settle(ctx context.Context) error {
	switch {
	case s.Planned:
		s.Planned = false
		err := s.run(ctx)
		if err != nil && !s.Undo { // nothing was replaced: the folder opens without it
			err = errors.Join(err, s.end())
		}
		return err
	case s.Undo:
		return s.undo()
	}
	return s.finish()
}

// sweepCopies removes folders of whole copies. What cannot be removed must not
// keep the data folder from opening, and is tried again the next time.
func sweepCopies(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() && (madeBy(backupCopies, e.Name()) || madeBy(restoreCopies, e.Name())) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// madeBy tells the names that os.MkdirTemp makes of a pattern.
func madeBy(pattern, name string) bool {
	number, ok := strings.CutPrefix(name, pattern)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// linkOrCopy gives a file a second name that stays when the first is replaced.
func linkOrCopy(link func(from, to string) error, from, to string) error {
	if err := link(from, to); err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, storage.FileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// remove deletes a file that may be gone already.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
