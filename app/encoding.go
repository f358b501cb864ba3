package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"referent/rag"
	"referent/rag/extract"
	"referent/storage/index"
)

// automatic is how a person asks for an encoding to be found out.
const automatic = "auto"

// Encoding is one that can be set for a file. Script says whose texts are written
// in it, as in extract.Encoding.
type Encoding struct {
	Name   string `json:"name"`
	Script string `json:"script"`
}

// Encodings lists what can be set for a file, by script, the common before the
// rare.
func Encodings() []Encoding {
	var out []Encoding
	for _, e := range extract.Encodings() {
		out = append(out, Encoding{e.Name, e.Script})
	}
	return out
}

// SetEncoding implements UseCases.
func (a *App) SetEncoding(ctx context.Context, path, encoding string) error {
	name := ""
	if encoding = strings.TrimSpace(encoding); encoding != "" && !strings.EqualFold(encoding, automatic) {
		var known bool
		if name, known = extract.EncodingName(encoding); !known {
			return &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("There is no encoding %q.", encoding), Hint: "`referent sync encodings` lists them; auto finds it out."}
		}
	}
	if err := a.startLibrary(ctx); err != nil {
		return err
	}
	path = absolute(path)
	n, err := a.library.SetEncoding(ctx, path, name)
	if err == nil && n == 0 {
		err = &rag.Error{Code: rag.CodeInvalidSetting, Message: "No file in this folder takes an encoding.", Hint: "Its files say themselves how their letters are stored."}
	}
	return storageError(err)
}

func fileOf(d index.Document) File {
	return File{ID: d.ID, Path: d.Path, Name: filepath.Base(d.Path), Status: rag.FileStatus(d.Status), Reason: Optional(d.Reason),
		Chunks: d.Chunks, Vectors: d.Vectors, Class: d.Class, Label: d.Label, Updated: stamp(d.Updated), Size: d.Size, Pages: d.Pages, Kind: Optional(d.Kind), Title: Optional(d.Title),
		Encoding: Optional(d.Encoding), EncodingChoice: Optional(d.EncodingChoice), TakesEncoding: extract.TakesEncoding(d.Kind)}
}
