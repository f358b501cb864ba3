package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"referent/inference"
	"referent/inference/process"
)

// helloWithin is how long a child may take to introduce itself: a virus scanner
// may look at the executable first.
const helloWithin = 90 * time.Second

// session is the life of one worker.
type session struct {
	child  *process.Child
	hang   time.Duration
	onFall func(*session, []atWork) // called once, before dead is closed; death and why are known
	hello  chan hello               // capacity 1
	dead   chan struct{}
	death  process.Death // valid once dead is closed
	why    class         // likewise

	mu       sync.Mutex
	calls    map[uint64]*call // waiting for a last frame, abandoned ones too
	next     uint64
	expected bool      // its end is nobody's fault
	activity time.Time // of the last frame, or of the first call after a rest
}

// diedError says that a session ended under a call.
type diedError struct{ session *session }

func (e *diedError) Error() string { return "the session ended" }

// open starts a worker and waits until it has introduced itself. life ends it.
func open(ctx, life context.Context, cfg Config, from Runtime, work *sync.WaitGroup, onFall func(*session, []atWork)) (*session, error) {
	dir, err := cfg.folder()
	if err != nil {
		return nil, fmt.Errorf("make the worker's folder: %w", err)
	}
	cfg.RuntimeDir, cfg.RuntimeHash = from.Dir, from.Hash
	child, err := process.Spawn(life, process.Spec{
		Role: RoleName, Args: []string{cfg.argument()}, Env: cfg.environment(), Dir: dir, Exe: cfg.Exe,
	})
	if err != nil {
		return nil, fmt.Errorf("start the worker: %w", err)
	}
	s := &session{child: child, hang: cfg.HangAfter, onFall: onFall, hello: make(chan hello, 1), dead: make(chan struct{}), calls: map[uint64]*call{}}
	work.Go(s.read)
	work.Go(s.guard)
	if err := s.greet(ctx, cfg); err != nil {
		s.expect()
		child.Kill()
		<-s.dead
		return nil, err
	}
	return s, nil
}

func (s *session) greet(ctx context.Context, cfg Config) error {
	timer := time.NewTimer(helloWithin)
	defer timer.Stop()
	select {
	case h := <-s.hello:
		switch {
		case h.Error != nil:
			return h.Error.err()
		case h.Protocol != protocolVersion:
			return fmt.Errorf("the worker speaks version %d of the protocol, this program %d", h.Protocol, protocolVersion)
		case cfg.RuntimeHash != "" && h.RuntimeHash != "" && h.RuntimeHash != cfg.RuntimeHash:
			return &inference.Error{Kind: inference.ErrNoRuntime,
				Message: "The runtime's files changed while the program was running. Start the program again, or install the runtime anew."}
		}
		return nil
	case <-s.dead:
		return &diedError{s}
	case <-timer.C:
		s.child.KillAs(process.DeathHang)
		<-s.dead
		return &diedError{s}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// expect says that the session is about to end on purpose.
func (s *session) expect() {
	s.mu.Lock()
	s.expected = true
	s.mu.Unlock()
}

func (s *session) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.expected
}

// alive tells whether the worker has not been seen to end.
func (s *session) alive() bool {
	select {
	case <-s.dead:
		return false
	default:
		return true
	}
}

func (s *session) start(kind byte, body any, m *model) (*call, error) {
	s.mu.Lock()
	s.next++
	c := &call{id: s.next, model: m, index: forIndex(body), wake: make(chan struct{}, 1)}
	if len(s.calls) == 0 {
		s.activity = time.Now()
	}
	s.calls[c.id] = c
	s.mu.Unlock()
	err := s.child.Send(kind, encode(c.id, body))
	if errors.Is(err, process.ErrFrameTooLarge) {
		s.forget(c.id)
		return nil, &inference.Error{Kind: inference.ErrContextOverflow, Message: "The text is too long for the model.", Cause: err}
	}
	return c, nil // any other error is the worker's death, which the caller sees next
}

func (s *session) forget(id uint64) *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[id]
	delete(s.calls, id)
	return c
}

// read hands frames to their calls until the pipe ends, and then buries the
// child.
func (s *session) read() {
	err := s.receive()
	if errors.Is(err, process.ErrGarbage) {
		s.child.KillAs(process.DeathGarbage)
	}
	_ = s.child.Close(farewell) // how it ended is asked next
	s.death = s.child.Death()
	s.why = classify(s.death)
	if !s.ended() {
		s.onFall(s, s.working())
	}
	close(s.dead)
}

// atWork is a model with calls on their way, and whether texts for an index are
// among them.
type atWork struct {
	model *model
	index bool
}

func (s *session) working() []atWork {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []atWork
	for _, c := range s.calls {
		if c.model == nil {
			continue
		}
		i := slices.IndexFunc(out, func(w atWork) bool { return w.model == c.model })
		if i < 0 {
			i = len(out)
			out = append(out, atWork{model: c.model})
		}
		out[i].index = out[i].index || c.index
	}
	return out
}

// forIndex tells whether a request has texts for an index.
func forIndex(body any) bool {
	r, ok := body.(embedRequest)
	return ok && r.Priority == inference.PriorityIndexing
}

func (s *session) receive() error {
	for first := true; ; first = false {
		kind, payload, err := s.child.Receive()
		if err != nil {
			return err
		}
		if first != (kind == frameHello) {
			return fmt.Errorf("%w: a frame of type %q out of order", process.ErrGarbage, kind)
		}
		if first {
			var h hello
			if err := decode(payload, &h); err != nil {
				return err
			}
			if h.Error != nil {
				s.expect()
			}
			s.hello <- h
			continue
		}
		id, body, err := splitID(payload)
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.activity = time.Now()
		c := s.calls[id]
		if kind == frameDone {
			delete(s.calls, id)
		}
		s.mu.Unlock()
		if c != nil {
			c.push(frame{kind, body})
		}
	}
}
