package extract

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The cache of the compiled PDF module is wazero's: a folder for each of its
// versions and for each kind of processor and system, in it a file for each module
// and set of processor features (SSE 4.1, BMI1 and ABM on amd64). A file of other
// features is never looked at, so that modules may be brought along: where they do
// not fit, the module is compiled as if there were none.

// lockPDFCache makes the cache folder and waits until no other process compiles
// into it. The system lets go of the lock of a process that dies. On a disk that
// knows no locks two processes may compile at the same time, each its own copy.
func lockPDFCache(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the compiled PDF module: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the compiled PDF module: %w", err)
	}
	if err := lockFile(f); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		f.Close()
		return nil, fmt.Errorf("lock the compiled PDF module: %w", err)
	}
	return func() { f.Close() }, nil
}

// seedPDFCache copies compiled modules that the cache lacks out of a folder that
// is laid out alike. dir is locked.
func seedPDFCache(dir, from string) error {
	if from == "" {
		return nil
	}
	modules, err := filepath.Glob(filepath.Join(from, "wazero-*", "*"))
	if err != nil {
		return err
	}
	for _, module := range modules {
		version := filepath.Join(dir, filepath.Base(filepath.Dir(module)))
		to := filepath.Join(version, filepath.Base(module))
		if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.MkdirAll(version, 0o700); err != nil {
			return err
		}
		if err := copyModule(to, module); err != nil {
			return fmt.Errorf("copy the compiled PDF module: %w", err)
		}
	}
	return nil
}

// emptyPDFCache removes the compiled modules. dir is locked.
func emptyPDFCache(dir string) error {
	modules, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	for _, module := range modules {
		err = errors.Join(err, os.Remove(module))
	}
	return err
}

// copyModule leaves either the whole file or none.
func copyModule(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), "*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(out.Name())
		}
	}()
	if _, err = io.Copy(out, in); err == nil {
		err = out.Sync() // or a loss of power could leave an empty file
	}
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}
