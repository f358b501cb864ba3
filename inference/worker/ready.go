package worker

import (
	"context"
	"errors"

	"referent/inference"
)

// ready returns the living worker that holds the model of a role. It starts a
// worker and loads the model again where needed; the load belongs to the client
// and goes on when the caller gives up.
func (h *Host) ready(ctx context.Context, role inference.Role) (*session, *model, error) {
	for {
		h.mu.Lock()
		m := h.roles[role]
		switch {
		case h.closed:
			h.mu.Unlock()
			return nil, nil, errClosed
		case m == nil:
			h.mu.Unlock()
			return nil, nil, noModel(role)
		case m.parked != "":
			err := &inference.Error{Kind: inference.ErrWorkerDied, Message: m.parked, Cause: inference.ErrParked}
			h.mu.Unlock()
			return nil, nil, err
		case h.holds(m):
			s := m.session
			m.used = h.cfg.Now()
			h.mu.Unlock()
			return s, m, nil
		}
		f := h.fly(m)
		h.mu.Unlock()
		select {
		case <-f.done:
			if f.err != nil {
				return nil, nil, f.err
			}
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// holds tells whether the running worker has the model. Host.mu is held.
func (h *Host) holds(m *model) bool {
	return m.session != nil && m.session == h.current && m.session.alive()
}

// fly starts a reload, or joins the one on its way. Host.mu is held and the
// client is not closed.
func (h *Host) fly(m *model) *flight {
	if m.flight == nil {
		f := &flight{done: make(chan struct{})}
		m.flight = f
		h.work.Go(func() { h.land(m, f) })
	}
	return m.flight
}

func (h *Host) land(m *model, f *flight) {
	f.err = h.reload(m)
	h.mu.Lock()
	m.flight = nil
	h.mu.Unlock()
	close(f.done)
	if f.err == nil {
		h.reloadRest()
	}
}

func (h *Host) reload(m *model) error {
	give, err := h.take(h.life)
	if err != nil {
		return err
	}
	defer give()
	h.mu.Lock()
	unwanted, there, rested := len(h.rolesOf(m)) == 0, h.holds(m), m.resting
	h.mu.Unlock()
	if unwanted || there {
		return nil
	}
	if err := h.settle(h.life, m, nil); err != nil || !rested {
		return err
	}
	h.mu.Lock()
	m.resting = false
	h.mu.Unlock()
	h.notify(Event{EventWoken, m.name() + " is back in memory.", h.infoOf(m)})
	return nil
}

// reloadRest brings back the models that the running worker lacks, without
// anybody waiting for them. A failure shows when the model is asked for.
func (h *Host) reloadRest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	for _, m := range h.roles {
		if m.parked == "" && !m.resting && !h.holds(m) {
			h.fly(m)
		}
	}
}

// twice runs work on the model of a role, once more when the worker died.
func (h *Host) twice(ctx context.Context, role inference.Role, work func(*session, *model) error) error {
	for try := 0; ; try++ {
		s, m, err := h.ready(ctx, role)
		if err != nil {
			return err
		}
		err = work(s, m)
		var died *diedError
		if !errors.As(err, &died) {
			return err
		}
		if err := h.aside(m); err != nil {
			return err
		}
		if try > 0 {
			return died.report("It can be tried again.")
		}
	}
}

// report is the error that callers see of a second death.
func (e *diedError) report(next string) error {
	return &inference.Error{Kind: inference.ErrWorkerDied,
		Message: "The model worker ended twice: " + string(e.session.why) + ". " + next, Cause: &e.session.death}
}

func noModel(role inference.Role) error {
	return &inference.Error{Kind: inference.ErrNoModel,
		Message: "No model is loaded for the role " + string(role) + ". Choose one in Models."}
}
