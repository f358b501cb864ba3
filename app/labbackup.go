package app

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"referent/storage"
)

// labFolder is where a data folder keeps runs, verdicts and own tests.
const labFolder = "lab"

// addLab adds the folder of the lab to a backup, if there is one. Own tests do not
// change meanwhile; of a run under way what is written so far is in it.
func (a *App) addLab(z *zip.Writer) error {
	a.bench.mu.Lock()
	defer a.bench.mu.Unlock()
	return eachFile(a.labPath(), func(at, name string) error { return addFile(z, at, path.Join(labFolder, name)) })
}

// eachFile calls fn for every plain file below a folder, by its place and its name
// there with slashes; for none where the folder is not there.
func eachFile(dir string, fn func(at, name string) error) error {
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		return fn(at, filepath.ToSlash(name))
	})
	if errors.Is(err, fs.ErrNotExist) && !exists(dir) {
		return nil
	}
	return err
}

// unpackLab takes the files of the lab out of a backup, of at most room bytes
// together. A name that leads out of its folder is of no backup.
func unpackLab(z *zip.ReadCloser, dir string, room int64) error {
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, labFolder+"/") || strings.HasSuffix(f.Name, "/") {
			continue
		}
		if slices.ContainsFunc(strings.Split(f.Name, "/"), func(part string) bool { return !plainName(part) || part == "." }) {
			return noBackup(nil)
		}
		at := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), storage.FolderMode); err != nil {
			return storageError(storage.Explain(err))
		}
		in, err := z.Open(f.Name)
		if err != nil {
			return noBackup(err)
		}
		size, err := unpackFile(in, at, room)
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
		room -= size
	}
	return nil
}

// keepLab keeps the old lab where a new one will take its place.
func (s *swap) keepLab() error {
	old := filepath.Join(s.dir, labFolder)
	s.Lab = exists(filepath.Join(s.dir, s.Fresh, labFolder))
	if !s.Lab || !exists(old) {
		return nil
	}
	s.Kept = append(s.Kept, labFolder)
	return eachFile(old, func(at, name string) error {
		to := filepath.Join(s.before(), labFolder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), storage.FolderMode); err != nil {
			return err
		}
		return linkOrCopy(os.Link, at, to)
	})
}

// replaceLab moves the new lab in, where it is not in yet.
func (s *swap) replaceLab() error {
	fresh, at := filepath.Join(s.dir, s.Fresh, labFolder), filepath.Join(s.dir, labFolder)
	if !exists(fresh) {
		return nil
	}
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	return os.Rename(fresh, at)
}

// bringLabBack undoes replaceLab. Where there was no lab, one that came in goes.
func (s *swap) bringLabBack() error {
	kept, at := filepath.Join(s.before(), labFolder), filepath.Join(s.dir, labFolder)
	switch {
	case slices.Contains(s.Kept, labFolder):
		if !exists(kept) {
			return nil // back already
		}
		return errors.Join(os.RemoveAll(at), os.Rename(kept, at))
	case s.Lab:
		return os.RemoveAll(at)
	}
	return nil
}
