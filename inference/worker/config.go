package worker

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"referent/inference"
)

// DefaultHangAfter is how long a worker with work may show no progress.
const DefaultHangAfter = 60 * time.Second

// Config shapes a client. RuntimeDir, Threads and RuntimeHash reach the
// constructor of the host inside the worker, the rest stays here.
type Config struct {
	RuntimeDir string `json:"runtime_dir"` // folder of the runtime's libraries
	Threads    int    `json:"threads"`     // 0: the host's choice
	// RuntimeHash, when set, must be what the host reports (see Identity).
	RuntimeHash string `json:"runtime_hash"`

	// OtherRuntimes are fallen back to, in this order, when the device of
	// RuntimeDir fails or its libraries do not start.
	OtherRuntimes []Runtime `json:"-"`
	// Find, when set, is asked once, before the first worker starts, and
	// replaces RuntimeDir, RuntimeHash and OtherRuntimes: looking for runtimes
	// reads whole libraries, which a program without a model need not do.
	Find func() []Runtime `json:"-"`
	Exe  string           `json:"-"` // executable of the worker; empty: the running one
	Env  []string         `json:"-"` // added to the worker's environment
	// StateDir keeps the note of a load in progress, against crash loops, and
	// the worker's own folder. Empty: neither.
	StateDir string `json:"-"`
	// Notify tells what a person should know. It is called from any
	// goroutine, one event at a time, and must not call back. It may be nil.
	Notify func(Event) `json:"-"`
	// HangAfter is how long a worker with work may show no progress; 0:
	// DefaultHangAfter. While it uses the processor it gets ten times that.
	HangAfter time.Duration `json:"-"`
	// Idle says how long a model may rest before its memory is given back; nil,
	// or 0: for ever.
	Idle func() time.Duration `json:"-"`
	// Scarce says whether the computer is short of memory; nil: never. A model
	// that is not in use is unloaded then.
	Scarce func() bool `json:"-"`
	// Now is the clock of the restart ladder and of rest; nil: time.Now.
	Now func() time.Time `json:"-"`
}

// Runtime is a folder of libraries whose content has Hash; empty: not known.
type Runtime struct{ Dir, Hash string }

// EventKind says what an Event is about.
type EventKind string

// The closed list of events.
const (
	EventDied      EventKind = "died"      // the worker ended
	EventRestarted EventKind = "restarted" // it was started again
	EventLowered   EventKind = "lowered"   // a model is loaded with less from now on
	EventParked    EventKind = "parked"    // a model was put aside
	EventRested    EventKind = "rested"    // a model was unloaded after a rest
	EventScarce    EventKind = "scarce"    // a model was unloaded for lack of memory
	EventWoken     EventKind = "woken"     // a model that was unloaded so is back
)

// Event is something that happened to the worker. Sentence is for people. Info
// is the model that has rested, is back or was put aside; else it is empty.
type Event struct {
	Kind     EventKind
	Sentence string
	Info     inference.ModelInfo
}

// runtimes lists the runtimes in the order of trial.
func (c Config) runtimes() []Runtime {
	return append([]Runtime{{c.RuntimeDir, c.RuntimeHash}}, c.OtherRuntimes...)
}

// argument is the part of the configuration that travels to the worker.
func (c Config) argument() string {
	b, _ := json.Marshal(c) // strings and numbers cannot fail
	return string(b)
}

// folder returns the worker's own working folder. ggml looks for plug-ins
// there, so it must not be a folder that others can write to.
func (c Config) folder() (string, error) {
	if c.StateDir == "" {
		return c.RuntimeDir, nil
	}
	dir := filepath.Join(c.StateDir, "worker")
	return dir, os.MkdirAll(dir, 0o700)
}

// environment is what every worker gets: ggml must not start a debugger when it
// aborts, and must not load a backend that the environment names.
func (c Config) environment() []string {
	return append([]string{"GGML_NO_BACKTRACE=1", "GGML_BACKEND_PATH"}, c.Env...)
}
