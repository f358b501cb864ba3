package fake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"sync"

	"referent/inference"
)

// DefaultContext is the context of a model whose LoadSpec names none, in tokens.
const DefaultContext = 4096

// DefaultDimensions is the length of vectors.
const DefaultDimensions = 384

// Phase says what a Step belongs to.
type Phase string

// The phases of work. A step is a tenth of a load, 64 tokens of a prompt, one
// token of a reply, one text of an embedding or of a ranking.
const (
	PhaseLoad    Phase = "load"
	PhasePrefill Phase = "prefill"
	PhaseDecode  Phase = "decode"
	PhaseEmbed   Phase = "embed"
	PhaseRerank  Phase = "rerank"
)

// Step is one unit of work about to be done.
type Step struct {
	Phase Phase
	Role  inference.Role
	N     int // 0 for the first step of the phase in this call
}

// Config shapes a Host. The zero value is a model with the built-in rules.
type Config struct {
	// Match scripts replies by request; false leaves the request to Replies.
	// It may be called from several goroutines at once.
	Match func(role inference.Role, req inference.GenerateRequest) (Reply, bool)
	// Replies are used up in order by the requests that Match left.
	Replies []Reply
	// Step is called before each unit of work; nil does nothing. It may block
	// until a test lets it go on (it should then watch ctx). Its error ends
	// the call.
	Step func(ctx context.Context, s Step) error
	// LoadError fails a load by its specification; nil loads everything.
	LoadError func(spec inference.LoadSpec) error
	// Die is what a reply with Die set does to its process. Nil: the call
	// fails with ErrWorkerDied and the process lives.
	Die func()
	// Dimensions of vectors; 0: DefaultDimensions.
	Dimensions int
}

// Host implements inference.Host. All methods may be called from any goroutine.
type Host struct {
	cfg Config

	mu      sync.Mutex
	models  map[inference.Role]*model
	replies []Reply
	calls   []Call
}

// model is one loaded file in one role.
type model struct {
	role   inference.Role
	info   *inference.ModelInfo // shared by the roles that were loaded together
	in     sync.WaitGroup       // calls in flight
	mu     sync.Mutex
	cached []string // tokens of the last prompt and reply
}

// New returns a Host with nothing loaded.
func New(cfg Config) *Host {
	if cfg.Dimensions <= 0 {
		cfg.Dimensions = DefaultDimensions
	}
	return &Host{cfg: cfg, models: map[inference.Role]*model{}, replies: slices.Clone(cfg.Replies)}
}

// NewLoaded returns a Host with a model in every role. Its embed profile has
// the dense floor that suits the fake's vectors.
func NewLoaded(cfg Config) *Host {
	h := New(cfg)
	h.cfg.Step, h.cfg.LoadError = nil, nil
	for _, role := range inference.Roles() {
		// The error is always nil: there is no hook that could fail.
		_, _ = h.Load(context.Background(), Spec(role), nil)
	}
	h.cfg.Step, h.cfg.LoadError = cfg.Step, cfg.LoadError
	return h
}

// Spec returns a specification that loads a fake model for roles.
func Spec(roles ...inference.Role) inference.LoadSpec {
	return inference.LoadSpec{Roles: roles, Path: "fake.gguf", Profile: inference.Profile{
		ID: "fake", Name: "Fake", PromptStyle: inference.StyleInstruct, FloorCosine: FloorCosine, RerankFloor: 0.5,
	}}
}

// Load implements inference.Host. Any path loads; no file is read. The hash is
// spec.Hash or, where that is empty, the SHA-256 of the path's text.
func (h *Host) Load(ctx context.Context, spec inference.LoadSpec, progress func(float64)) (inference.ModelInfo, error) {
	if len(spec.Roles) == 0 {
		return inference.ModelInfo{}, &inference.Error{Kind: inference.ErrModelFile, Message: "The model was asked for without a role."}
	}
	h.note(Call{Kind: "load", Role: spec.Roles[0], Spec: spec})
	for n := range 10 {
		if err := h.step(ctx, Step{PhaseLoad, spec.Roles[0], n}); err != nil {
			return inference.ModelInfo{}, err
		}
		if progress != nil {
			progress(float64(n+1) / 10)
		}
	}
	if h.cfg.LoadError != nil {
		if err := h.cfg.LoadError(spec); err != nil {
			return inference.ModelInfo{}, err
		}
	}
	info := h.describe(spec)
	for _, role := range spec.Roles {
		if err := h.Unload(ctx, role); err != nil {
			return inference.ModelInfo{}, err
		}
		h.mu.Lock()
		h.models[role] = &model{role: role, info: &info}
		h.mu.Unlock()
	}
	return info, nil
}

