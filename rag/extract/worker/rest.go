package worker

import (
	"slices"
	"time"

	"referent/inference/process"
)

// take gives a resting worker that still lives, or starts one.
func (p *Pool) take() (*process.Child, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		r := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		r.timer.Stop() // a timer that has run out finds nothing to retire
		select {
		case <-r.child.Exited():
			p.end(r.child)
		default:
			return r.child, nil
		}
	}
	if p.closed {
		return nil, ErrClosed
	}
	// The pool's context, not the call's: a worker outlives the file.
	return process.Spawn(p.ctx, process.Spec{
		Role: p.config.Role, Env: p.config.Env, Exe: p.config.Exe, MemoryLimit: p.config.MemoryLimit,
	})
}

// rest keeps a worker for the next file until its idle time is over.
func (p *Pool) rest(child *process.Child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if bytes, ok := child.Resident(); p.closed || ok && bytes > heavy {
		p.end(child)
		return
	}
	r := &resting{child: child}
	r.timer = time.AfterFunc(p.config.Idle, func() { p.retire(r) })
	p.idle = append(p.idle, r)
}

// retire ends a worker that has rested for its whole idle time, unless it has
// been taken or ended meanwhile.
func (p *Pool) retire(r *resting) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.idle, r); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		p.end(r.child)
	}
}

// end asks a worker to end, and waits for it elsewhere; Close waits for all.
func (p *Pool) end(child *process.Child) {
	p.ending.Add(1)
	go func() {
		defer p.ending.Done()
		_ = child.Close(grace) // how it ended is told by its Death
	}()
}

// Close ends all workers and waits for them. Files being read end with
// ErrClosed.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	p.stop()
	idle := p.idle
	p.idle = nil
	for _, r := range idle {
		r.timer.Stop()
		p.end(r.child)
	}
	p.mu.Unlock()
	// Every file being read gives its slot back.
	for range p.config.Workers {
		p.slots <- struct{}{}
	}
	p.ending.Wait()
	return nil
}
