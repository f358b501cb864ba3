package worker

import (
	"context"
	"errors"
	"slices"
	"time"

	"referent/inference"
)

const (
	// restCheck is how often it is looked for models that rest.
	restCheck = 5 * time.Second
	// scarceRest is how long a model must have rested before it is unloaded
	// because memory is scarce. What a person is using stays.
	scarceRest = 30 * time.Second
	// farewellRest bounds an unload of a model that nobody uses.
	farewellRest = 30 * time.Second
)

// watchRest gives memory back while the client lives.
func (h *Host) watchRest() {
	ticker := time.NewTicker(restCheck)
	defer ticker.Stop()
	for {
		select {
		case <-h.life.Done():
			return
		case <-ticker.C:
			h.rest()
		}
	}
}

// rest unloads the models that nobody has used for as long as Config.Idle says,
// and, while memory is scarce, the one that has rested the longest: what that
// brought is measured before the next one goes. The roles stay filled: the next
// call loads the model again. A worker without any model ends.
func (h *Host) rest() {
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	default:
		return // a load is under way
	}
	scarce := h.cfg.Scarce != nil && h.cfg.Scarce()
	var limit time.Duration
	if h.cfg.Idle != nil {
		limit = h.cfg.Idle()
	}
	h.mu.Lock()
	s, now := h.current, h.cfg.Now()
	if s == nil || !s.alive() {
		h.mu.Unlock()
		return
	}
	var gone []*model
	var longest *model
	left := 0
	for _, m := range h.models() {
		if !h.holds(m) {
			continue
		}
		left++
		if s.busy(m) {
			m.used = now
		}
		rested := now.Sub(m.used)
		if limit > 0 && rested >= limit {
			gone = append(gone, m)
		} else if rested >= scarceRest && (longest == nil || m.used.Before(longest.used)) {
			longest = m
		}
	}
	why := EventRested
	if len(gone) == 0 && scarce && longest != nil {
		gone, why = []*model{longest}, EventScarce
	}
	var roles [][]inference.Role
	for _, m := range gone {
		m.session, m.resting = nil, true
		roles = append(roles, h.rolesOf(m))
	}
	h.mu.Unlock()
	for i, m := range gone {
		if left == len(gone) {
			break // the end of the worker frees everything at once
		}
		h.leave(s, roles[i])
		h.notify(Event{why, restedSentence(m.name(), why), h.infoOf(m)})
	}
	if len(gone) == 0 || left > len(gone) {
		return
	}
	h.dismiss(s)
	for _, m := range gone {
		h.notify(Event{why, restedSentence(m.name(), why), h.infoOf(m)})
	}
}

func restedSentence(name string, why EventKind) string {
	if why == EventScarce {
		return name + " was unloaded because this computer is short of memory. It is loaded again when it is needed."
	}
	return name + " was unloaded because nobody has used it for a while. It is loaded again when it is needed."
}

// leave unloads roles that nobody uses. A worker that dies over it has freed
// them too.
func (h *Host) leave(s *session, roles []inference.Role) {
	ctx, cancel := context.WithTimeout(h.life, farewellRest)
	defer cancel()
	for _, role := range roles {
		_, err := s.do(ctx, frameUnload, roleRequest{role}, nil, ignore)
		var died *diedError
		if errors.As(err, &died) {
			return
		}
	}
}

// dismiss ends a worker that has nothing to do.
func (h *Host) dismiss(s *session) {
	h.mu.Lock()
	h.dismissed = true
	h.mu.Unlock()
	s.expect()
	s.child.CloseSend()
	timer := time.NewTimer(2 * farewell)
	defer timer.Stop()
	select {
	case <-s.dead:
	case <-timer.C:
		s.child.Kill()
		<-s.dead
	}
}

// busy tells whether a call for the model is under way.
func (s *session) busy(m *model) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.model == m {
			return true
		}
	}
	return false
}

// models lists what holds a role, each once. Host.mu is held.
func (h *Host) models() []*model {
	var all []*model
	for _, role := range inference.Roles() {
		m := h.roles[role]
		if m != nil && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}
