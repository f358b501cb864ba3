package worker

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"referent/inference"
)

// Host is the client of one worker at a time. It implements inference.Host.
type Host struct {
	cfg    Config
	life   context.Context
	end    context.CancelFunc
	work   sync.WaitGroup
	turn   chan struct{} // capacity 1: starts, loads and unloads, one at a time
	notice sync.Mutex    // one event at a time

	mu      sync.Mutex
	roles   map[inference.Role]*model
	current *session
	runtime int // index into cfg.runtimes()
	starts  int
	closed  bool
	// dismissed: the last worker was ended because it had nothing to do.
	dismissed bool
}

// New returns a client. The worker starts with the first load.
func New(cfg Config) *Host {
	if cfg.HangAfter <= 0 {
		cfg.HangAfter = DefaultHangAfter
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	h := &Host{cfg: cfg, turn: make(chan struct{}, 1), roles: map[inference.Role]*model{}}
	h.choose(cfg.runtimes())
	h.life, h.end = context.WithCancel(context.Background())
	return h
}

// choose sets the runtimes of the next worker, the first choice first. None
// leaves what was set before.
func (h *Host) choose(r []Runtime) {
	if len(r) == 0 {
		return
	}
	r = slices.Clone(r)
	for i := range r {
		r[i].Dir = absolute(r[i].Dir)
	}
	h.cfg.RuntimeDir, h.cfg.RuntimeHash, h.cfg.OtherRuntimes = r[0].Dir, r[0].Hash, r[1:]
	h.runtime = 0
}

// find asks where the runtimes are, the first time. The turn is held.
func (h *Host) find() {
	if h.cfg.Find == nil {
		return
	}
	found := h.cfg.Find()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cfg.Find = nil
	h.choose(found)
}

// absolute makes a path valid in the worker, whose working folder is another.
func absolute(path string) string {
	if path == "" {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// take waits for the turn to start, load or unload.
func (h *Host) take(ctx context.Context) (give func(), err error) {
	select {
	case h.turn <- struct{}{}:
		return func() { <-h.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.life.Done():
		return nil, errClosed
	}
}

var errClosed = &inference.Error{Kind: inference.ErrWorkerDied, Message: "The program is closing."}

// live returns the running worker, or starts one. The turn is held.
func (h *Host) live(ctx context.Context) (*session, error) {
	h.find()
	for try := 0; ; try++ {
		h.mu.Lock()
		s, closed, from := h.current, h.closed, h.cfg.runtimes()[h.runtime]
		h.mu.Unlock()
		if closed {
			return nil, errClosed
		}
		if s != nil && s.alive() {
			return s, nil
		}
		s, err := open(ctx, h.life, h.cfg, from, &h.work, h.fell)
		var died *diedError
		if errors.As(err, &died) && try == 0 {
			continue
		}
		if err != nil && h.another(ctx, err) {
			try = -1
			continue
		}
		if err != nil {
			return nil, startError(ctx, err)
		}
		h.mu.Lock()
		h.current = s
		h.starts++
		first, again := h.starts == 1, h.starts > 1 && !h.dismissed
		h.dismissed = false
		h.mu.Unlock()
		if first {
			h.work.Go(h.watchRest)
		}
		if again {
			h.tell(EventRestarted, "The model worker was started again.")
		}
		return s, nil
	}
}

// another goes on to the next runtime, if there is one, after a worker that did
// not start for a reason that may lie in its libraries.
func (h *Host) another(ctx context.Context, err error) bool {
	var died *diedError
	if ctx.Err() != nil || !errors.As(err, &died) && !errors.Is(err, inference.ErrNoRuntime) {
		return false
	}
	h.mu.Lock()
	list := h.cfg.runtimes()
	last := h.runtime == len(list)-1
	if !last {
		h.runtime++
	}
	from, to := list[max(0, h.runtime-1)], list[h.runtime]
	h.mu.Unlock()
	if last {
		return false
	}
	h.tell(EventLowered, fmt.Sprintf("The model libraries in %s do not start on this computer. Those in %s are used instead.", from.Dir, to.Dir))
	return true
}

func startError(ctx context.Context, err error) error {
	var known *inference.Error
	if ctx.Err() != nil || errors.As(err, &known) {
		return err
	}
	message := "The model worker could not be started. Start the program again; if that does not help, install it anew."
	var died *diedError
	if errors.As(err, &died) {
		message = fmt.Sprintf("The model worker could not be started: %s.", died.session.why)
		err = &died.session.death
	}
	return &inference.Error{Kind: inference.ErrWorkerDied, Message: message, Cause: err}
}

// fell is called when a worker has ended, with the models that were at work.
func (h *Host) fell(s *session, working []atWork) {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return
	}
	runtimes := h.cfg.runtimes()
	var events []Event
	// Texts for an index are tried until the bad one is found. Who was at work
	// beside them, or came back after the last death, is not to blame for theirs.
	index := slices.ContainsFunc(working, func(w atWork) bool { return w.index })
	for _, w := range working {
		m, was := w.model, w.model.ladder.rung
		if index && !w.index {
			continue
		}
		death := fall{at: h.cfg.Now(), alone: len(working) == 1, index: w.index}
		if m.ladder.fell(death, s.why, useful(m.spec, len(runtimes)-h.runtime)) {
			m.parked = parkedSentence(m.name(), m.ladder.held(), s.why)
			m.info.Roles = h.rolesOf(m)
			events = append(events, Event{Kind: EventParked, Sentence: m.parked, Info: m.info})
		} else if m.ladder.rung != was {
			events = append(events, Event{Kind: EventLowered, Sentence: m.name() + ": " + m.ladder.rung.sentence()})
		}
		if was < rungOther && m.ladder.rung == rungOther && h.runtime < len(runtimes)-1 {
			h.runtime++
		}
	}
	h.mu.Unlock()
	h.tell(EventDied, fmt.Sprintf("The model worker ended: %s. It is started again when it is needed.", s.why))
	for _, e := range events {
		h.notify(e)
	}
}

func parkedSentence(name string, deaths int, why class) string {
	return fmt.Sprintf("%s ended the model worker %d times within %d minutes and was put aside. The last time, %s. Load it again to try once more, or choose a smaller model.",
		name, deaths, int(restartWindow.Minutes()), why)
}

func (h *Host) tell(kind EventKind, sentence string) { h.notify(Event{Kind: kind, Sentence: sentence}) }

func (h *Host) notify(e Event) {
	if h.cfg.Notify == nil {
		return
	}
	h.notice.Lock()
	defer h.notice.Unlock()
	h.cfg.Notify(e)
}

// Restart ends the worker and lets the next one use other runtimes, in the order
// of trial; none: the same as before. The models are loaded again; a reply in
// progress goes on there.
func (h *Host) Restart(ctx context.Context, runtimes ...Runtime) error {
	give, err := h.take(ctx)
	if err != nil {
		return err
	}
	h.find()
	h.mu.Lock()
	h.choose(runtimes)
	s := h.current
	for _, m := range h.roles {
		m.ladder, m.parked = ladder{}, ""
	}
	h.mu.Unlock()
	if s != nil {
		s.expect()
		s.child.Kill()
		<-s.dead
	}
	give()
	h.reloadRest()
	return nil
}

// Runtime returns the folder that the running worker uses, or the next one will.
func (h *Host) Runtime() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cfg.runtimes()[h.runtime].Dir
}

// PID returns the process id of the running worker, 0 without one.
func (h *Host) PID() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.current == nil || !h.current.alive() {
		return 0
	}
	return h.current.child.PID()
}

// Close ends the worker and waits for everything that was started.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closed = true
	s := h.current
	h.mu.Unlock()
	if s != nil {
		s.child.CloseSend()
		timer := time.NewTimer(2 * farewell)
		defer timer.Stop()
		select {
		case <-s.dead:
		case <-timer.C:
		}
	}
	h.end() // kills what did not end by itself
	h.turn <- struct{}{}
	defer func() { <-h.turn }()
	h.work.Wait()
	return nil
}
