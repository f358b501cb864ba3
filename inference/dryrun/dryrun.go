package dryrun

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"referent/inference"
	"referent/inference/offload"
	"referent/inference/process"
)

// Role is the word under which llama.DryRun must be dispatched.
const Role = "dry-run"

// limit is for all trials of one child. A trial takes from 0.1 to 3 seconds:
// the vocabulary is read, the weights are not.
const limit = 30 * time.Second

// FrameSizes carries the JSON of [][]offload.Working, one list a trial.
const FrameSizes byte = 's'

// Trial is a context of a model in a role.
type Trial struct {
	Path    string            `json:"path"`
	Role    inference.Role    `json:"role"`
	Context int               `json:"context"` // tokens
	Cache   offload.CacheType `json:"cache"`
	Layers  []int             `json:"layers"` // on devices, one layout for each number
}

// Run lays the trials out in a child, with the verified libraries in dir, and
// returns the sizes for each trial, in its order of layers. env is added to the
// child's environment, see process.Spec. An error means that nothing is known;
// the estimates of package offload stay.
func Run(ctx context.Context, dir string, trials []Trial, env ...string) ([][]offload.Working, error) {
	ask, err := json.Marshal(trials)
	if err != nil {
		return nil, err
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	child, err := process.Spawn(inner, process.Spec{
		Role: Role, Args: []string{dir, string(ask)}, Dir: dir,
		Env: append([]string{"GGML_NO_BACKTRACE=1", "GGML_BACKEND_PATH"}, env...),
	})
	if err != nil {
		return nil, err
	}
	defer child.Close(time.Second)
	kind, payload, err := child.Receive()
	if err == nil && kind != FrameSizes {
		err = fmt.Errorf("frame %q instead of sizes", kind)
	}
	if err != nil {
		child.Kill()
		return nil, fmt.Errorf("dry run: %w: %v", err, child.Wait())
	}
	var out [][]offload.Working
	if err := json.Unmarshal(payload, &out); err != nil {
		return nil, fmt.Errorf("dry run: %w", err)
	}
	if len(out) != len(trials) {
		return nil, fmt.Errorf("dry run: %d answers for %d trials", len(out), len(trials))
	}
	return out, nil
}

// Needs adds to each need what a dry run tells of its model: at the wanted
// context and at the comfortable one, with all layers on devices and with half
// of them, which takes more than all. known remembers what was found out by
// file and context; files are paths in the order of needs. Where the dry run
// fails, the needs stay as they are.
func Needs(ctx context.Context, dir string, needs []offload.Need, files []File, known Known, env ...string) error {
	var trials []Trial
	var keys []key
	for i, n := range needs {
		for _, tokens := range contexts(n) {
			k := key{files[i], n.Role, tokens}
			if _, ok := known[k]; ok {
				continue
			}
			known[k] = nil // two needs may be alike
			keys = append(keys, k)
			trials = append(trials, Trial{Path: files[i].Path, Role: n.Role, Context: tokens, Cache: offload.CacheF16, Layers: []int{n.Model.Layers(), n.Model.Layers() / 2}})
		}
	}
	var err error
	if len(trials) > 0 {
		var sizes [][]offload.Working
		if sizes, err = Run(ctx, dir, trials, env...); err != nil {
			for _, k := range keys {
				delete(known, k)
			}
			return err
		}
		for i, k := range keys {
			known[k] = sizes[i]
		}
	}
	for i, n := range needs {
		for _, tokens := range contexts(n) {
			needs[i].Model.Working = append(needs[i].Model.Working, known[key{files[i], n.Role, tokens}]...)
		}
	}
	return nil
}

// contexts are those that a plan may give to a need, in tokens.
func contexts(n offload.Need) []int {
	if n.Context > offload.Comfortable && !n.Model.Encoder {
		return []int{n.Context, offload.Comfortable}
	}
	return []int{n.Context}
}

// File says whether two trials mean the same file.
type File struct {
	Path     string
	Size     int64
	Modified int64 // nanoseconds
}

type key struct {
	file    File
	role    inference.Role
	context int
}

// Known remembers what dry runs told. It is for one goroutine at a time.
type Known map[key][]offload.Working
