package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"referent/inference"
)

// model is a file that the client wants to have loaded. What follows spec is
// guarded by Host.mu.
type model struct {
	spec inference.LoadSpec // as asked, with an absolute path

	info    inference.ModelInfo
	ladder  ladder
	parked  string    // why it was put aside; empty: it was not
	used    time.Time // when a call for it began, or was last seen under way
	resting bool      // unloaded until the next call
	session *session  // that holds it
	flight  *flight   // a reload on its way
}

// flight is one reload that several callers may wait for.
type flight struct {
	done chan struct{}
	err  error // valid after done
}

func (m *model) name() string {
	if m.spec.Profile.Name != "" {
		return m.spec.Profile.Name
	}
	return filepath.Base(m.spec.Path)
}

// Load implements inference.Host. A death during the load is answered by the
// ladder. Progress starts again with each try.
func (h *Host) Load(ctx context.Context, spec inference.LoadSpec, progress func(float64)) (inference.ModelInfo, error) {
	spec.Path, spec.Roles = absolute(spec.Path), slices.Clone(spec.Roles)
	give, err := h.take(ctx)
	if err != nil {
		return inference.ModelInfo{}, err
	}
	m := &model{spec: spec}
	err = h.settle(ctx, m, progress)
	h.mu.Lock()
	for _, role := range spec.Roles {
		if err == nil {
			h.roles[role] = m
		} else if old := h.roles[role]; old != nil && ctx.Err() != nil {
			old.session = nil // a load that was left alone may still replace it
		}
	}
	h.mu.Unlock()
	give()
	h.reloadRest() // others that a death took along
	if err != nil {
		return inference.ModelInfo{}, err
	}
	return h.infoOf(m), nil
}

// settle loads a model into a living worker, whatever it takes. The turn is
// held.
func (h *Host) settle(ctx context.Context, m *model, progress func(float64)) error {
	reduced := false
	for {
		s, err := h.live(ctx)
		if err != nil {
			return err
		}
		err = h.loadInto(ctx, s, m, progress)
		var died *diedError
		switch {
		case errors.As(err, &died):
			if err := h.aside(m); err != nil {
				return err
			}
		case errors.Is(err, inference.ErrOutOfMemory) && !reduced:
			reduced = true
			if !h.lower(m, 1) {
				return err
			}
		default:
			return err
		}
	}
}

// aside returns the error of a parked model.
func (h *Host) aside(m *model) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m.parked == "" {
		return nil
	}
	return &inference.Error{Kind: inference.ErrWorkerDied, Message: m.parked, Cause: inference.ErrParked}
}

// lower takes a model down at least steps rungs and tells; false when no rung
// would change anything.
func (h *Host) lower(m *model, steps int) bool {
	h.mu.Lock()
	was := m.ladder.rung
	m.ladder.lower(was+rung(steps), useful(m.spec, 1))
	now := m.ladder.rung
	h.mu.Unlock()
	if now == was {
		return false
	}
	h.tell(EventLowered, m.name()+": "+now.sentence())
	return true
}

// loadInto sends the load and keeps what came of it.
func (h *Host) loadInto(ctx context.Context, s *session, m *model, progress func(float64)) error {
	// Without the note (a full disk) the load still goes on: the note only
	// guards the next start of the program.
	failed, _ := h.cfg.trying(m.spec.Path)
	defer func() { _ = h.cfg.tried() }()
	if failed >= maxTries {
		return &inference.Error{Kind: inference.ErrWorkerDied, Message: fmt.Sprintf(
			"Loading %s ended the whole program %d times, so it was not loaded this time. Load it again to try once more, or choose a smaller model.", m.name(), failed)}
	}
	if failed > 0 {
		h.lower(m, failed)
	}
	h.mu.Lock()
	spec := m.ladder.rung.apply(m.spec)
	if held := h.rolesOf(m); len(held) > 0 {
		spec.Roles = held
	}
	note := m.ladder.rung.sentence()
	h.mu.Unlock()
	last, err := s.do(ctx, frameLoad, spec, m, func(f frame) error {
		if part, ok := partDone(f); ok && progress != nil {
			progress(part)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if last.Info == nil {
		return errors.New("the worker did not describe the model")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	m.info, m.session, m.used = *last.Info, s, h.cfg.Now()
	if note != "" {
		if m.info.Note != "" {
			note = m.info.Note + " " + note
		}
		m.info.Note = note
	}
	return nil
}

// partDone reads the progress of a load.
func partDone(f frame) (float64, bool) {
	if f.kind != frameProgress || len(f.body) != 8 {
		return 0, false
	}
	part := math.Float64frombits(binary.LittleEndian.Uint64(f.body))
	return part, part >= 0 && part <= 1
}

// rolesOf lists the roles that a model holds. Host.mu is held.
func (h *Host) rolesOf(m *model) []inference.Role {
	var held []inference.Role
	for _, role := range inference.Roles() {
		if h.roles[role] == m {
			held = append(held, role)
		}
	}
	return held
}

func (h *Host) infoOf(m *model) inference.ModelInfo {
	h.mu.Lock()
	defer h.mu.Unlock()
	info := m.info
	if held := h.rolesOf(m); len(held) > 0 {
		info.Roles = held
	}
	return info
}

// Unload implements inference.Host. A model whose worker is gone is only
// forgotten.
func (h *Host) Unload(ctx context.Context, role inference.Role) error {
	give, err := h.take(ctx)
	if err != nil {
		return err
	}
	defer give()
	h.mu.Lock()
	m := h.roles[role]
	delete(h.roles, role)
	s := h.current
	there := m != nil && s != nil && m.session == s && s.alive()
	h.mu.Unlock()
	if !there {
		return nil
	}
	_, err = s.do(ctx, frameUnload, roleRequest{role}, nil, ignore)
	var died *diedError
	if errors.As(err, &died) {
		return nil
	}
	return err
}

// Loaded implements inference.Host. Models that a new worker is still loading
// are listed, parked and resting ones are not.
func (h *Host) Loaded() []inference.ModelInfo {
	h.mu.Lock()
	all := slices.DeleteFunc(h.models(), func(m *model) bool { return m.parked != "" || m.resting })
	h.mu.Unlock()
	out := make([]inference.ModelInfo, len(all))
	for i, m := range all {
		out[i] = h.infoOf(m)
	}
	return out
}

// Parked returns the sentences of models that were put aside, by role.
func (h *Host) Parked() map[inference.Role]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[inference.Role]string{}
	for role, m := range h.roles {
		if m.parked != "" {
			out[role] = m.parked
		}
	}
	return out
}
