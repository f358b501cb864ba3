package library

import (
	"sync"
	"time"
)

// patience is how long something may be made ready before anybody is told.
const patience = 2 * time.Second

// Preparing tells that something of the program's own is made ready before a file
// can be read: a sentence, which the progress shows from a moment on until ready is
// called, once or more. It may be called where a file is extracted.
func (l *Library) Preparing(sentence string) (ready func()) {
	done := make(chan struct{})
	fires, stop := l.clock.After(patience)
	l.done.Go(func() {
		defer stop()
		select {
		case <-done:
			return
		case <-fires:
		}
		l.setPreparing(sentence)
		<-done
		l.setPreparing("")
	})
	return sync.OnceFunc(func() { close(done) })
}

func (l *Library) setPreparing(sentence string) {
	l.mu.Lock()
	l.preparing = sentence
	l.mu.Unlock()
	l.changed(Event{Kind: EventProgress, Reason: sentence})
}
