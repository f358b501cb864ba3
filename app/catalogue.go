package app

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/download"
	"referent/inference/modelfile"
	"referent/inference/offload"
	"referent/inference/runtime"
	"referent/rag"
)

// Models implements UseCases. Installed models come first, then those that run
// best on this machine.
func (a *App) Models(ctx context.Context) (Models, error) {
	m := Models{Runtime: RuntimeState{Devices: []string{}}}
	for _, role := range inference.Roles() {
		m.Roles = append(m.Roles, a.roles.get(role))
	}
	found, err := a.found(ctx)
	devices, memory := a.machine.gpus(ctx, found), runtime.Memory()
	pending, _ := download.Pending(a.ownModels()) // a folder that cannot be read has none
	for _, e := range a.roles.entries() {
		m.Catalogue = append(m.Catalogue, a.row(e, devices, memory, pending))
	}
	for _, u := range pending { // by address, so that they can be gone on with
		if file := filepath.Base(u.Path); !slices.ContainsFunc(m.Catalogue, func(r CatalogueRow) bool { return r.Transfer != nil && r.Transfer.ID == modelfile.ID(file) }) {
			if _, ok := catalogue.ByFile(file); !ok {
				m.Catalogue = append(m.Catalogue, a.row(catalogue.Entry{ID: modelfile.ID(file), Name: file, File: file, Bytes: u.Total, URL: u.URL}, devices, memory, pending))
			}
		}
	}
	slices.SortStableFunc(m.Catalogue, func(a, b CatalogueRow) int {
		if a.Installed != b.Installed {
			if a.Installed {
				return -1
			}
			return 1
		}
		return offload.Class(a.Class).Rank() - offload.Class(b.Class).Rank()
	})
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

// CatalogueFilter chooses rows of the list of models. The zero value takes all.
type CatalogueFilter struct {
	Words string // each must occur in the name, the note, a role, a language or the quantisation; case does not matter
	Role  string // that the model can play
	Fits  bool   // only what this machine can run
}

// Choose returns the rows that a filter takes, in their order.
func (f CatalogueFilter) Choose(rows []CatalogueRow) []CatalogueRow {
	words := strings.Fields(strings.ToLower(f.Words))
	out := []CatalogueRow{}
	for _, r := range rows {
		text := strings.ToLower(strings.Join(append(append([]string{r.ID, r.Name, string(r.Note), r.Quantization, r.Licence}, r.Roles...), r.Languages...), " "))
		missing := slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
		if missing || f.Role != "" && !slices.Contains(r.Roles, f.Role) || f.Fits && offload.Class(r.Class) == offload.TooLarge {
			continue
		}
		out = append(out, r)
	}
	return out
}

// row is a model as the list shows it.
func (a *App) row(e catalogue.Entry, devices []offload.Device, memory int64, pending []download.Unfinished) CatalogueRow {
	row := CatalogueRow{ID: e.ID, Name: e.Name, Roles: []string{}, SizeBytes: e.Size(), Licence: e.Licence, Class: string(judge(devices, memory, e)),
		Quantization: e.Quantization, Context: e.Context, CacheKind: string(e.CacheKind), MemoryGiB: e.MemoryGiB, Languages: append([]string{}, e.Languages...),
		Note: Optional(e.Note), Downloadable: e.Downloadable(), Transfer: a.transfer(e, pending)}
	for _, role := range e.Roles {
		row.Roles = append(row.Roles, string(role))
	}
	if u, err := url.Parse(e.URL); err == nil {
		row.Host = Optional(u.Host)
	}
	path, ok := a.roles.find(e)
	if row.Installed = ok; ok {
		row.Own = filepath.Dir(path) == a.ownModels()
		row.Proof = Optional(modelfile.ProofCatalogue)
		if own, ok := modelfile.ByID(a.ownModels(), e.ID); ok {
			row.Proof = Optional(own.Proof)
		}
	}
	if e.MemoryGiB > 0 {
		row.Fits = Optional(fmt.Sprintf("Runs well with %d GiB of memory.", e.MemoryGiB))
	}
	return row
}

// LoadModel implements UseCases: the choice is stored, and the model loaded.
func (a *App) LoadModel(ctx context.Context, role, id string) error {
	r := inference.Role(role)
	key, ok := roleKey[r]
	if !ok {
		return &rag.Error{Code: rag.CodeNoModel, Message: fmt.Sprintf("No model can be loaded for the role %q.", role), Hint: "Roles: answer, condense, embed, rerank."}
	}
	if e, ok := a.roles.byID(id); ok && !e.Plays(r) {
		return &rag.Error{Code: rag.CodeNoModel, Message: e.Name + " does not play the role " + role + ".", Hint: "`referent models list` shows the roles of each model."}
	}
	if err := a.SetSettings(ctx, map[string]string{key: id}); err != nil {
		return err
	}
	return asError(ctx, a.roles.again(ctx, r))
}

// UnloadModel implements UseCases.
func (a *App) UnloadModel(ctx context.Context, role string) error {
	return asError(ctx, a.roles.reload(ctx, inference.Role(role)))
}
