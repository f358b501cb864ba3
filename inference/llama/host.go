package llama

import (
	"context"
	"slices"
	"sync"

	"referent/inference"
)

// Config says where the libraries are and how they may be used.
type Config struct {
	RuntimeDir string       // folder of one runtime, see package runtime
	Threads    int          // threads on the processor; 0: one fewer than the physical cores
	Log        func(string) // warnings and errors of the library; nil: dropped. Any goroutine.
	StateDir   string       // remembers hashes of model files; "": only while the process lives
}

// Host runs models in this process. It implements inference.Host.
type Host struct {
	config Config
	lib    *library
	hashes *hashes
	chosen bool // the number of threads is a person's choice

	mu     sync.Mutex
	seats  map[inference.Role]*evaluator
	last   map[inference.Role]inference.ModelInfo // also of roles that are empty now
	closed bool
}

var _ inference.Host = (*Host)(nil)

// New verifies and loads the libraries. A process has one set of them: a
// second host must use the same folder. Errors: ErrNoRuntime.
func New(config Config) (*Host, error) {
	lib, err := openLibrary(config.RuntimeDir, config.Log)
	if err != nil {
		return nil, err
	}
	chosen := config.Threads > 0
	if !chosen {
		config.Threads = defaultThreads()
	}
	return &Host{
		config: config, lib: lib, chosen: chosen, hashes: newHashes(config.StateDir),
		seats: map[inference.Role]*evaluator{}, last: map[inference.Role]inference.ModelInfo{},
	}, nil
}

// Generator implements inference.Host.
func (h *Host) Generator(role inference.Role) (inference.Generator, error) {
	if role != inference.RoleAnswer && role != inference.RoleCondense {
		return nil, errNoModel(role)
	}
	return &generator{host: h, role: role}, h.filled(role)
}

// Embedder implements inference.Host.
func (h *Host) Embedder() (inference.Embedder, error) {
	return &embedder{host: h}, h.filled(inference.RoleEmbed)
}

// Reranker implements inference.Host.
func (h *Host) Reranker() (inference.Reranker, error) {
	return &reranker{host: h}, h.filled(inference.RoleRerank)
}

// Tokenizer implements inference.Host.
func (h *Host) Tokenizer(role inference.Role) (inference.Tokenizer, error) {
	return &tokenizer{host: h, role: role}, h.filled(role)
}

func (h *Host) filled(role inference.Role) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seats[role] == nil {
		return errNoModel(role)
	}
	return nil
}

// Loaded implements inference.Host.
func (h *Host) Loaded() []inference.ModelInfo {
	h.mu.Lock()
	var all []*resident
	for _, e := range h.seats {
		if !slices.Contains(all, e.resident) {
			all = append(all, e.resident)
		}
	}
	h.mu.Unlock()
	var out []inference.ModelInfo
	for _, r := range all {
		out = append(out, r.describe())
	}
	return out
}

func (h *Host) infoOf(role inference.Role) inference.ModelInfo {
	h.mu.Lock()
	e, last := h.seats[role], h.last[role]
	h.mu.Unlock()
	if e == nil {
		return last
	}
	return e.resident.describe()
}

// acquire takes hold of the role's model, so that it is not freed in use.
func (h *Host) acquire(role inference.Role) (e *evaluator, release func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e = h.seats[role]
	if e == nil {
		return nil, nil, errNoModel(role)
	}
	e.users++
	return e, sync.OnceFunc(func() { h.release(e) }), nil
}

func (h *Host) release(e *evaluator) {
	h.mu.Lock()
	e.users--
	last := e.retired && e.users == 0
	h.mu.Unlock()
	if last {
		h.dispose(e)
	}
}

// dispose frees an evaluator, and its weights with the last of them.
func (h *Host) dispose(e *evaluator) {
	h.lib.loads.Lock()
	e.free()
	e.resident.drop()
	returnMemory()
	h.lib.loads.Unlock()
	close(e.freed)
}

// vacate empties roles. The evaluators are freed as soon as nobody uses them.
func (h *Host) vacate(roles ...inference.Role) []*evaluator {
	var gone, idle []*evaluator
	h.mu.Lock()
	for _, role := range roles {
		e := h.seats[role]
		if e == nil {
			continue
		}
		delete(h.seats, role)
		h.last[role] = e.resident.describe()
		e.resident.leave(e)
		e.retired = true
		gone = append(gone, e)
		if e.users == 0 {
			idle = append(idle, e)
		}
	}
	h.mu.Unlock()
	for _, e := range idle {
		h.dispose(e)
	}
	return gone
}

// wait returns when evaluators are freed, or with the context's error.
func wait(ctx context.Context, gone []*evaluator) error {
	for _, e := range gone {
		select {
		case <-e.freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Unload implements inference.Host. It waits for calls that are under way;
// when ctx ends first, the last of them frees the model.
func (h *Host) Unload(ctx context.Context, role inference.Role) error {
	return wait(ctx, h.vacate(role))
}

// Close implements inference.Host. It waits for calls that are under way. The
// libraries stay loaded: a process cannot get rid of them cleanly.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	return wait(context.Background(), h.vacate(inference.Roles()...))
}

// Identity tells which libraries run: the hash over the verified folder, and
// the release.
func (h *Host) Identity() (hash, library string) { return h.lib.info.Hash, h.lib.info.Version }
