package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	if ex.Status == rag.FileIndexed && ex.Text == "" {
		ex.Reason = "The file holds no text."
	}
	return ex, nil
}

// read opens and sniffs the file and runs its reader. A panic of a reader or
// of a library below it ends here.
func read(ctx context.Context, path string, opts Options) (kind string, d *document, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = damaged("The file confused the reader. Open it in the program that made it and save it again.",
				fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
		}
	}()
	src, err := open(path, opts)
	if err != nil {
		return "", nil, err
	}
	defer src.Close()
	kind, reader, err := choose(src)
	if err != nil {
		return kind, nil, err
	}
	d = newDocument(opts)
	if err := reader(ctx, src, opts, d); err != nil {
		return kind, nil, err
	}
	return kind, d, nil
}

// source is an open file with its beginning already read.
type source struct {
	*os.File
	path string // as given
	size int64  // when opened; a reader may find more or less
	head []byte // up to the first 8 KiB
}

// readers are functions from a source to a document.
type reader func(ctx context.Context, src *source, opts Options, d *document) error

func open(path string, opts Options) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	// A pipe or a device would block on open, or never end.
	if !info.Mode().IsRegular() {
		return nil, unsupported("This is a folder, a pipe or a device, not a file.")
	}
	if info.Size() > opts.MaxBytes {
		return nil, tooLarge("The file has %s. Files over %s are not read.", bytesText(info.Size()), bytesText(opts.MaxBytes))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 8192)
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

// bytes reads the whole file, limit bytes at most.
func (s *source) bytes(limit int64) ([]byte, error) {
	// One allocation for a file that is as large as it says.
	var buf bytes.Buffer
	buf.Grow(int(min(s.size, limit)) + bytes.MinRead)
	if _, err := buf.ReadFrom(io.LimitReader(s.File, limit+1)); err != nil {
		return nil, err
	}
	b := buf.Bytes()
	if int64(len(b)) > limit {
		return nil, tooLarge("The file has more than %s. Files of this kind are read up to that size.", bytesText(limit))
	}
	return b, nil
}

func (s *source) ext() string { return strings.ToLower(filepath.Ext(s.path)) }

// headingTitle is the first heading, if it stands near the beginning.
func headingTitle(blocks []rag.Block) string {
	for i, b := range blocks {
		if i >= 10 {
			return ""
		}
		if b.Kind == rag.BlockHeading && utf8.RuneCountInString(b.Text) <= 200 {
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
