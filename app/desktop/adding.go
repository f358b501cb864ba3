package desktop

import (
	"context"
	"path/filepath"

	"referent/app"
)

// PlanAdd says what adding paths would cost. Nothing is opened or stored.
func (w *Window) PlanAdd(paths []string, options AddOptions) (app.AddPlan, error) {
	return guard(w, func(ctx context.Context) (app.AddPlan, error) {
		return w.use.PlanAdd(ctx, app.AddRequest{Paths: paths, Collection: options.Collection, Restricted: options.Restricted})
	})
}

// Standing is where one file stands in the library, in a sentence.
type Standing struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	Sentence string `json:"sentence"`
}

// PickWhy asks the person for files and says of each where it stands and why;
// none when the dialog was closed.
func (w *Window) PickWhy() ([]Standing, error) {
	return guard(w, func(ctx context.Context) ([]Standing, error) {
		out := []Standing{}
		paths, err := w.platform.PickFiles(ctx)
		if err != nil {
			return out, err
		}
		for _, path := range paths {
			sentence, err := w.use.WhyIgnored(ctx, path)
			if err != nil {
				return out, err
			}
			out = append(out, Standing{Name: filepath.Base(path), Path: path, Sentence: sentence})
		}
		return out, nil
	})
}
