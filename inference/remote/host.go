package remote

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"referent/inference"
)

// Runtime is what a model of a server has as its ModelInfo.Runtime.
const Runtime = "remote"

// Defaults of a Config.
const (
	DefaultTimeout  = time.Minute
	DefaultPatience = 15 * time.Second
	DefaultContext  = 8192 // tokens
	embedContext    = 512  // tokens of one piece of a text to embed
)

// Config shapes a Host. Only Client is needed.
type Config struct {
	Client   *http.Client                                     // makes the connections, with permission
	Key      func(role inference.Role) (string, error)        // sent as a bearer token; nil or "": none
	Timeout  func() time.Duration                             // how long a server may be silent; nil: DefaultTimeout
	Patience time.Duration                                    // how long tries go on without a limit of the caller's; 0: DefaultPatience
	Now      func() time.Time                                 // nil: time.Now
	Wait     func(ctx context.Context, d time.Duration) error // between two tries; nil: sleeps
}

// Host implements inference.Host with servers in place of files: the path of a
// LoadSpec is the base address (such as https://host/v1), the profile's ID the
// name of the model there. Its hash, where given, must be the Identity of both.
type Host struct {
	cfg Config

	mu    sync.Mutex
	roles map[inference.Role]entry
}

var _ inference.Host = (*Host)(nil)

// New returns a Host with nothing loaded.
func New(c Config) *Host {
	if c.Timeout == nil {
		c.Timeout = func() time.Duration { return DefaultTimeout }
	}
	if c.Patience <= 0 {
		c.Patience = DefaultPatience
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Wait == nil {
		c.Wait = sleep
	}
	return &Host{cfg: c, roles: map[inference.Role]entry{}}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Load implements inference.Host. Only the embed role asks the server: the
// length of its vectors must be known.
func (h *Host) Load(ctx context.Context, spec inference.LoadSpec, progress func(float64)) (inference.ModelInfo, error) {
	u, err := url.Parse(spec.Path)
	switch {
	case len(spec.Roles) == 0:
		return inference.ModelInfo{}, &inference.Error{Kind: inference.ErrModelFile, Message: "The model was asked for without a role."}
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return inference.ModelInfo{}, &inference.Error{Kind: inference.ErrModelFile, Message: fmt.Sprintf("%q is no address of a server. It looks like https://host/v1.", spec.Path), Cause: err}
	case spec.Hash != "" && spec.Hash != Identity(spec.Path, spec.Profile.ID):
		return inference.ModelInfo{}, &inference.Error{Kind: inference.ErrModelFile, Message: "The server or its model is another one than was expected. Choose it again."}
	}
	e := entry{address: trimmed(spec.Path), info: describe(spec, u)}
	if slices.Contains(spec.Roles, inference.RoleEmbed) {
		e.role = inference.RoleEmbed
		e.info.Context = min(e.info.Context, embedContext)
		v, err := h.vectors(ctx, e, []string{"."})
		if err != nil {
			return inference.ModelInfo{}, err
		}
		e.info.Dimensions = len(v[0])
	}
	if progress != nil {
		progress(1)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, role := range spec.Roles {
		e.role = role
		h.roles[role] = e
	}
	return e.info, nil
}

func describe(spec inference.LoadSpec, u *url.URL) inference.ModelInfo {
	i := inference.ModelInfo{Profile: spec.Profile, Roles: slices.Clone(spec.Roles), Path: spec.Path, Hash: Identity(spec.Path, spec.Profile.ID),
		Architecture: "remote", Context: spec.Context, ContextTrained: spec.Context, Device: u.Host, Runtime: Runtime}
	if i.Context <= 0 {
		i.Context = DefaultContext
	}
	i.Note = "Runs on the server " + u.Host + "; texts leave this computer."
	if Loopback(u.Hostname()) {
		i.Note = "Runs in another program on this computer (" + u.Host + ")."
	}
	return i
}

// Unload implements inference.Host.
func (h *Host) Unload(_ context.Context, role inference.Role) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.roles, role)
	return nil
}

// Loaded implements inference.Host.
func (h *Host) Loaded() []inference.ModelInfo {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []inference.ModelInfo
	for _, role := range inference.Roles() {
		e, ok := h.roles[role]
		if !ok {
			continue
		}
		i := slices.IndexFunc(out, func(o inference.ModelInfo) bool { return o.Hash == e.info.Hash })
		if i < 0 {
			e.info.Roles, i = nil, len(out)
			out = append(out, e.info)
		}
		out[i].Roles = append(out[i].Roles, role)
	}
	return out
}

// Close implements inference.Host: connections that wait for reuse end.
func (h *Host) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.roles)
	h.cfg.Client.CloseIdleConnections()
	return nil
}

// of returns what plays a role now.
func (h *Host) of(role inference.Role) (entry, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, ok := h.roles[role]
	if !ok {
		return entry{}, &inference.Error{Kind: inference.ErrNoModel, Message: "No model is loaded for the role " + string(role) + "."}
	}
	return e, nil
}

// handle is a role of a host; it stays valid when the role is loaded anew.
type handle struct {
	host *Host
	role inference.Role
}

// Info returns the model of the role, or a zero value when there is none.
func (m handle) Info() inference.ModelInfo {
	e, _ := m.host.of(m.role)
	return e.info
}

// Generator implements inference.Host.
func (h *Host) Generator(role inference.Role) (inference.Generator, error) {
	_, err := h.of(role)
	return handle{h, role}, err
}

// Embedder implements inference.Host.
func (h *Host) Embedder() (inference.Embedder, error) {
	_, err := h.of(inference.RoleEmbed)
	return handle{h, inference.RoleEmbed}, err
}

// Reranker implements inference.Host.
func (h *Host) Reranker() (inference.Reranker, error) {
	_, err := h.of(inference.RoleRerank)
	return handle{h, inference.RoleRerank}, err
}

// Tokenizer implements inference.Host.
func (h *Host) Tokenizer(role inference.Role) (inference.Tokenizer, error) {
	_, err := h.of(role)
	return handle{h, role}, err
}

// CountTokens implements inference.Tokenizer by Estimate.
func (m handle) CountTokens(ctx context.Context, texts []string) ([]int, error) {
	if _, err := m.host.of(m.role); err != nil {
		return nil, err
	}
	out := make([]int, len(texts))
	for i, t := range texts {
		out[i] = Estimate(t)
	}
	return out, ctx.Err()
}
