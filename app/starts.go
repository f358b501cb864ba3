package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"referent/storage"
)

const (
	// safeAfter starts in a row that did not last make the next one careful.
	safeAfter = 3
	// startLasts is how long a window must live for its start to count as good.
	startLasts = time.Minute
)

const safeSentence = "Referent ended unexpectedly %d times in a row, so it started carefully: no model is loaded ahead and reading is paused. Ask or resume reading when you like."

// beginStart counts this start in the file "starts" until endStart removes it,
// and tells how many in a row ended before they lasted. A file that cannot be
// read or written counts nothing: it must never keep the window from opening.
func beginStart(dir string) (failed int) {
	path := filepath.Join(dir, "starts")
	if body, err := os.ReadFile(path); err == nil {
		if n, err := strconv.Atoi(strings.TrimSpace(string(body))); err == nil && n > 0 {
			failed = n
		}
	}
	_ = os.WriteFile(path, fmt.Appendln(nil, failed+1), storage.FileMode)
	return failed
}

func endStart(dir string) error {
	err := os.Remove(filepath.Join(dir, "starts"))
	if os.IsNotExist(err) {
		return nil
	}
	return storage.Explain(err)
}

// startWindow begins a window's work: the library is watched and models are
// loaded ahead, unless the last starts went wrong.
func (a *App) startWindow(failed int) error {
	careful := failed >= safeAfter
	if careful {
		a.library.Pause()
		a.mu.Lock()
		a.events = append(a.events, StatusNote{Kind: "warn", Sentence: fmt.Sprintf(safeSentence, failed)})
		a.mu.Unlock()
	}
	if err := a.startLibrary(a.ctx); err != nil {
		return err
	}
	if !careful {
		a.wait.Go(a.loadAhead)
		a.wait.Go(a.resumeEmbedder)
	}
	a.wait.Go(func() {
		good := time.NewTimer(startLasts)
		defer good.Stop()
		select {
		case <-a.ctx.Done():
		case <-good.C:
			if err := endStart(a.config.DataDir); err != nil {
				a.config.Log("starts: " + err.Error())
			}
		}
	})
	return nil
}
