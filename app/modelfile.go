package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/download"
	"referent/inference/gguf"
	"referent/inference/modelfile"
	"referent/rag"
)

// ImportRequest takes a model file that the person has.
type ImportRequest struct {
	Path string `json:"path"`
	Role string `json:"role"`
	Link bool   `json:"link"` // share the bytes with the file instead of copying them
}

// ModelFile is an installed model file. Proof says what its hash was compared
// with: catalogue, server, or none.
type ModelFile struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Roles    []string `json:"roles"`
	Bytes    int64    `json:"bytes"`
	SHA256   string   `json:"sha256"`
	Proof    string   `json:"proof"`
	OK       bool     `json:"ok"`
	Sentence Optional `json:"sentence"` // what is wrong, or what could not be compared
}

// ownModels is the person's folder of model files, the only one that the program
// changes.
func (a *App) ownModels() string { return filepath.Join(a.config.DataDir, "models") }

// byID returns a model by its id: a file in the person's folder, else an entry of
// the catalogue.
func (r *roles) byID(id string) (catalogue.Entry, bool) {
	if own, ok := modelfile.ByID(r.folders[0], id); ok {
		return own.Entry(), true
	}
	return catalogue.ByID(id)
}

// entries lists the catalogue with the person's own models in it.
func (r *roles) entries() []catalogue.Entry {
	list := catalogue.All()
	for _, own := range modelfile.List(r.folders[0]) {
		e := own.Entry()
		if i := slices.IndexFunc(list, func(c catalogue.Entry) bool { return c.ID == e.ID }); i >= 0 {
			list[i] = e
		} else {
			list = append(list, e)
		}
	}
	return list
}

// ImportModel implements UseCases.
func (a *App) ImportModel(ctx context.Context, req ImportRequest, progress func(Transfer)) (ModelFile, error) {
	path, err := filepath.Abs(strings.TrimPrefix(req.Path, "file://"))
	if err != nil {
		return ModelFile{}, asError(ctx, modelFileError(err))
	}
	rate := newPace(progress)
	rec, err := modelfile.Take(ctx, modelfile.Import{Dir: a.ownModels(), Path: path, Role: inference.Role(req.Role), Link: req.Link, Now: time.Now()},
		func(done, total int64) {
			rate.tell(Transfer{ID: filepath.Base(path), State: "copying", Done: done, Total: total})
		})
	if err != nil {
		return ModelFile{}, asError(ctx, modelFileError(err))
	}
	a.changed()
	f := ofRecord(rec)
	if rec.Proof == modelfile.ProofNone {
		f.Sentence = "The catalogue does not know this file, so it was not compared with anything; its header is in order."
	}
	return f, nil
}

func ofRecord(r modelfile.Record) ModelFile {
	f := ModelFile{ID: r.ID, Name: r.Name, Path: r.Path, Bytes: r.Bytes, SHA256: r.SHA256, Proof: string(r.Proof), OK: true}
	for _, role := range r.Roles {
		f.Roles = append(f.Roles, string(role))
	}
	return f
}

// VerifyModels implements UseCases: every installed file, or one, is read again
// from the disk.
func (a *App) VerifyModels(ctx context.Context, id string, progress func(Transfer)) ([]ModelFile, error) {
	out := []ModelFile{}
	rate := newPace(progress)
	for _, e := range a.roles.entries() {
		path, ok := a.roles.find(e)
		if !ok || id != "" && e.ID != id {
			continue
		}
		f := ModelFile{ID: e.ID, Name: e.Name, Path: path, Bytes: e.Bytes, OK: true, Proof: string(modelfile.ProofCatalogue)}
		if own, ok := modelfile.ByID(a.ownModels(), e.ID); ok {
			f = ofRecord(own)
		} else {
			for _, role := range e.Roles {
				f.Roles = append(f.Roles, string(role))
			}
		}
		hash, err := modelfile.Verify(ctx, path, e.SHA256, func(done int64) {
			rate.tell(Transfer{ID: e.ID, State: "verifying", Done: done, Total: e.Size()})
		})
		if ctx.Err() != nil {
			return nil, asError(ctx, ctx.Err())
		}
		if err != nil {
			f.OK, f.Sentence = false, Optional(modelSentence(err))
		} else if e.SHA256 == "" {
			f.Proof, f.Sentence = string(modelfile.ProofNone), "There is nothing to compare this file with; its header is in order."
		}
		f.SHA256 = hash
		out = append(out, f)
	}
	if id != "" && len(out) == 0 {
		return nil, notInstalled(id)
	}
	return out, nil
}

func notInstalled(id string) error {
	return &rag.Error{Code: rag.CodeNoModel, Message: fmt.Sprintf("No model named %q is installed.", id), Hint: "`referent models list` shows the names."}
}

// RemoveModel implements UseCases. Only files in the person's folder are deleted;
// what waits as an unfinished download goes too.
func (a *App) RemoveModel(ctx context.Context, id string) error {
	unfinished, err := a.discard(id)
	if err != nil {
		return err
	}
	e, ok := a.roles.byID(id)
	path := ""
	if ok {
		path, ok = a.roles.find(e)
	}
	if !ok {
		if unfinished {
			return nil
		}
		return notInstalled(id)
	}
	if filepath.Dir(path) != a.ownModels() {
		return &rag.Error{Code: rag.CodeNotAvailable, Message: e.Name + " came with the program and lies outside your models folder.", Hint: "Delete the file " + path + " yourself if you want to."}
	}
	for _, role := range inference.Roles() {
		if s := a.roles.get(role); s.State == "loaded" && string(s.ID) == id {
			if err := a.roles.reload(ctx, role); err != nil {
				return asError(ctx, err)
			}
		}
	}
	if err := modelfile.Remove(path); err != nil {
		return asError(ctx, modelFileError(err))
	}
	a.changed()
	return nil
}

// modelFileError gives a fault of a model file or of a download its code and its
// next step.
func modelFileError(err error) error {
	var known *rag.Error
	var e *inference.Error
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &e) && (errors.Is(err, download.ErrNoSpace) || errors.Is(err, download.ErrDisk)):
		return &rag.Error{Code: rag.CodeStorageFailed, Message: e.Message, Cause: err}
	case errors.As(err, &e):
		return &rag.Error{Code: rag.CodeModelFailed, Message: e.Message, Cause: err}
	case errors.Is(err, os.ErrPermission):
		return &rag.Error{Code: rag.CodeStorageFailed, Message: "The model file could not be changed.", Hint: "Look at its permissions.", Cause: err}
	}
	return &rag.Error{Code: rag.CodeStorageFailed, Message: "The model file could not be read or written.", Hint: "Look at the disk and try again.", Cause: err}
}

// headerOf reads what a plan needs of a model file.
func headerOf(path string) (*gguf.File, error) {
	if err := gguf.Check(path); err != nil {
		return nil, err
	}
	return gguf.Open(path)
}
