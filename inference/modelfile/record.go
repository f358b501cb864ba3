package modelfile

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/gguf"
)

// Suffix is what a record's name adds to the name of its file.
const Suffix = ".json"

// Proof says what a file's hash was compared with when it came.
type Proof string

// The closed list of proofs.
const (
	ProofCatalogue Proof = "catalogue" // the hash in the catalogue
	ProofServer    Proof = "server"    // the hash that the server announced
	ProofNone      Proof = "none"      // nothing: the person brought the file
)

// Record describes a file in the folder. Path is not stored.
type Record struct {
	Path         string           `json:"-"`
	ID           string           `json:"id"`
	Name         string           `json:"name"`
	Roles        []inference.Role `json:"roles"`
	Bytes        int64            `json:"bytes"`
	SHA256       string           `json:"sha256"`
	Proof        Proof            `json:"proof"`
	Source       string           `json:"source"` // address or path that it came from
	Added        time.Time        `json:"added"`
	Architecture string           `json:"architecture"`
	Quantization string           `json:"quantization"`
	Context      int              `json:"context"` // tokens it was trained with
	Pooling      string           `json:"pooling"`
	Encoder      bool             `json:"encoder"` // keeps no text so far: embedders and rerankers of the BERT kind
	Licence      string           `json:"licence"`
}

// Entry is the record as an entry of the catalogue: the catalogue's own where it
// has the model, with the facts of this file in it.
func (r Record) Entry() catalogue.Entry {
	e, known := catalogue.ByID(r.ID)
	if !known {
		e = catalogue.Entry{ID: r.ID, Name: r.Name, Quantization: r.Quantization, Licence: r.Licence, Context: r.Context, Pooling: r.Pooling, CacheKind: catalogue.CacheFull}
		if r.Encoder {
			e.CacheKind = catalogue.CacheNone
		}
		if slices.Contains(r.Roles, inference.RoleAnswer) || slices.Contains(r.Roles, inference.RoleCondense) {
			e.PromptStyle = inference.StyleInstruct
		}
	}
	e.File, e.Bytes, e.SHA256 = filepath.Base(r.Path), r.Bytes, r.SHA256
	for _, role := range r.Roles {
		if !e.Plays(role) {
			e.Roles = append(slices.Clone(e.Roles), role)
		}
	}
	return e
}

// describe fills a record from a file's header.
func describe(f *gguf.File) Record {
	r := Record{Name: f.Name(), Architecture: f.Architecture(), Quantization: f.Quantization(), Context: f.ContextLength(), Pooling: f.Pooling(), Encoder: encoder(f),
		Licence: f.String("general.license")}
	return r
}

// Write stores the record of the file at r.Path.
func Write(r Record) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	fresh := r.Path + Suffix + ".new"
	if err := os.WriteFile(fresh, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, r.Path+Suffix)
}

// List returns the records of the files in a folder, by name. A record whose
// file is gone or has another size does not count; a folder that is not there
// holds none.
func List(dir string) []Record {
	paths, _ := filepath.Glob(filepath.Join(quoteGlob(dir), "*.gguf"+Suffix)) // the pattern is right
	var out []Record
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			continue
		}
		var r Record
		if json.Unmarshal(text, &r) != nil || r.ID == "" {
			continue
		}
		r.Path = strings.TrimSuffix(p, Suffix)
		if info, err := os.Stat(r.Path); err == nil && info.Mode().IsRegular() && info.Size() == r.Bytes {
			out = append(out, r)
		}
	}
	return out
}

// quoteGlob keeps letters of a folder's name from meaning something.
func quoteGlob(dir string) string {
	return strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(dir)
}

// ByID finds the record of a model in a folder.
func ByID(dir, id string) (Record, bool) {
	list := List(dir)
	i := slices.IndexFunc(list, func(r Record) bool { return r.ID == id })
	if i < 0 {
		return Record{}, false
	}
	return list[i], true
}

// Remove deletes a file and its record. A file that is gone already is no error.
func Remove(path string) error {
	var errs []error
	for _, p := range []string{path, path + Suffix} {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
