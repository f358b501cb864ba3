package app

import (
	"context"
	"fmt"
	"slices"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/runtime"
	"referent/rag"
)

// Models implements UseCases.
func (a *App) Models(context.Context) (Models, error) {
	m := Models{Runtime: RuntimeState{Devices: []string{}}}
	for _, role := range inference.Roles() {
		m.Roles = append(m.Roles, a.roles.get(role))
	}
	for _, e := range catalogue.All() {
		row := CatalogueRow{ID: e.ID, Name: e.Name, SizeBytes: e.Size(), Licence: e.Licence}
		for _, role := range e.Roles {
			row.Roles = append(row.Roles, string(role))
		}
		_, row.Installed = a.roles.find(e)
		if e.MemoryGiB > 0 {
			row.Fits = Optional(fmt.Sprintf("Runs well with %d GiB of memory.", e.MemoryGiB))
		}
		m.Catalogue = append(m.Catalogue, row)
	}
	slices.SortStableFunc(m.Catalogue, func(a, b CatalogueRow) int {
		switch {
		case a.Installed == b.Installed:
			return 0
		case a.Installed:
			return -1
		}
		return 1
	})
	found, err := runtime.Find(a.config.CacheDir)
	if len(found) > 0 {
		m.Runtime.Name, m.Runtime.Folder = found[0].Name, found[0].Dir
	}
	if err != nil {
		m.Runtime.Reason = Optional(modelSentence(err))
	}
	for _, info := range a.host.Loaded() {
		if info.Device != "" && !slices.Contains(m.Runtime.Devices, info.Device) {
			m.Runtime.Devices = append(m.Runtime.Devices, info.Device)
		}
	}
	return m, nil
}

// LoadModel implements UseCases: the choice is stored, and the model loaded.
func (a *App) LoadModel(ctx context.Context, role, id string) error {
	r := inference.Role(role)
	key, ok := roleKey[r]
	if !ok {
		return &rag.Error{Code: rag.CodeNoModel, Message: fmt.Sprintf("No model can be loaded for the role %q.", role), Hint: "Roles: answer, condense, embed."}
	}
	if e, ok := catalogue.ByID(id); ok && !e.Plays(r) {
		return &rag.Error{Code: rag.CodeNoModel, Message: e.Name + " does not play the role " + role + ".", Hint: "`referent models list` shows the roles of each model."}
	}
	if err := a.SetSettings(ctx, map[string]string{key: id}); err != nil {
		return err
	}
	return asError(ctx, a.roles.ensure(ctx, r))
}

// UnloadModel implements UseCases.
func (a *App) UnloadModel(ctx context.Context, role string) error {
	return asError(ctx, a.roles.reload(ctx, inference.Role(role)))
}
