package lab

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Brief is what a list of runs tells of one, without reading its items whole.
type Brief struct {
	Head     Head
	Items    int
	Finished bool // its summary is there
}

// ReadBrief reads the first line of a run and counts the others.
func ReadBrief(path string) (b Brief, err error) {
	f, err := os.Open(path)
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewReaderSize(f, 64<<10)
	for n := 0; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // what a kill cut off does not count
			break
		}
		if err != nil {
			return b, err
		}
		switch {
		case n == 0:
			var first record
			if err := json.Unmarshal(line, &first); err != nil || first.Run == nil {
				return b, fmt.Errorf("%s is no run", path)
			}
			b.Head = *first.Run
		case bytes.HasPrefix(line, []byte(`{"summary":`)), bytes.HasPrefix(line, []byte(`{"verdict":`)):
			b.Finished = true
		case !bytes.HasPrefix(line, []byte(`{"corpus":`)):
			b.Items++
		}
	}
	if b.Head.Started.IsZero() {
		return b, fmt.Errorf("%s is no run: it is empty", path)
	}
	return b, nil
}

// LoadRun reads a run and leaves its file as it is: another process may be writing
// to it. The record can be read and not be added to.
func LoadRun(path string) (*Record, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &Record{Sets: map[string]SetHead{}}
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(raw, []byte("\n"))
		if !whole {
			break
		}
		keep, err := r.take(line)
		if err != nil {
			return nil, fmt.Errorf("%s is no run: line %d: %w", path, n, err)
		}
		if n == 1 && r.Head.Started.IsZero() {
			return nil, fmt.Errorf("%s is no run: the first line does not say what was run", path)
		}
		if !keep {
			break
		}
		raw = rest
	}
	if r.Head.Started.IsZero() {
		return nil, fmt.Errorf("%s is no run: it is empty", path)
	}
	return r, nil
}
