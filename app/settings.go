package app

import (
	"context"
	"maps"
	"slices"

	"referent/app/setting"
	"referent/inference"
)

// Settings implements UseCases.
func (a *App) Settings(context.Context) ([]Setting, error) {
	var out []Setting
	for _, r := range a.settings().List() {
		out = append(out, Setting{Key: r.Key, Type: string(r.Type), Value: r.Value, Default: r.Default, Options: append([]string{}, r.Options...), Min: r.Min,
			Max: r.Max, Auto: r.Auto, Unit: Optional(r.Unit), Group: r.Group, Label: r.Label, Help: r.Help, Scope: string(r.Scope), Source: string(r.Source),
			Environment: Optional(r.Environment), Notice: Optional(r.Notice)})
	}
	return out, nil
}

// SetSettings implements UseCases.
func (a *App) SetSettings(ctx context.Context, change map[string]string) error {
	canonical, err := setting.ValidateAll(change)
	if err != nil {
		return err
	}
	if err := a.chats.SetSettings(ctx, canonical); err != nil {
		return storageError(err)
	}
	return a.apply(ctx, slices.Collect(maps.Keys(canonical)))
}

// ResetSetting implements UseCases.
func (a *App) ResetSetting(ctx context.Context, key string) error {
	if _, ok := setting.Lookup(key); !ok {
		_, err := setting.Validate(key, "")
		return err
	}
	if err := a.chats.ResetSetting(ctx, key); err != nil {
		return storageError(err)
	}
	return a.apply(ctx, []string{key})
}

// apply puts the stored values in force and frees the models that they concern.
func (a *App) apply(ctx context.Context, keys []string) error {
	stored, err := a.chats.Settings(ctx)
	if err != nil {
		return storageError(err)
	}
	next := setting.Resolve(stored, nil)
	a.mu.Lock()
	before := a.values
	a.values = next
	a.mu.Unlock()
	var reload []inference.Role
	model := a.embedModel()
	if slices.ContainsFunc(embedderKeys, func(key string) bool { return before.Text(key) != next.Text(key) }) {
		if err := a.embedderChanged(ctx); err != nil {
			return err
		}
	}
	if a.embedModel() != model {
		reload = append(reload, inference.RoleEmbed)
	}
	for _, key := range keys {
		if before.Text(key) == next.Text(key) {
			continue
		}
		switch key {
		case "model.answer", "model.condense", "model.context", "model.gpu_layers":
			reload = append(reload, inference.RoleAnswer, inference.RoleCondense)
		case "model.threads":
			reload = append(reload, inference.RoleAnswer, inference.RoleCondense, inference.RoleEmbed)
		case "model.condense_layers":
			reload = append(reload, inference.RoleCondense)
		case "model.embed_layers":
			reload = append(reload, inference.RoleEmbed)
		case "model.rerank", "model.rerank_layers":
			reload = append(reload, inference.RoleRerank)
		}
		reload = append(reload, remoteRoles(key)...)
		if err := a.readAgain(ctx, key, next.Text(key)); err != nil {
			return err
		}
	}
	if before.Text("model.runtime") != next.Text("model.runtime") {
		if err := a.switchRuntime(ctx, before); err != nil {
			return err
		}
	}
	a.changed()
	if len(reload) == 0 {
		return nil
	}
	slices.Sort(reload)
	if err := a.roles.reload(ctx, slices.Compact(reload)...); err != nil {
		return err
	}
	if a.config.Window {
		a.wait.Go(a.loadAhead)
	}
	return nil
}
