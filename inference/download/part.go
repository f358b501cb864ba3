package download

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

const (
	partSuffix  = ".part"
	stateSuffix = ".part.json"
)

// state is what lies beside a part.
type state struct {
	URL       string `json:"url"`
	Validator string `json:"validator"` // strong ETag or Last-Modified of the version; empty: the server gave none
	Announced string `json:"announced"` // SHA-256 that the server named; empty: none
	Size      int64  `json:"size"`      // 0: not known
}

// readState returns the state beside a part; false when it is missing or
// damaged, which only costs a new beginning.
func readState(path string) (state, bool) {
	var s state
	text, err := os.ReadFile(path + stateSuffix)
	if err != nil || json.Unmarshal(text, &s) != nil {
		return state{}, false
	}
	return s, s.URL != ""
}

// write replaces the state as a whole.
func (s state) write(path string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	fresh := path + stateSuffix + ".new"
	if err := os.WriteFile(fresh, text, 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, path+stateSuffix)
}

// Unfinished is a download that can go on.
type Unfinished struct {
	Path  string // of the file that it will be
	URL   string
	Done  int64
	Total int64 // 0: not known
}

// Pending lists the unfinished downloads in a folder, by name. A folder that is
// not there has none.
func Pending(dir string) ([]Unfinished, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Unfinished
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), partSuffix)
		if !ok {
			continue
		}
		path := filepath.Join(dir, name)
		s, known := readState(path)
		info, err := e.Info()
		if !known || err != nil {
			continue
		}
		out = append(out, Unfinished{Path: path, URL: s.URL, Done: info.Size(), Total: s.Size})
	}
	return out, nil
}

// Discard deletes what an unfinished download has left. With nothing there it
// does nothing.
func Discard(path string) error {
	var errs []error
	for _, suffix := range []string{partSuffix, stateSuffix, stateSuffix + ".new"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// IsState tells whether a file of this name is the note of a download, and not
// what has arrived of it.
func IsState(name string) bool {
	return strings.HasSuffix(name, stateSuffix) || strings.HasSuffix(name, stateSuffix+".new")
}
