package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"referent/rag"
)

// File reads the file at path with the reader of its kind. The error is the
// context's and nothing else: whatever is wrong with the file is a Status with
// a Reason. Safe for concurrent use; two PDFs at a time at most.
func File(ctx context.Context, path string, opts Options) (rag.Extraction, error) {
	opts = opts.withDefaults()
	kind, d, err := read(ctx, path, opts)
	if cause := ctx.Err(); cause != nil {
		return rag.Extraction{}, cause
	}
	if err != nil {
		p := asProblem(err)
		return rag.Extraction{Status: p.status, Reason: p.reason, Kind: kind, Title: fileTitle(path), TitleSource: "file_name"}, nil
	}
	ex := d.finish()
	if len(d.partly) > 0 {
		ex.Reason = partlyReason(d.partly)
	}
	ex.Kind = kind
	if ex.Title == "" {
		ex.Title, ex.TitleSource = headingTitle(ex.Blocks), "heading"
	}
	if ex.Title == "" {
		ex.Title, ex.TitleSource = fileTitle(path), "file_name"
	}
	if lang := language(ex.Text); lang != "" || ex.Language == "" {
		ex.Language = lang
	}
	switch {
	case ex.Status != rag.FileIndexed:
	case ex.Text == "":
		ex.Reason = "The file holds no text, so nothing in it can be found."
	case d.recognised:
		ex.Reason = "It can be found by the words that were recognised in its pictures. Some may be misread."
	}
	return ex, nil
}

// read opens and sniffs the file and runs its reader.
func read(ctx context.Context, path string, opts Options) (kind string, d *document, err error) {
	src, err := open(path, opts)
	if err != nil {
		return "", nil, err
	}
	defer src.Close()
	return readSource(ctx, src, opts)
}

// readSource runs the reader of an open file. A panic of the reader or of a
// library below it ends here.
func readSource(ctx context.Context, src *source, opts Options) (kind string, d *document, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = damaged("The file confused the reader. Open it in the program that made it and save it again.",
				fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
		}
	}()
	kind, reader, err := choose(src, opts)
	if err != nil {
		return kind, nil, err
	}
	d = newDocument(opts)
	if err := reader(ctx, src, opts, d); err != nil {
		return kind, nil, err
	}
	return kind, d, nil
}

// content is what readers need of a file; an attachment offers it from memory.
type content interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
	Stat() (fs.FileInfo, error)
}

// source is an open file with its beginning already read.
type source struct {
	File content
	path string // as given; of an attachment, its name
	size int64  // when opened; a reader may find more or less
	head []byte // up to the first 8 KiB
}

// headBytes is how much of a file is looked at to tell its kind.
const headBytes = 8192

// readers are functions from a source to a document.
type reader func(ctx context.Context, src *source, opts Options, d *document) error

func open(path string, opts Options) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	// A pipe or a device would block on open, or never end.
	if !info.Mode().IsRegular() {
		return nil, unsupported("This is a folder, a pipe or a device, not a file. Add a file.")
	}
	if info.Size() > opts.MaxBytes {
		return nil, tooLarge("The file has %s. Files over %s are not read.", bytesText(info.Size()), bytesText(opts.MaxBytes))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		f.Close()
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return &source{File: f, path: path, size: info.Size(), head: head[:n]}, nil
}

// inMemory makes bytes with a file name a source.
func inMemory(name string, b []byte) *source {
	f := &memoryFile{Reader: bytes.NewReader(b), node: node{name: name, size: int64(len(b))}}
	return &source{File: f, path: name, size: int64(len(b)), head: b[:min(len(b), headBytes)]}
}

// Close ends the reading.
func (s *source) Close() error { return s.File.Close() }

// bytes reads the whole file, limit bytes at most.
func (s *source) bytes(limit int64) ([]byte, error) {
	large := func() error {
		return tooLarge("The file has more than %s. Files of this kind are read up to that size.", bytesText(limit))
	}
	if s.size > limit {
		return nil, large()
	}
	// One allocation for a file that is as large as it says.
	var buf bytes.Buffer
	buf.Grow(int(min(s.size, limit)) + bytes.MinRead)
	if _, err := buf.ReadFrom(io.LimitReader(s.File, limit+1)); err != nil {
		return nil, err
	}
	b := buf.Bytes()
	if int64(len(b)) > limit {
		return nil, large()
	}
	return b, nil
}

func (s *source) ext() string { return strings.ToLower(filepath.Ext(s.path)) }

// headingTitle is the first heading, if it stands near the beginning. The name
// of a sheet names no document.
func headingTitle(blocks []rag.Block) string {
	for i, b := range blocks {
		if i >= 10 {
			return ""
		}
		if b.Kind == rag.BlockHeading && b.Locator.Sheet == "" && utf8.RuneCountInString(b.Text) <= 200 {
			return oneLine(b.Text)
		}
	}
	return ""
}

// fileTitle is the file name without its extension.
func fileTitle(path string) string {
	name := filepath.Base(path)
	if stem := strings.TrimSuffix(name, filepath.Ext(name)); stem != "" {
		name = stem
	}
	return oneLine(cleanText(strings.NewReplacer("_", " ").Replace(strings.ToValidUTF8(name, "\uFFFD"))))
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
	default:
		return fmt.Sprintf("%d bytes", n)
	}
}
