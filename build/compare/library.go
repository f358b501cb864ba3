package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"referent/rag/segment"
	"referent/storage/index"
)

// libraryModel is the name under which the vectors are stored.
const libraryModel = "starter"

// library is a data folder as the program keeps it: the store, and the index
// over it.
type library struct {
	store    *index.Store
	index    *segment.Index
	folder   int64
	language string // of what comes in
}

func openLibrary(ctx context.Context, dir string) (*library, error) {
	store, err := index.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	x, err := segment.OpenStored(ctx, store, libraryModel, segment.Files{Dir: filepath.Join(dir, "index"), Manifest: store})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &library{store: store, index: x, language: "pl"}, nil
}

func (l *library) close() error { return errors.Join(l.index.Close(), l.store.Close()) }

// libraryOf returns the folder of a library of these chunks, which is made where
// the cache has none.
func libraryOf(ctx context.Context, cache string, chunks [][]uint32, m *mixture) (string, error) {
	dir := filepath.Join(cache, fmt.Sprintf("library-%d", len(chunks)))
	if _, err := os.Stat(filepath.Join(dir, "whole")); err == nil {
		return dir, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	l, err := openLibrary(ctx, dir)
	if err != nil {
		return "", err
	}
	if err := errors.Join(l.fill(ctx, chunks, m), l.close()); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "whole"), nil, 0o600)
}

// addFolder makes the folder that documents lie in, or finds it.
func (l *library) addFolder(ctx context.Context) error {
	f, err := l.store.AddFolder(ctx, index.Folder{Path: "/library"})
	l.folder = f.ID
	return err
}

// batchDocuments is how many documents become searchable in one step.
const batchDocuments = 200

func (l *library) fill(ctx context.Context, chunks [][]uint32, m *mixture) error {
	if err := l.addFolder(ctx); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(3, 3))
	for from := 0; from < len(chunks); from += batchDocuments * documentSize {
		var batch []content
		part := chunks[from:min(len(chunks), from+batchDocuments*documentSize)]
		for at := 0; at < len(part); at += documentSize {
			c := content{path: fmt.Sprintf("/library/%07d.txt", (from+at)/documentSize)}
			for _, ranks := range part[at:min(len(part), at+documentSize)] {
				c.texts, c.vectors = append(c.texts, textOf(ranks)), append(c.vectors, m.draw(r))
			}
			batch = append(batch, c)
		}
		if err := l.add(ctx, batch); err != nil {
			return err
		}
	}
	return l.index.Settle(ctx)
}

// content is a document that comes in.
type content struct {
	path    string
	texts   []string
	vectors [][]float32
}

// add stores documents as the program does and makes them searchable.
func (l *library) add(ctx context.Context, batch []content) error {
	f, err := l.keep(ctx, batch)
	if err != nil {
		return err
	}
	return l.show(f)
}

// fresh is what is stored and not searchable yet.
type fresh struct {
	documents []segment.Addition
	vectors   []segment.ChunkVector
}

// show makes it searchable.
func (l *library) show(f fresh) error {
	l.index.AddAll(f.documents)
	return l.index.SetVectors(libraryModel, f.vectors)
}

// keep stores documents with their vectors.
func (l *library) keep(ctx context.Context, batch []content) (f fresh, err error) {
	seen := make([]index.FileSeen, len(batch))
	byPath := map[string]content{}
	for i, c := range batch {
		seen[i] = index.FileSeen{Folder: l.folder, Path: c.path, Size: int64(len(c.texts)), ModTime: time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)}
		byPath[c.path] = c
	}
	if _, err := l.store.Found(ctx, seen); err != nil {
		return f, err
	}
	for range batch {
		d, ok, err := l.store.NextWaiting(ctx)
		if err != nil || !ok {
			return f, errors.Join(err, errors.New("a document does not wait"))
		}
		c := byPath[d.Path]
		stored := index.DocumentContent{Document: d.ID, Status: "indexed", Kind: "text", Language: l.language, Class: "fact", Text: d.Path}
		hashes := make([]index.HashVector, len(c.texts))
		for i, text := range c.texts {
			hash := fmt.Sprintf("%s#%d", d.Path, i)
			stored.Chunks = append(stored.Chunks, index.StoredChunk{Ordinal: i, Parent: -1, ContentHash: hash, Text: text, Locator: "{}", Tokens: chunkTokens})
			hashes[i] = index.HashVector{ContentHash: hash, V: c.vectors[i]}
		}
		chunks, _, err := l.store.Replace(ctx, stored)
		if err != nil {
			return f, err
		}
		if err := l.store.PutVectors(ctx, libraryModel, hashes); err != nil {
			return f, err
		}
		cols, _, err := l.store.Columns(ctx, d.ID)
		if err != nil {
			return f, err
		}
		f.documents = append(f.documents, segment.Addition{Columns: cols, Chunks: chunks})
		for i, chunk := range chunks {
			f.vectors = append(f.vectors, segment.ChunkVector{Chunk: chunk.ID, V: c.vectors[i]})
		}
	}
	return f, nil
}

// remove takes a document out again.
func (l *library) remove(ctx context.Context, path string) error {
	now := time.Date(2024, 3, 2, 12, 0, 0, 0, time.UTC)
	ids, err := l.store.Missing(ctx, []string{path}, now)
	if err != nil {
		return err
	}
	if _, err := l.store.PurgeMissing(ctx, now.Add(time.Hour)); err != nil {
		return err
	}
	l.index.Remove(ids...)
	return nil
}
