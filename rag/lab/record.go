package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Head is the first line of a run: what was measured, on what.
type Head struct {
	Version  string            `json:"version"`
	Started  time.Time         `json:"started"`
	Plan     Plan              `json:"plan"`
	Settings map[string]any    `json:"settings"` // pinned for the whole run
	Models   map[string]string `json:"models"`   // by role: name and SHA-256
	Machine  string            `json:"machine"`
}

// NewHead begins a run now. Its settings are pinned: what is set in the program
// does not reach it.
func NewHead(version string, plan Plan, models map[string]string, machine string) Head {
	return Head{Version: version, Started: time.Now().UTC(), Plan: plan, Settings: settings(), Models: models, Machine: machine}
}

// SetHead is a line that says on what content the items after it stand.
type SetHead struct {
	Suite     string `json:"suite"`
	Name      string `json:"name"`
	Passages  int    `json:"passages"`
	Questions int    `json:"questions"`
	Hash      string `json:"hash"`
	Index     string `json:"index"` // of the same passages, as this version cuts and analyses them
}

// record is one line of a run. Exactly one member is there, or it is an item.
type record struct {
	Run     *Head    `json:"run,omitempty"`
	Set     *SetHead `json:"corpus,omitempty"`
	Summary []Cell   `json:"summary,omitempty"`
	Verdict *Verdict `json:"verdict,omitempty"` // with the summary
}

// Record is a run on the disk: a line at a time, so that a kill costs one.
type Record struct {
	Head  Head
	Sets  map[string]SetHead // by name
	Items []Item
	End   *End // nil: it has not ended
	file  *os.File
}

// End is what a run ends with.
type End struct {
	Summary []Cell
	Verdict Verdict
}

// ErrChanged says that a run cannot go on, since it would measure something else.
var ErrChanged = errors.New("something has changed since it began")

// ErrExists says that a file of a run would be overwritten.
var ErrExists = errors.New("the file is there already")

// Create begins a run in a new file.
func Create(path string, head Head) (*Record, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w: %s", ErrExists, path)
	}
	if err != nil {
		return nil, err
	}
	r := &Record{Head: head, Sets: map[string]SetHead{}, file: f}
	if err := r.write(record{Run: &head}); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// Resume opens a run to go on with it. A last line that a kill cut off and the
// summary of a run that had ended are taken away.
func Resume(path string) (*Record, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	r := &Record{Sets: map[string]SetHead{}, file: f}
	if err := r.read(); err != nil {
		return nil, fmt.Errorf("%s is no run: %w", path, errors.Join(err, f.Close()))
	}
	return r, nil
}

func (r *Record) read() error {
	raw, err := io.ReadAll(r.file)
	if err != nil {
		return err
	}
	whole := 0
	for n := 1; whole < len(raw); n++ {
		end := bytes.IndexByte(raw[whole:], '\n')
		if end < 0 {
			break
		}
		keep, err := r.take(raw[whole : whole+end])
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if n == 1 && r.Head.Started.IsZero() {
			return errors.New("the first line does not say what was run")
		}
		if !keep {
			break
		}
		whole += end + 1
	}
	if r.Head.Started.IsZero() {
		return errors.New("it is empty")
	}
	r.End = nil // it goes on
	if err := r.file.Truncate(int64(whole)); err != nil {
		return err
	}
	_, err = r.file.Seek(int64(whole), io.SeekStart)
	return err
}

// take reads one line; false for a summary.
func (r *Record) take(line []byte) (keep bool, err error) {
	var known record
	if err := json.Unmarshal(line, &known); err != nil {
		return false, err
	}
	switch {
	case known.Run != nil:
		r.Head = *known.Run
	case known.Set != nil:
		r.Sets[known.Set.Name] = *known.Set
	case known.Verdict != nil:
		r.End = &End{known.Summary, *known.Verdict}
		return false, nil
	case known.Summary != nil:
		return false, errors.New("its summary has no verdict")
	default:
		var item Item
		if err := json.Unmarshal(line, &item); err != nil {
			return false, err
		}
		if item.Query == "" || item.Engine == "" {
			return false, errors.New("it is no item")
		}
		r.Items = append(r.Items, item)
	}
	return true, nil
}

// Fits tells whether a run that is begun as head says would go on with this one:
// same settings, and no other model in any role. A model that is not here now is
// no other model: what is stored can be replayed without it.
func (r *Record) Fits(head Head) error {
	for role, name := range head.Models {
		if before := r.Head.Models[role]; before != "" && before != name {
			return fmt.Errorf("%w: the model of the role %s", ErrChanged, role)
		}
	}
	before, err := json.Marshal(r.Head.Settings)
	if err != nil {
		return err
	}
	now, err := json.Marshal(head.Settings)
	if err != nil {
		return err
	}
	if !bytes.Equal(before, now) {
		return fmt.Errorf("%w: the settings of the lab", ErrChanged)
	}
	return nil
}

// Use notes that items of a set follow. The error says that the run was on other
// content.
func (r *Record) Use(s Set) error {
	now := SetHead{Suite: s.Suite, Name: s.Name, Passages: len(s.Rows), Questions: len(s.Questions), Hash: s.Hash(), Index: s.index()}
	before, known := r.Sets[s.Name]
	switch {
	case !known:
		r.Sets[s.Name] = now
		return r.write(record{Set: &now})
	case before.Hash != now.Hash:
		return fmt.Errorf("%w: the set %s", ErrChanged, s.Name)
	case before.Index != now.Index:
		return fmt.Errorf("%w: the index of %s", ErrChanged, s.Name)
	}
	return nil
}

// Add appends an item.
func (r *Record) Add(i Item) error {
	r.Items = append(r.Items, i)
	return r.write(i)
}

// Finish appends the summary.
func (r *Record) Finish(cells []Cell, v Verdict) error {
	return r.write(record{Summary: cells, Verdict: &v})
}

func (r *Record) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = r.file.Write(append(line, '\n'))
	return err
}

// Path is the file of the run.
func (r *Record) Path() string { return r.file.Name() }

// Close closes the file.
func (r *Record) Close() error { return r.file.Close() }
