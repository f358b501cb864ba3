package library

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// Between two comparisons the pulse tests the watches at next to no cost. The
// time of a folder changes when something in it comes or goes, and then an event
// must have come as well. Where none came by the next beat, the watch is dead:
// its root is compared at once and polled until an event from it comes.

const (
	pulseAge     = time.Minute
	pulseFolders = 256 // looked at in one beat, in no order: in a few beats all of them
)

// pulse is what the beats have seen.
type pulse struct {
	beaten   time.Time
	stamps   map[string]time.Time // of folders, by path
	heard    map[string]bool      // folders of which an event came since the last beat
	suspects map[string]bool      // folders that changed without an event
}

// note remembers that an event came: of a file, or of a folder.
func (p *pulse) note(path string) {
	if p.heard == nil {
		p.heard = map[string]bool{}
	}
	p.heard[path], p.heard[filepath.Dir(path)] = true, true
}

// beat looks at folders and returns those whose watch is dead. Called with the
// watch's lock held.
func (p *pulse) beat(dirs []string) (dead []string) {
	for dir := range p.suspects {
		if !p.heard[dir] {
			dead = append(dead, dir)
		}
	}
	p.suspects = map[string]bool{}
	if p.stamps == nil {
		p.stamps = map[string]time.Time{}
	}
	for _, dir := range dirs[:min(len(dirs), pulseFolders)] {
		info, err := os.Lstat(dir)
		if err != nil {
			delete(p.stamps, dir) // its root is compared when that is known
			continue
		}
		before, known := p.stamps[dir]
		p.stamps[dir] = info.ModTime()
		if known && !before.Equal(info.ModTime()) && !p.heard[dir] {
			p.suspects[dir] = true
		}
	}
	p.heard = map[string]bool{}
	return dead
}

// beat tests the watches when it is time.
func (w *watch) beat(ctx context.Context) error {
	now := w.l.clock.Now()
	w.mu.Lock()
	due := w.notify != nil && now.Sub(w.pulse.beaten) >= pulseAge
	if due {
		w.pulse.beaten = now
	}
	w.mu.Unlock()
	if !due {
		return nil
	}
	dirs := w.watched()
	w.mu.Lock()
	dead := w.pulse.beat(dirs)
	w.mu.Unlock()
	tested := map[int64]bool{}
	for _, dir := range dead {
		for _, r := range w.l.roots.of(dir) {
			if tested[r.ID] || r.State != "watching" {
				continue
			}
			tested[r.ID] = true
			w.mu.Lock()
			w.deaf[r.ID] = true
			w.mu.Unlock()
			if err := w.l.reconcile(ctx, r, r.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// watched lists the folders that should be watched: the roots, and what the
// system says that it watches.
func (w *watch) watched() []string {
	var dirs []string
	for _, r := range w.l.roots.all() {
		if !r.SingleFile && r.State == "watching" {
			dirs = append(dirs, r.Path)
		}
	}
	return append(dirs, w.notify.WatchList()...)
}
