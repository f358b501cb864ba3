package desktop

import (
	"context"

	"referent/app"
	"referent/app/setting"
)

// Profile is a set of settings that belong together.
type Profile struct {
	Name   string            `json:"name"`
	Values map[string]string `json:"values"`
}

// Profiles lists them, the most cautious first.
func (w *Window) Profiles() ([]Profile, error) {
	return guard(w, func(context.Context) ([]Profile, error) {
		var out []Profile
		for _, p := range setting.Profiles() {
			out = append(out, Profile{Name: p.Name, Values: p.Values})
		}
		return out, nil
	})
}

// UseProfile puts all values of a profile in force and returns the panel.
func (w *Window) UseProfile(name string) ([]app.Setting, error) {
	return guard(w, func(ctx context.Context) ([]app.Setting, error) {
		p, err := setting.FindProfile(name)
		if err != nil {
			return nil, err
		}
		if err := w.use.SetSettings(ctx, p.Values); err != nil {
			return nil, err
		}
		return w.panel(ctx)
	})
}
