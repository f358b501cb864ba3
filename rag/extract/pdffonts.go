package extract

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// fontFS is a read-only file system that holds one font at the place where the
// PDF module looks for system fonts. A nil fontFS holds only the folders.
type fontFS []byte

const fontPath = "usr/share/fonts/" + fallbackFont

// Open gives the font, or a folder on the way to it.
func (f fontFS) Open(name string) (fs.File, error) {
	switch {
	case name == fontPath && f != nil:
		return &memoryFile{Reader: bytes.NewReader(f), node: node{name: fallbackFont, size: int64(len(f))}}, nil
	case name == "." || strings.HasPrefix(fontPath, name+"/"):
		return &fontDir{node: node{name: path.Base(name), dir: true}, children: f.children(name)}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (f fontFS) children(name string) []fs.DirEntry {
	rest := fontPath
	if name != "." {
		rest = strings.TrimPrefix(fontPath, name+"/")
	}
	child, _, deeper := strings.Cut(rest, "/")
	n := node{name: child, dir: deeper}
	if !deeper {
		if f == nil {
			return nil
		}
		n.size = int64(len(f))
	}
	return []fs.DirEntry{fs.FileInfoToDirEntry(n)}
}

// node describes a file or folder.
type node struct {
	name string
	size int64
	dir  bool
}

func (n node) Name() string       { return n.name }
func (n node) Size() int64        { return n.size }
func (n node) ModTime() time.Time { return time.Time{} }
func (n node) IsDir() bool        { return n.dir }
func (n node) Sys() any           { return nil }
func (n node) Mode() fs.FileMode {
	if n.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// memoryFile is a file whose bytes are in memory.
type memoryFile struct {
	*bytes.Reader
	node node
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.node, nil }
func (f *memoryFile) Close() error               { return nil }

type fontDir struct {
	node     node
	children []fs.DirEntry
}

func (d *fontDir) Stat() (fs.FileInfo, error) { return d.node, nil }
func (d *fontDir) Close() error               { return nil }
func (d *fontDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.node.name, Err: fs.ErrInvalid}
}

// ReadDir lists what was not listed yet, as fs.ReadDirFile asks.
func (d *fontDir) ReadDir(n int) ([]fs.DirEntry, error) {
	all := d.children
	if n <= 0 {
		d.children = nil
		return all, nil
	}
	if len(all) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(all))
	d.children = all[n:]
	return all[:n], nil
}
