package app

import (
	"context"
	"time"

	"referent/inference"
)

// noticePause is the least time between two notices of the library: at most
// four a second.
const noticePause = 250 * time.Millisecond

// noticer gathers the state and hands it to the watchers, after a change and
// while files are being read. With no watcher it gathers nothing.
type noticer struct {
	changed chan struct{} // holds one token
	ended   chan struct{}
	quit    context.CancelFunc
}

func (n *noticer) start(a *App) {
	ctx, cancel := context.WithCancel(a.ctx)
	n.changed, n.ended, n.quit = make(chan struct{}, 1), make(chan struct{}), cancel
	go func() {
		defer close(n.ended)
		pause := time.NewTimer(0)
		defer pause.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-n.changed:
			}
			if a.hub.count() > 0 && a.library != nil {
				if l, err := a.Library(ctx); err == nil {
					a.hub.send(Notice{Library: &l})
				}
				if s, err := a.Status(ctx); err == nil {
					a.hub.send(Notice{Status: &s})
				}
			}
			pause.Reset(noticePause)
			select {
			case <-ctx.Done():
				return
			case <-pause.C:
			}
		}
	}()
}

func (n *noticer) stop() error {
	n.quit()
	<-n.ended
	return nil
}

// wake asks for a round; it never blocks.
func (n *noticer) wake() {
	select {
	case n.changed <- struct{}{}:
	default: // a round is due already
	}
}

// Status implements UseCases.
func (a *App) Status(ctx context.Context) (Status, error) {
	s := Status{Answer: a.roles.get(inference.RoleAnswer), Condense: a.roles.get(inference.RoleCondense), Embed: a.roles.get(inference.RoleEmbed),
		Outbound: a.dialer.Counts().Open, Notices: []StatusNote{}}
	a.mu.Lock()
	s.TokensPerSecond = a.rate
	s.Notices = append(s.Notices, a.events...)
	values := a.values
	a.mu.Unlock()
	for _, sentence := range values.Notices() {
		s.Notices = append(s.Notices, StatusNote{Kind: "warn", Sentence: sentence})
	}
	if a.noReranker(values) {
		s.Notices = append(s.Notices, StatusNote{Kind: "warn", Sentence: rerankerMissing})
	}
	snapshot := a.segment.Snapshot()
	s.Index.Chunks = snapshot.Chunks()
	counts, err := a.index.CountsByStatus(ctx, 0)
	if err != nil {
		return s, storageError(err)
	}
	for status, n := range counts {
		if searchable(status) {
			s.Index.Documents += n
		}
	}
	if s.Index.VectorsDone, s.Index.VectorsTotal, err = a.index.VectorProgress(ctx, a.embedModel()); err != nil {
		return s, storageError(err)
	}
	return s, nil
}
