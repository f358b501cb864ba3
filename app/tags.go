package app

import (
	"context"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"referent/rag"
	"referent/storage/index"
)

// longestTag is the most characters of a tag.
const longestTag = 60

// Tag is a tag with the number of public files that bear it.
type Tag struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
}

// TagsChange names files and tags. Path is a file, or a folder: then all files
// below it that are in the library now.
type TagsChange struct {
	Path string   `json:"path"`
	Tags []string `json:"tags"`
}

// AddTags implements UseCases.
func (a *App) AddTags(ctx context.Context, c TagsChange) error {
	return a.changeTags(ctx, c, a.library.AddTags)
}

// RemoveTags implements UseCases.
func (a *App) RemoveTags(ctx context.Context, c TagsChange) error {
	return a.changeTags(ctx, c, a.library.RemoveTags)
}

// SetTags implements UseCases.
func (a *App) SetTags(ctx context.Context, c TagsChange) error {
	tags, err := normalTags(c.Tags)
	if err != nil {
		return err
	}
	found, err := a.library.SetTags(ctx, absolute(c.Path), tags)
	if err == nil && !found {
		return unknownDocument()
	}
	a.changed()
	return storageError(err)
}

// normalTags brings tags into the form that is kept. The error is a *rag.Error.
func normalTags(named []string) ([]string, error) {
	tags := make([]string, len(named))
	for i, t := range named {
		tags[i] = index.NormalTag(t)
		if n := utf8.RuneCountInString(tags[i]); n == 0 || n > longestTag {
			return nil, &rag.Error{Code: rag.CodeInvalidSetting, Message: "A tag has 1 to 60 characters."}
		}
		if strings.ContainsAny(tags[i], ",;\u060c\u3001\uff0c") { // the window writes them between tags
			return nil, &rag.Error{Code: rag.CodeInvalidSetting, Message: "A tag has no comma or semicolon in it."}
		}
	}
	return tags, nil
}

func (a *App) changeTags(ctx context.Context, c TagsChange, change func(ctx context.Context, path string, tags []string) (int, error)) error {
	tags, err := normalTags(c.Tags)
	if err != nil {
		return err
	}
	n, err := change(ctx, absolute(c.Path), tags)
	if err == nil && n == 0 {
		return unknownDocument()
	}
	a.changed()
	return storageError(err)
}

// Tags implements UseCases.
func (a *App) Tags(ctx context.Context, path string) ([]Tag, error) {
	if path != "" {
		path = absolute(path)
	}
	all, err := a.index.Tags(ctx, path)
	out := make([]Tag, len(all))
	for i, t := range all {
		out[i] = Tag{Name: t.Name, Files: t.Documents}
	}
	return out, storageError(err)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
