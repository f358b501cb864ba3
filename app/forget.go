package app

import (
	"context"
	"path/filepath"

	"referent/rag/lab"
)

// forget erases what old turns, own tests and their runs have stored of documents
// that have left the library. The lab goes first: which replies rest on them is
// known from the turns.
func (a *App) forget(ctx context.Context, documents []int64) error {
	var replies []string
	for _, id := range documents {
		answers, err := a.chats.AnswersFrom(ctx, id)
		if err != nil {
			return err
		}
		replies = append(replies, answers...)
	}
	if err := a.forgetTests(ctx, documents, replies); err != nil {
		return err
	}
	for _, id := range documents {
		if err := a.chats.ForgetDocument(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// forgetTests does so for own tests, those that were deleted and could come back,
// and their runs. One that is under way is stopped: its file is written anew.
func (a *App) forgetTests(ctx context.Context, documents []int64, replies []string) error {
	a.bench.mu.Lock()
	row, deleted := a.bench.row, len(a.bench.deleted) > 0
	a.bench.mu.Unlock()
	if row.Personal {
		if err := a.StopEvaluation(ctx, row.ID); err != nil {
			return err
		}
	}
	if tests, err := lab.ReadTests(a.labPath("tests")); err != nil || len(tests) == 0 && !deleted {
		return storageError(err)
	}
	touched := map[string]bool{}
	err := a.changeTests(func(tests []lab.Test) ([]lab.Test, error) {
		lost, err := a.lostPassages(ctx, append(tests[:len(tests):len(tests)], a.bench.deleted...))
		if err != nil {
			return nil, err
		}
		f := lab.Forgotten{Documents: documents, Replies: replies, Held: func(hash string) bool { return !lost[hash] }}
		var fromDeleted map[string]bool
		tests, touched = f.Tests(tests)
		a.bench.deleted, fromDeleted = f.Tests(a.bench.deleted)
		for id := range fromDeleted {
			touched[id] = true
		}
		return tests, nil
	})
	if err != nil || len(touched) == 0 {
		return err
	}
	runs, err := filepath.Glob(a.labPath("own", "*.jsonl"))
	if err != nil {
		return err
	}
	for _, path := range runs {
		if err := lab.ForgetSearched(path, touched); err != nil {
			return storageError(err)
		}
	}
	return nil
}