func (h *Host) describe(spec inference.LoadSpec) inference.ModelInfo {
	info := inference.ModelInfo{
		Profile: spec.Profile, Roles: slices.Clone(spec.Roles), Path: spec.Path, Hash: spec.Hash,
		Architecture: "fake", Quantization: "none", Parameters: 2_000_000_000, SizeBytes: 1 << 20,
		ContextTrained: 32768, Context: spec.Context, Layers: 4, GPULayersWanted: spec.GPULayers,
		Device: "CPU", Runtime: "cpu", Threads: max(1, spec.Threads), ResidentBytes: 1 << 20,
		PrefillPerSecond: 1000, DecodePerSecond: 100,
	}
	if info.Hash == "" {
		sum := sha256.Sum256([]byte(spec.Path))
		info.Hash = hex.EncodeToString(sum[:])
	}
	if info.Context == 0 {
		info.Context = DefaultContext
	}
	if info.Name == "" {
		info.Name = filepath.Base(spec.Path)
	}
	if slices.Contains(spec.Roles, inference.RoleEmbed) {
		info.Dimensions = h.cfg.Dimensions
	}
	return info
}

// Unload implements inference.Host; it waits for calls in flight.
func (h *Host) Unload(ctx context.Context, role inference.Role) error {
	h.mu.Lock()
	m := h.models[role]
	delete(h.models, role)
	h.mu.Unlock()
	if m == nil {
		return nil
	}
	h.note(Call{Kind: "unload", Role: role})
	idle := make(chan struct{})
	go func() { m.in.Wait(); close(idle) }()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Generator implements inference.Host.
func (h *Host) Generator(role inference.Role) (inference.Generator, error) {
	return as[inference.Generator](h.handle(role))
}

// Embedder implements inference.Host.
func (h *Host) Embedder() (inference.Embedder, error) {
	return as[inference.Embedder](h.handle(inference.RoleEmbed))
}

// Reranker implements inference.Host.
func (h *Host) Reranker() (inference.Reranker, error) {
	return as[inference.Reranker](h.handle(inference.RoleRerank))
}

// Tokenizer implements inference.Host.
func (h *Host) Tokenizer(role inference.Role) (inference.Tokenizer, error) {
	return as[inference.Tokenizer](h.handle(role))
}

// Loaded implements inference.Host.
func (h *Host) Loaded() []inference.ModelInfo {
	h.mu.Lock()
	defer h.mu.Unlock()
	var files []*inference.ModelInfo
	roles := map[*inference.ModelInfo][]inference.Role{}
	for _, role := range inference.Roles() {
		if m := h.models[role]; m != nil {
			if roles[m.info] == nil {
				files = append(files, m.info)
			}
			roles[m.info] = append(roles[m.info], role)
		}
	}
	out := make([]inference.ModelInfo, len(files))
	for i, f := range files {
		out[i] = *f
		out[i].Roles = roles[f]
	}
	return out
}

// Close unloads everything.
func (h *Host) Close() error {
	for _, role := range inference.Roles() {
		if err := h.Unload(context.Background(), role); err != nil {
			return err
		}
	}
	return nil
}

// use takes the model of a role for one call; release gives it back.
func (h *Host) use(role inference.Role) (m *model, release func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m = h.models[role]; m == nil {
		return nil, nil, noModel(role)
	}
	m.in.Add(1)
	return m, m.in.Done, nil
}

func (h *Host) step(ctx context.Context, s Step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if h.cfg.Step == nil {
		return nil
	}
	return h.cfg.Step(ctx, s)
}

func noModel(role inference.Role) error {
	return &inference.Error{Kind: inference.ErrNoModel,
		Message: "No model is loaded for the role " + string(role) + ". Choose one in Models."}
}
