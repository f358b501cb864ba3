package app

import (
	"context"
	"errors"
	"io/fs"
	"maps"
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
// first, by their names in it: those of the updates, and what restores replaced.
func copiesOf(dir, name string) []string {
	var names []string
	for _, pattern := range []string{strings.TrimSuffix(name, ".db") + "-*.db", filepath.Join("before-restore-*", name)} {
		found, err := fs.Glob(os.DirFS(filepath.Join(dir, "backup")), filepath.ToSlash(pattern))
		if err != nil {
			continue // of a constant pattern: never
		}
		for _, at := range found {
			names = append(names, filepath.FromSlash(at))
		}
	}
	slices.SortFunc(names, func(a, b string) int { return lastWritten(dir, b).Compare(lastWritten(dir, a)) })
	return names
}

// lastWritten is the time of the last change of a copy.
func lastWritten(dir, name string) time.Time {
	info, err := os.Stat(filepath.Join(dir, "backup", name))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Copy is a copy of each damaged database in the folder "backup".
type Copy struct {
	At    time.Time         // of the last change; of two copies that of the older one
	names map[string]string // by that of the database
}

// Names are the names of the copies, below the folder "backup".
func (c Copy) Names() []string {
	return slices.Sorted(maps.Values(c.names))
}

// HasCopies tells whether there is a copy of each damaged database, whole or not.
func HasCopies(dir string, d Damage) bool {
	for _, name := range d.files() {
		if len(copiesOf(dir, name)) == 0 {
			return false
		}
	}
	return d.Any()
}

// FindCopy finds the newest whole copy of each damaged database, which is read for
// it. Nothing is changed. It fails while the folder is open, and where a database
// has no whole copy.
func FindCopy(ctx context.Context, dir string, d Damage) (c Copy, err error) {
	c.names = map[string]string{}
	return c, aside(dir, func(fresh string) error {
		for _, name := range d.files() {
			from, err := layWhole(ctx, dir, fresh, name, copiesOf(dir, name))
			if err != nil {
				return err
			}
			c.names[name] = from
			if at := lastWritten(dir, from); c.At.IsZero() || at.Before(c.At) {
				c.At = at
			}
		}
		return nil
	})
}

// aside holds the folder and gives work an empty folder in it, which goes away.
func aside(dir string, work func(fresh string) error) (err error) {
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
	return work(fresh)
}

// GoBack puts the copy that was found in the place of each damaged database, which
// is kept beside it. The copies stay where they are. Settings that permit a
// connection go back to their defaults. Where a copy is gone or is whole no longer,
// no other is taken and nothing is changed.
func GoBack(ctx context.Context, dir string, d Damage, c Copy) error {
	return aside(dir, func(fresh string) error {
		for _, name := range d.files() {
			if _, err := layWhole(ctx, dir, fresh, name, []string{c.names[name]}); err != nil {
				return err
			}
		}
		return putAllBack(fresh, dir, d)
	})
}

// putAllBack replaces the damaged databases by those of a folder.
func putAllBack(fresh, dir string, d Damage) error {
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

// layWhole puts a copy of the first whole one of some copies into a folder, and
// returns which it was.
func layWhole(ctx context.Context, dir, fresh, name string, copies []string) (taken string, err error) {
	for _, from := range copies {
		err := linkOrCopy(func(string, string) error { return errors.ErrUnsupported }, filepath.Join(dir, "backup", from), filepath.Join(fresh, name))
		if err == nil {
			err = whole(ctx, fresh, name)
		}
		if err == nil || ctx.Err() != nil {
			return from, errors.Join(err, ctx.Err())
		}
		for _, end := range []string{"", "-wal", "-shm"} {
			if err := remove(filepath.Join(fresh, name+end)); err != nil {
				return "", err
			}
		}
	}
	return "", &rag.Error{Code: rag.CodeStorageFailed, Message: "No copy in the folder “backup” is whole.", Hint: "Nothing was changed. Restore a backup of yours, or begin with a new file."}
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
