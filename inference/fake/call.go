package fake

import (
	"context"
	"slices"

	"referent/inference"
)

// Call is one entry of the call log.
type Call struct {
	Kind     string // load | unload | generate | embed | rerank | count
	Role     inference.Role
	Spec     inference.LoadSpec        // load
	Request  inference.GenerateRequest // generate
	TextKind inference.TextKind        // embed
	Texts    []string                  // embed, rerank (query first), count
	Priority inference.Priority        // embed
}

// Calls returns the log so far, oldest first.
func (h *Host) Calls() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.calls)
}

// Forget empties the log, for tests that run for long.
func (h *Host) Forget() {
	h.mu.Lock()
	h.calls = nil
	h.mu.Unlock()
}

// Count returns how many calls of a kind were made.
func (h *Host) Count(kind string) int {
	n := 0
	for _, c := range h.Calls() {
		if c.Kind == kind {
			n++
		}
	}
	return n
}

func (h *Host) note(c Call) {
	h.mu.Lock()
	h.calls = append(h.calls, c)
	h.mu.Unlock()
}

// handle is the fake model of one role as its callers hold it.
type handle struct {
	host *Host
	role inference.Role
	last inference.ModelInfo
}

func (h *Host) handle(role inference.Role) (*handle, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.models[role]
	if m == nil {
		return nil, noModel(role)
	}
	return &handle{host: h, role: role, last: *m.info}, nil
}

// as gives a handle as one of the interfaces; without one, a nil interface.
func as[T any](c *handle, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return any(c).(T), nil
}

// Info returns the model now in the role, or the last one after an unload.
func (c *handle) Info() inference.ModelInfo {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	if m := c.host.models[c.role]; m != nil {
		return *m.info
	}
	return c.last
}

// CountTokens implements inference.Tokenizer by the rule of the package.
func (c *handle) CountTokens(ctx context.Context, texts []string) ([]int, error) {
	_, release, err := c.host.use(c.role)
	if err != nil {
		return nil, err
	}
	defer release()
	c.host.note(Call{Kind: "count", Role: c.role, Texts: texts})
	counts := make([]int, len(texts))
	for i, t := range texts {
		counts[i] = len(Tokens(t))
	}
	return counts, ctx.Err()
}
