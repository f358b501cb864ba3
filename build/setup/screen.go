package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// screen prints one line a step, and progress: a bar that moves on a terminal,
// a line every few seconds elsewhere.
type screen struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	bar      bool // a bar stands on the current line
}

// quietFor is the time between two progress lines where there is no terminal.
const quietFor = 5 * time.Second

func newScreen(f *os.File) *screen {
	return &screen{w: f, terminal: isTerminal(f)}
}

// isTerminal tells a terminal from a file, a pipe and the null device, which
// is a character device too.
func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(st, null)
}

func (s *screen) line(name, format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
	fmt.Fprintf(s.w, "%-12s %s\n", name, fmt.Sprintf(format, args...))
}

func (s *screen) wipe() {
	if s.bar {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.bar = false
	}
}

// progress follows one task of a known size. done is called from the watcher's
// goroutine only.
type progress struct {
	s        *screen
	name     string
	what     string
	total    int64 // bytes; 0: not known
	started  time.Time
	at       int64
	shown    time.Time
	baseline int64 // bytes that were there at the start and say nothing about the rate
}

func (s *screen) progress(name, what string, total, already int64) *progress {
	now := time.Now()
	return &progress{s: s, name: name, what: what, total: total, started: now, shown: now, baseline: already}
}

// update shows that done bytes are there.
func (p *progress) update(done int64, now time.Time) {
	p.at = done
	pause := quietFor
	if p.s.terminal {
		pause = 200 * time.Millisecond
	}
	if now.Sub(p.shown) < pause {
		return
	}
	p.shown = now
	text := p.text(now)
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.s.wipe()
	if p.s.terminal {
		fmt.Fprintf(p.s.w, "%-12s %s", p.name, text)
		p.s.bar = true
		return
	}
	fmt.Fprintf(p.s.w, "%-12s %s\n", p.name, text)
}

func (p *progress) text(now time.Time) string {
	seconds := now.Sub(p.started).Seconds()
	rate := float64(p.at-p.baseline) / max(seconds, 0.001)
	if p.total <= 0 {
		if p.at == 0 {
			return fmt.Sprintf("%s, %.0f s", p.what, seconds)
		}
		return fmt.Sprintf("%s: %s, %s/s", p.what, size(p.at), size(int64(rate)))
	}
	share := min(float64(p.at)/float64(p.total), 1)
	text := fmt.Sprintf("%s: %s of %s, %s/s", p.what, size(p.at), size(p.total), size(int64(rate)))
	if rate > 0 {
		left := time.Duration(float64(p.total-p.at) / rate * float64(time.Second))
		text += fmt.Sprintf(", %s left", max(left, 0).Round(time.Second))
	}
	if p.s.terminal {
		full := int(share * 24)
		text = "[" + strings.Repeat("#", full) + strings.Repeat(".", 24-full) + "] " + text
	}
	return text
}

// size writes bytes in decimal units.
func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.0f kB", float64(n)/1e3)
}
