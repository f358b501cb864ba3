package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"referent/app"
)

func itoa(n int) string { return strconv.Itoa(n) }

// mustExist refuses paths that are not there before anything is opened.
func mustExist(paths []string) error {
	for _, p := range paths {
		if strings.HasPrefix(p, "file://") {
			continue // the library reads it as an address
		}
		if _, err := os.Stat(p); err != nil {
			return fileProblem(p, err)
		}
	}
	return nil
}

// fromHere are paths as this terminal means them: the owner of the data folder may
// be a process in another folder. Addresses of files stay.
func fromHere(paths ...string) ([]string, error) {
	out := make([]string, len(paths))
	for i, p := range paths {
		if p == "" {
			return nil, wrongUsage("A path is empty.")
		}
		out[i] = p
		if !strings.HasPrefix(p, "file://") {
			abs, err := filepath.Abs(p)
			if err != nil {
				return nil, fileProblem(p, err)
			}
			out[i] = abs
		}
	}
	return out, nil
}

// addAndSync adds paths and waits until they are read, with progress on stderr.
func (t *terminal) addAndSync(ctx context.Context, use app.UseCases, req app.AddRequest) error {
	var err error
	if req.Paths, err = fromHere(req.Paths...); err != nil {
		return err
	}
	result, err := use.Add(ctx, req)
	if err != nil {
		return err
	}
	for _, p := range result.Problems {
		t.note("%s: %s", p.Path, p.Sentence)
	}
	if result.Added == 0 && len(result.Problems) > 0 {
		return fmt.Errorf("nothing was added: %s", result.Problems[0].Sentence)
	}
	return t.syncWithProgress(ctx, use)
}

// syncWithProgress waits for the library: a bar on a terminal, a line every few
// seconds elsewhere.
func (t *terminal) syncWithProgress(ctx context.Context, use app.UseCases) error {
	t.stopped = "What was read is kept; `referent sync` goes on."
	every := 3 * time.Second
	if t.Terminal {
		every = 200 * time.Millisecond
	}
	var last time.Time
	drawn := false
	err := use.Sync(ctx, func(p app.Progress) {
		if t.quiet || time.Since(last) < every {
			return
		}
		last = time.Now()
		if t.Terminal {
			_, _ = fmt.Fprintf(t.Stderr, "\r\x1b[K%s %s", bar(p, 24), progressSentence(p))
			drawn = true
			return
		}
		_, _ = fmt.Fprintln(t.Stderr, progressSentence(p))
	})
	if drawn {
		_, _ = fmt.Fprint(t.Stderr, "\r\x1b[K")
	}
	return err
}

func bar(p app.Progress, width int) string {
	done, total := p.Done, p.Total
	if done == total {
		done, total = p.VectorsDone, p.VectorsTotal
	}
	filled := 0
	if total > 0 {
		filled = min(width, width*done/total)
	}
	return "[" + strings.Repeat("█", filled) + strings.Repeat("·", width-filled) + "]"
}

func progressSentence(p app.Progress) string {
	if p.Sentence != "" {
		return string(p.Sentence)
	}
	var s string
	if p.Done < p.Total || p.VectorsTotal == 0 {
		s = fmt.Sprintf("Indexing %d of %d files.", p.Done, p.Total)
		if p.FilesPerMinute > 0 {
			s += fmt.Sprintf(" %.0f files a minute", p.FilesPerMinute)
		}
	} else {
		s = fmt.Sprintf("Words can be searched. Meaning: %d of %d passages", p.VectorsDone, p.VectorsTotal)
	}
	if p.RemainingSeconds > 0 {
		s += fmt.Sprintf(", about %s left", about(p.RemainingSeconds))
	}
	return strings.TrimSuffix(s, ".") + "."
}

func about(seconds float64) string {
	if seconds < 90 {
		return fmt.Sprintf("%.0f s", max(1, seconds))
	}
	return fmt.Sprintf("%.0f min", seconds/60)
}
