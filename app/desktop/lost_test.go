package desktop

import (
	"context"
	"errors"
	"testing"

	"referent/app"
)

// orphan is use cases whose process ends when the test says so.
type orphan struct {
	cases
	ended chan error
}

func (o *orphan) Watch(ctx context.Context, _ func(app.Notice)) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-o.ended:
		return err
	}
}

func TestWindow_ClosesWhenTheProcessBehindItEnds(t *testing.T) {
	for _, cause := range []error{nil, errors.New("the process has ended")} {
		use := &orphan{ended: make(chan error, 1)}
		w, p := newTestWindow(t, use)
		use.ended <- cause
		w.wait.Wait()
		if !Lost(w) || p.quit != 1 {
			t.Errorf("%v: lost %v, closed %d times", cause, Lost(w), p.quit)
		}
	}
	w, p := newTestWindow(t, &orphan{})
	w.stop() // the person closed it
	if Lost(w) || p.quit != 0 {
		t.Error("a closed window counts as lost")
	}
}
