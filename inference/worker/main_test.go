package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"referent/inference"
	"referent/inference/conformance"
	"referent/inference/fake"
	"referent/inference/process"
	"referent/inference/runtime"
)

func TestMain(m *testing.M) {
	process.TestMain(m, map[string]func() int{RoleName: childRole, "nest": nest, runtime.Role: runtime.ProbeRole})
}

// stateVariable names the folder through which a test and its children talk.
const stateVariable = "REFERENT_TEST_STATE"

// startVariable chooses how a child starts: old, dead, real; else a fake model.
const startVariable = "REFERENT_TEST_START"

// childRole is the model role of these tests: a fake model that can be told to
// die in every way.
func childRole() int {
	c := &childHost{state: os.Getenv(stateVariable)}
	switch os.Getenv(startVariable) {
	case "old":
		if sendHelloAs(protocolVersion-1) != nil {
			return 1
		}
		return 0
	case "dead":
		return 1
	case "real":
		return realRole()
	}
	return Role(func(cfg Config) (inference.Host, error) {
		if strings.HasSuffix(cfg.RuntimeDir, "missing") {
			return nil, &inference.Error{Kind: inference.ErrNoRuntime, Message: "The runtime is not there.", Cause: errors.New("no such folder")}
		}
		c.runtime = cfg.RuntimeDir
		_, known := conformance.Fake()
		c.Host = fake.New(fake.Config{
			Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
				if r, ok := known(role, req); ok {
					return r, true
				}
				return c.order(req.Completion)
			},
			Step: c.step,
			Die:  func() { die(c.manner) },
		})
		if gate, err := net.Dial("unix", filepath.Join(c.state, "gate")); err == nil {
			c.gate = gate
		}
		return c, nil
	})()
}

func sendHelloAs(version int) error {
	b, err := json.Marshal(hello{Protocol: version})
	if err != nil {
		return err
	}
	return process.NewPipe(process.Stdio()).Send(frameHello, b)
}

// story is what the fake writes when it is told how to die: long enough to be
// cut anywhere.
const story = "The boiler in the cellar was built in 1974 and heats forty flats. " +
	"It is serviced in October by the firm of the Rossi brothers, who also sweep the chimney. " +
	"In a cold winter it burns nine tons of pellets, and the board pays for them in March."

// orderForm is "do MANNER after N times K": the first K times that a worker
// gets the order it dies behind token N.
var orderForm = regexp.MustCompile(`do (\w+) after (\d+) times (\d+)`)

type childHost struct {
	*fake.Host
	state, runtime string
	manner         string
	gate           net.Conn
	gateTurn       sync.Mutex
}

// Identity tells the runtime folder in place of a hash.
func (c *childHost) Identity() (hash, library string) { return c.runtime, "fake" }

func (c *childHost) order(text string) (fake.Reply, bool) {
	f := orderForm.FindStringSubmatch(text)
	if f == nil {
		return fake.Reply{}, false
	}
	after, _ := strconv.Atoi(f[2])
	if !c.due(f[0], f[3]) {
		return fake.Reply{Text: story}, true
	}
	c.manner = f[1]
	return fake.Reply{Text: story, After: after, Die: f[1] != "hang", Hang: f[1] == "hang"}, true
}

// due counts how often an order came; the count outlives the process.
func (c *childHost) due(order, times string) bool {
	file := filepath.Join(c.state, strings.ReplaceAll(order, " ", "-"))
	b, _ := os.ReadFile(file)
	if limit, _ := strconv.Atoi(times); len(b) >= limit {
		return false
	}
	return os.WriteFile(file, append(b, 'x'), 0o600) == nil
}

// Load notes what it was asked for and obeys an order in the profile's id.
func (c *childHost) Load(ctx context.Context, spec inference.LoadSpec, progress func(float64)) (inference.ModelInfo, error) {
	if err := c.log(spec); err != nil {
		return inference.ModelInfo{}, err
	}
	if f := orderForm.FindStringSubmatch(spec.Profile.ID); f != nil && c.due(f[0], f[3]) {
		if f[1] == "refuse" {
			return inference.ModelInfo{}, &inference.Error{Kind: inference.ErrOutOfMemory, Message: "The model does not fit into memory."}
		}
		die(f[1])
	}
	return c.Host.Load(ctx, spec, progress)
}

// loadNote is one line of the log of loads.
type loadNote struct {
	Runtime string
	Spec    inference.LoadSpec
}

func (c *childHost) log(spec inference.LoadSpec) error {
	f, err := os.OpenFile(filepath.Join(c.state, "loads"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewEncoder(f).Encode(loadNote{filepath.Base(c.runtime), spec})
}

// Embedder obeys an order in the first text.
func (c *childHost) Embedder() (inference.Embedder, error) {
	e, err := c.Host.Embedder()
	return childEmbedder{e, c}, err
}

type childEmbedder struct {
	inference.Embedder
	host *childHost
}

func (e childEmbedder) Embed(ctx context.Context, kind inference.TextKind, texts []string, p inference.Priority) ([][]float32, error) {
	if f := orderForm.FindStringSubmatch(strings.Join(texts, " ")); f != nil && e.host.due(f[0], f[3]) {
		die(f[1])
	}
	return e.Embedder.Embed(ctx, kind, texts, p)
}

// step asks the test's gate for leave, one byte for each step of work.
func (c *childHost) step(_ context.Context, s fake.Step) error {
	if c.gate == nil {
		return nil
	}
	c.gateTurn.Lock()
	defer c.gateTurn.Unlock()
	b := []byte{s.Phase[0]}
	if _, err := c.gate.Write(b); err != nil {
		return nil // the gate was taken away
	}
	_, _ = c.gate.Read(b) // an answer or the end of the gate
	return nil
}

// die ends this process in the manner asked for.
func die(manner string) {
	switch manner {
	case "kill":
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Kill()
		}
		select {}
	case "assert":
		fmt.Fprintln(os.Stderr, "/src/llama.cpp/src/llama-context.cpp:1005: GGML_ASSERT(n_tokens <= n_batch) failed")
		os.Exit(134)
	case "memory":
		fmt.Fprintln(os.Stderr, "ggml_vulkan: Device memory allocation of size 1073741824 failed.")
		os.Exit(134)
	case "device":
		fmt.Fprintln(os.Stderr, "terminate called after throwing an instance of 'vk::DeviceLostError'")
		os.Exit(134)
	case "exception":
		fmt.Fprintln(os.Stderr, "terminate called after throwing an instance of 'std::out_of_range'\n  what():  Maria Rossi, flat 12")
		os.Exit(134)
	case "panic":
		panic("Maria Rossi, flat 12")
	case "garbage":
		_, out := process.Stdio()
		fmt.Fprintln(out, "llama_decode: this is no frame")
		select {}
	case "exit":
		os.Exit(9)
	}
	panic("unknown manner " + manner)
}
