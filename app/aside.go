package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"referent/rag"
	"referent/rag/segment/disk"
	"referent/storage"
	"referent/storage/chats"
	"referent/storage/index"
)

// damagedFile marks the error of a database that is damaged, by its name. Of an
// index everything but the list of folders, labels and collections can be made
// again from the documents; conversations and settings cannot.
type damagedFile struct {
	error
	name string
}

func (d damagedFile) Unwrap() error { return d.error }

// Is makes errors.Is find the mark of one database among joined errors.
func (d damagedFile) Is(target error) bool {
	t, ok := target.(damagedFile)
	return ok && t.error == nil && t.name == d.name
}

func markDamaged(name string, err error) error {
	if errors.Is(err, storage.ErrDamaged) {
		return damagedFile{err, name}
	}
	return err
}

// Damage says which databases kept a data folder from opening.
type Damage struct{ Index, Conversations bool }

// Any tells whether there is one.
func (d Damage) Any() bool { return d.Index || d.Conversations }

func (d Damage) files() (names []string) {
	if d.Index {
		names = append(names, index.FileName)
	}
	if d.Conversations {
		names = append(names, chats.FileName)
	}
	return names
}

// DamageOf tells for which damaged databases Open failed, so that SetAside, GoBack
// and Restore help.
func DamageOf(err error) Damage {
	return Damage{
		Index:         errors.Is(err, damagedFile{name: index.FileName}),
		Conversations: errors.Is(err, damagedFile{name: chats.FileName}),
	}
}

// SetAside renames the files of damaged databases, so that the next Open begins
// with new ones. Nothing is deleted. It fails while the folder is open.
func SetAside(dir string, d Damage) error {
	lock, err := storage.LockFolder(dir)
	if err != nil {
		return err
	}
	stamp := asideStamp()
	for _, name := range d.files() {
		err = errors.Join(err, setAside(dir, name, stamp))
	}
	return errors.Join(storage.Explain(err), lock.Close())
}

func asideStamp() string { return "damaged-" + time.Now().UTC().Format("20060102T150405.000Z") + "-" }

// setAside renames a database, its log first: a log without its database is
// never read into another one.
func setAside(dir, name, stamp string) error {
	for _, end := range []string{"-wal", "-shm", ""} {
		err := os.Rename(filepath.Join(dir, name+end), filepath.Join(dir, stamp+name+end))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// copiesOf lists the copies of a database in the folder "backup", the newest
// first: those of the updates, and what restores replaced.
func copiesOf(dir, name string) []string {
	var paths []string
	for _, pattern := range []string{strings.TrimSuffix(name, ".db") + "-*.db", filepath.Join("before-restore-*", name)} {
		found, err := fs.Glob(os.DirFS(filepath.Join(dir, "backup")), filepath.ToSlash(pattern))
		if err != nil {
			continue // of a constant pattern: never
		}
		for _, at := range found {
			paths = append(paths, filepath.Join(dir, "backup", filepath.FromSlash(at)))
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return lastWritten(b).Compare(lastWritten(a)) })
	return paths
}

// lastWritten is the time of the last change of a file.
func lastWritten(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// NewestCopy tells from when the copy is that GoBack tries first; false: a damaged
// database has none. Of two it is the older one.
func NewestCopy(dir string, d Damage) (at time.Time, ok bool) {
	for _, name := range d.files() {
		copies := copiesOf(dir, name)
		if len(copies) == 0 {
			return time.Time{}, false
		}
		if one := lastWritten(copies[0]); at.IsZero() || one.Before(at) {
			at = one
		}
	}
	return at, !at.IsZero()
}

// GoBack puts the newest whole copy from the folder "backup" in the place of each
// damaged database, which is kept beside it. The copies stay where they are.
// Settings that permit a connection go back to their defaults. Where a database
// has no whole copy, nothing is changed.
func GoBack(ctx context.Context, dir string, d Damage) (err error) {
	lock, err := storage.LockFolder(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(storage.Explain(err), lock.Close()) }()
	fresh, err := os.MkdirTemp(dir, restoreCopies)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	for _, name := range d.files() {
		if err := layWhole(ctx, fresh, name, copiesOf(dir, name)); err != nil {
			return err
		}
	}
	stamp := asideStamp()
	if d.Index { // its files belong to the damaged list; the search index is made again
		err := os.Rename(filepath.Join(dir, indexFolder), filepath.Join(dir, stamp+indexFolder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, name := range d.files() {
		if err := putBack(fresh, dir, name, stamp); err != nil {
			return err
		}
	}
	return nil
}

// putBack replaces a damaged database in one step: a folder without one would open
// as an empty library. The damaged file gets its second name before, and its log
// goes away before: it is never read into another database.
func putBack(fresh, dir, name, stamp string) error {
	err := linkOrCopy(os.Link, filepath.Join(dir, name), filepath.Join(dir, stamp+name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, end := range []string{"-wal", "-shm"} {
		err := os.Rename(filepath.Join(dir, name+end), filepath.Join(dir, stamp+name+end))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := disk.SyncFolder(dir); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(fresh, name), filepath.Join(dir, name)); err != nil {
		return err
	}
	return disk.SyncFolder(dir)
}

// layWhole puts a copy of the first whole one of some copies into a folder.
func layWhole(ctx context.Context, fresh, name string, copies []string) error {
	for _, from := range copies {
		err := linkOrCopy(func(string, string) error { return errors.ErrUnsupported }, from, filepath.Join(fresh, name))
		if err == nil {
			err = whole(ctx, fresh, name)
		}
		if err == nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		for _, end := range []string{"", "-wal", "-shm"} {
			if err := remove(filepath.Join(fresh, name+end)); err != nil {
				return err
			}
		}
	}
	return &rag.Error{Code: rag.CodeStorageFailed, Message: "No copy in the folder “backup” is whole.", Hint: "Nothing was changed. Restore a backup of yours, or begin with a new file."}
}

// whole opens a database, which brings an older one up to date, and reads all of
// it. Of conversations it takes permissions back.
func whole(ctx context.Context, dir, name string) error {
	check := func(damage []string, err error) error {
		if err == nil && len(damage) > 0 {
			err = storage.ErrDamaged
		}
		return err
	}
	if name == index.FileName {
		store, err := index.Open(ctx, dir)
		if err != nil {
			return err
		}
		return errors.Join(check(store.IntegrityCheck(ctx)), store.Close())
	}
	store, err := chats.Open(ctx, dir)
	if err != nil {
		return err
	}
	if err = check(store.IntegrityCheck(ctx)); err == nil {
		_, err = takeBack(ctx, store)
	}
	return errors.Join(err, store.Close())
}
