package process

import (
	"bytes"
	"sync"
)

// maxLine cuts what one line may add to the ring.
const maxLine = 400

// ring keeps the last lines that Scrub lets through. It is an io.Writer for the
// error output of a child.
type ring struct {
	mu    sync.Mutex
	limit int
	line  []byte // unfinished
	kept  []byte
}

func newRing(limit int) *ring { return &ring{limit: limit} }

func (r *ring) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		part := p
		if end >= 0 {
			part = p[:end]
		}
		if room := maxLine - len(r.line); len(part) > room {
			part = part[:room]
		}
		r.line = append(r.line, part...)
		if end < 0 {
			break
		}
		r.keep()
		p = p[end+1:]
	}
	return n, nil
}

// flush takes an unfinished last line.
func (r *ring) flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.line) > 0 {
		r.keep()
	}
}

func (r *ring) keep() {
	line, ok := Scrub(string(bytes.TrimRight(r.line, "\r")))
	if ok {
		r.kept = append(append(r.kept, line...), '\n')
		if over := len(r.kept) - r.limit; over > 0 {
			// Whole lines only: the rest of a cut line could not be judged.
			if next := bytes.IndexByte(r.kept[over:], '\n'); next >= 0 {
				r.kept = append(r.kept[:0], r.kept[over+next+1:]...)
			}
		}
	}
	r.line = r.line[:0]
}

// String returns the kept lines, each ended by a line break.
func (r *ring) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.kept)
}
