package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"referent/inference/process"
)

// Role is the word under which ProbeRole must be dispatched.
const Role = "probe"

// probeTime bounds a probe. A driver that starts for the first time takes
// seconds; one that hangs must not keep the program waiting.
const probeTime = 30 * time.Second

// frameReport is the one frame that a probe sends.
const frameReport = 'R'

// Report is what a runtime can do on this machine, now.
type Report struct {
	Backends []Backend `json:"backends"`
	Devices  []Device  `json:"devices"`
}

// Backend is a plug-in file, and why it does not load if it does not.
type Backend struct {
	File   string `json:"file"`
	Loaded bool   `json:"loaded"`
	Reason string `json:"reason"` // the system's own words; empty if it loads
}

// Device is a processor that the runtime offers.
type Device struct {
	Name        string `json:"name"` // "CPU", "Vulkan0", …
	Description string `json:"description"`
	Kind        string `json:"kind"`  // cpu | gpu | igpu | accel
	Free        int64  `json:"free"`  // bytes; some drivers always report Total
	Total       int64  `json:"total"` // bytes
}

// Probe asks a child of this program what the verified folder in dir can do.
// env is added to the child's environment, see process.Spec. Errors are an
// *inference.Error of the kind ErrNoRuntime, or the context's.
func Probe(ctx context.Context, dir string, env ...string) (Report, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Report{}, refuse(err, "The folder of the model libraries cannot be found.")
	}
	var report Report
	err = ask(ctx, dir, dir, env, &report, fmt.Sprintf("The model libraries in %s do not start on this machine. Its graphics driver may be at fault.", dir))
	return report, err
}

// ask starts a child with an argument and takes its answer. died is what is said
// when it ends without one.
func ask(ctx context.Context, dir, argument string, env []string, answer any, died string) error {
	inner, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	child, err := process.Spawn(inner, process.Spec{
		Role: Role, Args: []string{argument}, Dir: dir,
		Env: append([]string{"GGML_NO_BACKTRACE=1", "GGML_BACKEND_PATH"}, env...),
	})
	if err != nil {
		return refuse(err, "The model libraries cannot be tried out.")
	}
	defer child.Close(time.Second)
	kind, payload, err := child.Receive()
	if err == nil && kind != frameReport {
		err = fmt.Errorf("frame %q instead of a report", kind)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		child.Kill()
		return refuse(fmt.Errorf("%w: %v", err, child.Wait()), "%s", died)
	}
	if err := json.Unmarshal(payload, answer); err != nil {
		return refuse(err, "The model libraries cannot be tried out.")
	}
	return nil
}
