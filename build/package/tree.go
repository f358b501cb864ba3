package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is one thing in a package: a folder, a file with its bytes here or on
// disk, a symbolic link, or a second name of an earlier file.
type entry struct {
	path string // with slashes, relative to the root
	mode fs.FileMode
	kind byte // tar.TypeDir, TypeReg, TypeSymlink, TypeLink
	body []byte
	from string // file on disk; empty: body
	size int64
	link string // target of a link; of a second name, its path
}

// open reads the content of a file.
func (e entry) open() (io.ReadCloser, error) {
	if e.from != "" {
		return os.Open(e.from)
	}
	return io.NopCloser(bytes.NewReader(e.body)), nil
}

// tree is the content of a package, by path.
type tree map[string]entry

func (t tree) put(name string, mode fs.FileMode, body []byte) {
	t[name] = entry{path: name, mode: mode, kind: tar.TypeReg, body: body, size: int64(len(body))}
}

// take adds a file of the disk.
func (t tree) take(name string, mode fs.FileMode, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", from)
	}
	t[name] = entry{path: name, mode: mode, kind: tar.TypeReg, from: from, size: info.Size()}
	return nil
}

// takeFolder adds the files and links directly in a folder. Links must stay
// inside it.
func (t tree) takeFolder(name, from string) error {
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, f := range files {
		at, source := path.Join(name, f.Name()), filepath.Join(from, f.Name())
		if f.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(source)
			if err != nil {
				return err
			}
			if strings.ContainsRune(target, '/') {
				return fmt.Errorf("the link %s leads out of its folder", source)
			}
			t[at] = entry{path: at, mode: 0o777, kind: tar.TypeSymlink, link: target}
			continue
		}
		if err := t.take(at, 0o644, source); err != nil {
			return err
		}
	}
	return nil
}

// share turns files below folder with the same content into one file with
// several names, so that a core that several runtimes need is stored once.
func (t tree) share(folder string) error {
	first := map[[sha256.Size]byte]string{}
	for _, e := range t.sorted() {
		if e.kind != tar.TypeReg || !strings.HasPrefix(e.path, folder+"/") {
			continue
		}
		h := sha256.New()
		if err := copyInto(h, e); err != nil {
			return err
		}
		sum := [sha256.Size]byte(h.Sum(nil))
		if earlier, ok := first[sum]; ok {
			t[e.path] = entry{path: e.path, mode: e.mode, kind: tar.TypeLink, link: earlier}
			continue
		}
		first[sum] = e.path
	}
	return nil
}

func copyInto(w io.Writer, e entry) error {
	f, err := e.open()
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(w, f)
	if err == nil && n != e.size {
		err = fmt.Errorf("%s changed while it was packed", e.path)
	}
	return err
}

// sorted lists the entries and the folders that they need, by path.
func (t tree) sorted() []entry {
	all := map[string]entry{}
	for name, e := range t {
		all[name] = e
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			all[dir] = entry{path: dir, mode: 0o755, kind: tar.TypeDir}
		}
	}
	out := make([]entry, 0, len(all))
	for _, e := range all {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return out
}

// writeTar writes the tree below prefix ("./" in a Debian package), everything
// owned by root and of one time.
func (t tree) writeTar(w io.Writer, prefix string, at time.Time) error {
	out := tar.NewWriter(w)
	if err := out.WriteHeader(header(entry{kind: tar.TypeDir, mode: 0o755}, prefix, at)); err != nil {
		return err
	}
	for _, e := range t.sorted() {
		if err := out.WriteHeader(header(e, prefix, at)); err != nil {
			return fmt.Errorf("%s: %w", e.path, err)
		}
		if e.kind != tar.TypeReg {
			continue
		}
		if err := copyInto(out, e); err != nil {
			return err
		}
	}
	return out.Close()
}

func header(e entry, prefix string, at time.Time) *tar.Header {
	h := &tar.Header{Typeflag: e.kind, Name: prefix + e.path, Size: e.size, Mode: int64(e.mode), ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatUSTAR, Linkname: e.link}
	switch e.kind {
	case tar.TypeDir:
		h.Name = strings.TrimSuffix(h.Name, "/") + "/"
	case tar.TypeLink:
		h.Linkname = prefix + e.link
	}
	return h
}
