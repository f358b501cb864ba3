package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// watched is a command whose output is kept for the case of failure, while a
// progress line says that it is alive.
type watched struct {
	step, what string
	total      int64        // bytes to come; 0: not known
	have       func() int64 // bytes that are there; nil: only the time is shown
	shared     *progress    // of several commands that make one task; nil: an own one
	dir        string
	env        []string // added to the environment
}

// run runs the command and returns an error with the ends of its output.
func (w watched) run(ctx context.Context, s *site, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), w.env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	already := int64(0)
	if w.have != nil {
		already = w.have()
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s cannot be started: %w", name, err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	p := w.shared
	if p == nil {
		p = s.out.progress(w.step, w.what, w.total, already)
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if err != nil {
				return fmt.Errorf("%s failed: %w\n%s", name, err, excerpt(out.String(), 20))
			}
			return nil
		case now := <-tick.C:
			at := int64(0)
			if w.have != nil {
				at = w.have()
			}
			p.update(at, now)
		}
	}
}

// excerpt keeps the first and the last n lines: npm and apt say what is wrong
// first and what they would have liked last, compilers the other way round.
func excerpt(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) <= 2*n {
		return strings.Join(lines, "\n")
	}
	cut := fmt.Sprintf("… %d lines …", len(lines)-2*n)
	return strings.Join(append(append(lines[:n:n], cut), lines[len(lines)-n:]...), "\n")
}
