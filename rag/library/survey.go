package library

import (
	"context"
	"os"
	"path/filepath"

	"referent/rag/extract"
	"referent/storage/index"
)

// Survey is what adding a path would cost, by the names and sizes of its files
// alone: nothing is opened.
type Survey struct {
	Files    int   `json:"files"`
	Bytes    int64 `json:"bytes"`
	Known    int   `json:"known"`    // files that are in the library already
	Pages    int   `json:"pages"`    // about
	Passages int   `json:"passages"` // about
	// Seconds is about how long one reader needs, to the search by words.
	Seconds float64 `json:"seconds"`
}

// kindRates are what reading takes, by kind.
type kindRates map[string]KindRate

// cost is what one file of a kind and size (bytes) comes to, about.
func (k kindRates) cost(kind string, size int64) (pages, passages, seconds float64) {
	r, ok := k[kind]
	if !ok {
		r = anyKind
	}
	share := float64(size) / float64(max(r.Bytes, 1))
	// A small file has its costs too.
	return share * float64(r.Pages), share * float64(r.Passages), max(share, 1/float64(max(r.Files, 1))/10) * r.Seconds
}

// usualRates are rates of the machine that docs/performance.md describes, for
// kinds of which nothing was read here yet.
var usualRates = kindRates{
	"pdf":      {Files: 100, Bytes: 40e6, Pages: 700, Passages: 2000, Seconds: 15},
	"docx":     {Files: 100, Bytes: 3e6, Passages: 800, Seconds: 2},
	"xlsx":     {Files: 100, Bytes: 5e6, Passages: 3000, Seconds: 5},
	"pptx":     {Files: 100, Bytes: 50e6, Passages: 1200, Seconds: 2},
	"text":     {Files: 100, Bytes: 1e6, Passages: 1000, Seconds: 1},
	"markdown": {Files: 100, Bytes: 1e6, Passages: 1000, Seconds: 1},
	"html":     {Files: 100, Bytes: 5e6, Passages: 1000, Seconds: 2},
	"image":    {Files: 100, Bytes: 100e6, Pages: 100, Passages: 100, Seconds: 100},
}

// anyKind stands for kinds without a rate of their own.
var anyKind = KindRate{Files: 100, Bytes: 2e6, Passages: 1000, Seconds: 2}

// Survey looks at a folder or a file that would be added. The error is an
// *rag.Error, the store's or the context's.
func (l *Library) Survey(ctx context.Context, text string, exclude []string) (Survey, error) {
	var s Survey
	path, err := CleanPath(text)
	if err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return s, openError(path, err)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return s, openError(path, err)
	}
	rates, err := l.kindRates(ctx)
	if err != nil {
		return s, err
	}
	files := []walkedFile{{path, info}}
	if info.IsDir() {
		w, err := walkRoot(ctx, root{index.Folder{Path: path, Exclude: exclude}}, path, func(string) {})
		if err != nil {
			if ctx.Err() != nil {
				return s, ctx.Err()
			}
			return s, openError(path, err)
		}
		files = w.files
	}
	pages, passages := 0.0, 0.0
	for _, file := range files {
		if _, known, err := l.store.DocumentByPath(ctx, file.path); err != nil {
			return s, err
		} else if known {
			s.Known++
			continue
		}
		s.Files++
		s.Bytes += file.info.Size()
		if file.info.Size() > maxFileSize {
			continue // it is named, and not read
		}
		p, n, seconds := rates.cost(extract.KindByName(file.path), file.info.Size())
		pages += p
		passages += n
		s.Seconds += seconds
	}
	s.Pages, s.Passages = int(pages+0.5), int(passages+0.5)
	return s, nil
}
