package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"referent/rag"
	"referent/storage/index"
)

// How the file of a document compares with what was read of it.
const (
	FileSame    = "same"
	FileChanged = "changed" // it is about to be read again
	FileGone    = "gone"    // or out of reach: its folder is offline, or may not be read
)

// DocumentText is the stored text of a document, for the Reader.
type DocumentText struct {
	Title string `json:"title"`
	Path  string `json:"path"`
	Text  string `json:"text"`
	Kind  string `json:"kind"`
	Pages int    `json:"pages"`
	Label string `json:"label"`
	// State is FileSame, FileChanged or FileGone.
	State string `json:"state"`
	// Version names the bytes of the file as it is now; empty when it is gone.
	Version string `json:"version"`
	// Parts are in the order of the text. Two may share a sentence; page headers
	// and footers are in none.
	Parts []Part `json:"parts"`
}

// Part is a passage of a text and where in the file it stands. Its rectangles
// on a page are left out: a hit has its own.
type Part struct {
	Start       int         `json:"start"`  // code points in the text
	Length      int         `json:"length"` // code points
	ContentHash string      `json:"content_hash"`
	Heading     Optional    `json:"heading"`
	Locator     rag.Locator `json:"locator"`
}

// DocumentFile is the file behind a document.
type DocumentFile struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
}

// DocumentText implements UseCases.
func (a *App) DocumentText(ctx context.Context, document int64) (DocumentText, error) {
	d, err := a.documentByID(ctx, document)
	if err != nil {
		return DocumentText{}, err
	}
	text, err := a.index.DocumentText(ctx, document)
	if err != nil {
		return DocumentText{}, storageError(err)
	}
	places, err := a.index.Places(ctx, document)
	if err != nil {
		return DocumentText{}, storageError(err)
	}
	out := DocumentText{Title: d.Title, Path: d.Path, Text: text, Kind: d.Kind, Pages: d.Pages, Label: d.Label, Parts: make([]Part, 0, len(places))}
	out.State, out.Version = fileState(d)
	for _, p := range places {
		at := rag.ParseLocator(p.Locator)
		at.Rects = nil
		out.Parts = append(out.Parts, Part{Start: p.Start, Length: p.Length, ContentHash: p.ContentHash, Heading: Optional(p.Heading), Locator: at})
	}
	return out, nil
}

// DocumentFile implements UseCases.
func (a *App) DocumentFile(ctx context.Context, document int64) (DocumentFile, error) {
	d, err := a.documentByID(ctx, document)
	return DocumentFile{Path: d.Path, Kind: d.Kind}, err
}

func (a *App) documentByID(ctx context.Context, id int64) (index.Document, error) {
	d, ok, err := a.index.Document(ctx, id)
	if err == nil && !ok {
		return d, unknownDocument()
	}
	return d, storageError(err)
}

// fileState compares the file of a document with what the ledger saw last.
func fileState(d index.Document) (state, version string) {
	info, err := StatRegular(d.Path)
	switch {
	case err != nil:
		return FileGone, ""
	case info.Size() != d.Size || !info.ModTime().Equal(d.ModTime) || d.Status == string(rag.FileWaiting) || d.Status == string(rag.FileIndexing):
		return FileChanged, FileVersion(info)
	}
	return FileSame, FileVersion(info)
}

// StatRegular describes a regular file that is no link: only such files are in
// the library.
func StatRegular(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	return info, err
}

// FileVersion names the bytes of a file by its size and time.
func FileVersion(info fs.FileInfo) string {
	return fmt.Sprintf("%x-%x", info.Size(), info.ModTime().UnixNano())
}
