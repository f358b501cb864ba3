package llama

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"referent/inference"
	"referent/inference/gguf"
)

// inspect refuses a file that must not reach the library, and hashes it.
func (h *Host) inspect(ctx context.Context, spec inference.LoadSpec) (*load, error) {
	path, err := filepath.Abs(spec.Path)
	if err != nil {
		return nil, failf(inference.ErrModelFile, err, "The model file %s cannot be found.", spec.Path)
	}
	stat, err := os.Stat(path)
	if err == nil && !stat.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return nil, failf(inference.ErrModelFile, err, "The model file %s cannot be opened. Choose another file.", path)
	}
	if err := gguf.Check(path); err != nil {
		return nil, err
	}
	header, err := gguf.Open(path)
	if err != nil {
		return nil, failf(inference.ErrModelFile, err, "The model file %s cannot be read.", path)
	}
	if err := suits(header, spec); err != nil {
		return nil, err
	}
	hash, err := h.hashes.of(ctx, path)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, failf(inference.ErrModelFile, err, "The model file %s cannot be read to its end. Copy or download it again.", path)
	}
	if spec.Hash != "" && !strings.EqualFold(spec.Hash, hash) {
		return nil, failf(inference.ErrModelFile, nil, "The model file %s is not the one that was expected: its content has changed. Download it again.", path)
	}
	return &load{
		spec: spec, header: header, hash: hash,
		file: fileIdentity{path: path, size: stat.Size(), modified: stat.ModTime().UnixNano()},
	}, nil
}

// suits checks what a role needs of a file. The library ends the process when
// it is asked for a score that the model has no head for.
func suits(f *gguf.File, spec inference.LoadSpec) error {
	encoder := false
	if causal, ok := f.Value(f.Architecture() + ".attention.causal").(bool); ok {
		encoder = !causal
	}
	for _, role := range spec.Roles {
		switch role {
		case inference.RoleAnswer, inference.RoleCondense:
			if encoder {
				return failf(inference.ErrModelFile, nil, "The model %s cannot write text. Choose a chat model for the role %s.", filepath.Base(spec.Path), role)
			}
		case inference.RoleRerank:
			if !slices.ContainsFunc(f.Tensors, func(t gguf.Tensor) bool { return strings.HasPrefix(t.Name, "cls.") || t.Name == "cls" }) {
				return failf(inference.ErrModelFile, nil, "The model %s cannot judge passages. Choose a reranking model for this role.", filepath.Base(spec.Path))
			}
		}
	}
	return nil
}
