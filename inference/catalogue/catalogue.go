package catalogue

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"referent/inference"
)

//go:embed models.json
var models []byte

var list = sync.OnceValue(func() []Entry {
	entries, err := parse(models)
	if err != nil {
		panic(err) // part of the program; a test reads it
	}
	return entries
})

// parse refuses unknown fields, so that a misspelt one cannot hide.
func parse(text []byte) ([]Entry, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var file struct {
		Models []Entry `json:"models"`
	}
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	return file.Models, nil
}

// All returns every entry in the order of the file: starters first, then
// answer, embed and rerank models from small to large. The slice is the
// caller's.
func All() []Entry { return slices.Clone(list()) }

// ByID finds an entry by its id.
func ByID(id string) (Entry, bool) {
	return find(func(e Entry) bool { return e.ID == id })
}

// ByHash finds an entry by the SHA-256 of its file, in hex of either case.
func ByHash(hash string) (Entry, bool) {
	return find(func(e Entry) bool { return e.SHA256 != "" && strings.EqualFold(e.SHA256, hash) })
}

// ByFile finds an entry by the name of its file; a path in front and the case
// do not matter. A name proves nothing about the bytes: ask ByHash first.
func ByFile(name string) (Entry, bool) {
	base := filepath.Base(name)
	return find(func(e Entry) bool { return strings.EqualFold(e.File, base) })
}

// Starter returns the model that the set-up brings for a role; none for rerank.
func Starter(role inference.Role) (Entry, bool) {
	return find(func(e Entry) bool { return slices.Contains(e.Starter, role) })
}

func find(is func(Entry) bool) (Entry, bool) {
	i := slices.IndexFunc(list(), is)
	if i < 0 {
		return Entry{}, false
	}
	return list()[i], true
}
