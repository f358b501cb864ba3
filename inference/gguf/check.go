package gguf

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"referent/inference"
)

// maxLayers is the library's own bound (LLAMA_MAX_LAYERS); a larger count
// ends the process.
const maxLayers = 512

// Check says whether the file at path may be handed to the library. The error
// is an *inference.Error of kind ErrModelFile whose sentence says what is
// wrong and what to do. It reads the header only.
func Check(path string) error {
	f, err := Open(path)
	if err != nil {
		return unreadable(err)
	}
	return f.Check()
}

func unreadable(err error) error {
	var version VersionError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse(err, "The model file is not there. Download it again or choose another one.")
	case errors.Is(err, fs.ErrPermission):
		return refuse(err, "The model file may not be read. Change its permissions or copy it to another place.")
	case errors.Is(err, ErrNotGGUF):
		return refuse(err, "This is not a GGUF model file. Choose a file that ends in .gguf and was downloaded completely.")
	case errors.As(err, &version):
		return refuse(err, fmt.Sprintf("The model file has GGUF version %d; versions 2 and 3 can be read. Get a newer conversion of the model.", uint32(version)))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return refuse(err, "The model file ends too early. The download was probably cut off; download it again.")
	}
	return refuse(err, "The model file is damaged. Download it again.")
}

func refuse(cause error, sentence string) error {
	return &inference.Error{Kind: inference.ErrModelFile, Message: sentence, Cause: cause}
}

// Check is the check of the header that was read. See the function Check.
func (f *File) Check() error {
	for _, check := range []func() error{f.checkKind, f.checkShape, f.checkVocabulary, f.checkTensors} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) checkKind() error {
	arch := f.Architecture()
	if kind := f.String("general.type"); kind != "" && kind != "model" {
		return refuse(nil, fmt.Sprintf("The file holds an addition to a model (%.40q), no whole model. Choose the model itself.", kind))
	}
	if !architectures[arch] {
		return refuse(nil, fmt.Sprintf("The model's architecture %.40q is not known to this version. Choose another model, or look for an update.", arch))
	}
	if parts, ok := f.Int("split.count"); ok && parts > 1 {
		return refuse(nil, fmt.Sprintf("The model is split into %d files. Get it as one file.", parts))
	}
	return nil
}

func (f *File) checkShape() error {
	switch {
	case f.BlockCount() < 1 || f.BlockCount() > maxLayers:
		return damaged("%d layers", f.BlockCount())
	case f.EmbeddingLength() < 1 || f.EmbeddingLength() > 1<<20:
		return damaged("a width of %d", f.EmbeddingLength())
	case f.ContextLength() < 1:
		return damaged("a context of %d tokens", f.ContextLength())
	case f.HeadCount() > 1<<16 || f.HeadCountKV() > 1<<16:
		return damaged("%d attention heads", f.HeadCount())
	}
	return nil
}

func damaged(format string, args ...any) error {
	return refuse(fmt.Errorf("gguf: "+format, args...), "The model file is damaged: its description makes no sense. Download it again.")
}

// checkVocabulary refuses what makes the vocabulary loader end the process:
// two equal tokens, and lists of a different length.
func (f *File) checkVocabulary() error {
	if f.String("tokenizer.ggml.model") == "no_vocab" {
		return refuse(nil, "The model file has no vocabulary, so it cannot read or write text. Choose another model.")
	}
	tokens := f.Strings("tokenizer.ggml.tokens")
	if len(tokens) == 0 {
		return refuse(nil, "The model file has no vocabulary, so it cannot read or write text. Choose another model.")
	}
	seen := make(map[string]struct{}, len(tokens))
	for i, t := range tokens {
		if t == "" {
			t = fmt.Sprintf("[EMPTY_%d]", i) // the library's own replacement
		}
		if _, twice := seen[t]; twice {
			return refuse(fmt.Errorf("gguf: token %d (%.40q) appears twice", i, t),
				"The model file is damaged: its vocabulary has the same entry twice. Get another conversion of the model.")
		}
		seen[t] = struct{}{}
	}
	if v := f.Value("tokenizer.ggml.scores"); v != nil {
		if s, ok := v.([]float32); !ok || len(s) != len(tokens) {
			return damaged("scores do not match the %d tokens", len(tokens))
		}
	}
	if v := f.Value("tokenizer.ggml.token_type"); v != nil {
		if n := len(perLayer(v)); n != len(tokens) {
			return damaged("%d token types for %d tokens", n, len(tokens))
		}
	}
	return nil
}

// checkTensors makes sure that every tensor lies inside the file, so that the
// library never maps what is not there.
func (f *File) checkTensors() error {
	if len(f.Tensors) == 0 {
		return refuse(nil, "The model file holds no weights. Choose the file of the model itself.")
	}
	names := make(map[string]struct{}, len(f.Tensors))
	room := f.Size - f.DataOffset
	for _, t := range f.Tensors {
		if _, twice := names[t.Name]; twice {
			return damaged("tensor %.80q appears twice", t.Name)
		}
		names[t.Name] = struct{}{}
		size, err := t.Size()
		if err != nil {
			if _, known := t.Type.block(); !known {
				return refuse(err, "The model file stores its weights in a form that is not known to this version. Choose another quantisation of the model.")
			}
			return damaged("%v", err)
		}
		if t.Offset%uint64(f.Alignment) != 0 {
			return damaged("tensor %.80q is not aligned", t.Name)
		}
		if room < 0 || t.Offset > uint64(room) || size > uint64(room)-t.Offset {
			return unreadable(fmt.Errorf("gguf: tensor %.80q ends beyond the file: %w", t.Name, io.ErrUnexpectedEOF))
		}
	}
	return nil
}
