package library

import (
	"context"

	"referent/rag/chunk"
	"referent/rag/extract"
)

// SurveyRecut is what reading and cutting the files anew would cost that an
// earlier version of the program has read or cut. Passages are those that they
// have now, of which the unchanged keep their vectors. Nothing is opened for it.
func (l *Library) SurveyRecut(ctx context.Context) (Survey, error) {
	var s Survey
	files, err := l.store.Outdated(ctx, extract.Version, chunk.Version)
	if err != nil || len(files) == 0 {
		return s, err
	}
	rates, err := l.kindRates(ctx)
	if err != nil {
		return s, err
	}
	pages := 0.0
	for _, f := range files {
		p, _, seconds := rates.cost(f.Kind, f.Size)
		s.Files++
		s.Bytes += f.Size
		s.Passages += f.Chunks
		s.Seconds += seconds
		pages += p
	}
	s.Pages = int(pages + 0.5)
	return s, nil
}

// Recut puts these files into the queue and returns how many. It is never done
// unasked: what an earlier version has made can be searched as it is, also while
// the new version is being made.
func (l *Library) Recut(ctx context.Context) (int, error) {
	files, err := l.store.Outdated(ctx, extract.Version, chunk.Version)
	if err != nil {
		return 0, err
	}
	for i, f := range files {
		if err := l.store.Requeue(ctx, f.Document); err != nil {
			return i, err
		}
	}
	if len(files) > 0 {
		l.changed(Event{Kind: EventProgress})
		l.work.raise()
	}
	return len(files), nil
}
