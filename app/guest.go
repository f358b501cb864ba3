package app

import (
	"context"
	"slices"
	"sync"
)

// Call is one call of another program: who asked, for what, and what it got.
// It holds no text of questions, documents or answers.
type Call struct {
	At         string   `json:"at"`     // RFC 3339
	Client     string   `json:"client"` // as it names itself
	Via        string   `json:"via"`    // api | openai | mcp
	Route      string   `json:"route"`
	Status     int      `json:"status"` // of HTTP
	Code       Optional `json:"code"`   // of the error
	Documents  []int64  `json:"documents"`
	Passages   int      `json:"passages"`
	DurationMS float64  `json:"duration_ms"`
}

// callsKept bounds the list of calls; it lives in memory only.
const callsKept = 500

// callLog is the newest calls, oldest first.
type callLog struct {
	mu    sync.Mutex
	calls []Call
}

// NoteCall implements UseCases.
func (a *App) NoteCall(_ context.Context, c Call) error {
	l := &a.guests
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.calls) >= callsKept {
		l.calls = slices.Delete(l.calls, 0, len(l.calls)-callsKept+1)
	}
	l.calls = append(l.calls, c)
	return nil
}

// Calls implements UseCases.
func (a *App) Calls(context.Context) ([]Call, error) {
	a.guests.mu.Lock()
	defer a.guests.mu.Unlock()
	out := append([]Call{}, a.guests.calls...)
	slices.Reverse(out)
	return out, nil
}

// RotateToken implements UseCases.
func (a *App) RotateToken(context.Context) error {
	_, err := NewToken(a.config.DataDir)
	return err
}

// Labels implements UseCases.
func (a *App) Labels(ctx context.Context, documents []int64) (map[int64]string, error) {
	found, err := a.index.Labels(ctx, documents)
	if err != nil {
		return nil, storageError(err)
	}
	out := make(map[int64]string, len(found))
	for id, d := range found {
		out[id] = d.Label
	}
	return out, nil
}
