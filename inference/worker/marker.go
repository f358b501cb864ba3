package worker

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// maxTries is how many loads in a row may take the whole program down with
// them before one is refused.
const maxTries = 3

// marker is the note "trying this model". It is written before a load and
// removed after it, also when the worker died; what is found at the next start
// is a load that ended the program, or the machine, itself.
type marker struct {
	Path  string `json:"path"`
	Tries int    `json:"tries"`
}

func (c Config) markerFile() string { return filepath.Join(c.StateDir, "trying.json") }

// trying writes the note and returns how many loads of this model in a row left
// one behind.
func (c Config) trying(path string) (failed int, err error) {
	if c.StateDir == "" {
		return 0, nil
	}
	var old marker
	b, err := os.ReadFile(c.markerFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	// A note that cannot be read was cut off by the crash it warns of.
	if err == nil && (json.Unmarshal(b, &old) != nil || old.Path == path) {
		failed = max(1, old.Tries)
	}
	b, err = json.Marshal(marker{path, failed + 1})
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(c.StateDir, 0o700); err != nil {
		return 0, err
	}
	return failed, os.WriteFile(c.markerFile(), b, 0o600)
}

// tried removes the note.
func (c Config) tried() error {
	if c.StateDir == "" {
		return nil
	}
	if err := os.Remove(c.markerFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
