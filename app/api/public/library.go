package public

import (
	"context"
	"fmt"
	"slices"

	"referent/app"
	"referent/rag"
)

// Collection is a named set of folders and files.
type Collection struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Collections lists the public collections.
func (v *View) Collections(ctx context.Context) ([]Collection, error) {
	found, err := v.use.Collections(ctx)
	if err != nil {
		return nil, err
	}
	out := []Collection{}
	for _, c := range found {
		if c.Label == string(rag.LabelPublic) {
			out = append(out, Collection{ID: c.ID, Name: c.Name})
		}
	}
	return out, nil
}

// checkCollections refuses the names of collections that are not there or that
// are hidden, with one sentence for both.
func (v *View) checkCollections(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	all, err := v.Collections(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(c Collection) bool { return c.Name == name }) {
			return &rag.Error{Code: rag.CodeInvalidFilter, Message: fmt.Sprintf("There is no collection %q.", name), Hint: "List the collections to see which there are."}
		}
	}
	return nil
}

// Status counts what can be found and how far reading is, of public files only.
type Status struct {
	Version      string `json:"version"`
	Documents    int    `json:"documents"`
	Chunks       int    `json:"chunks"`
	VectorsDone  int    `json:"vectors_done"`
	VectorsTotal int    `json:"vectors_total"`
	FilesDone    int    `json:"files_done"`
	FilesTotal   int    `json:"files_total"`
	Paused       bool   `json:"paused"`
}

// Status tells counts only: the file being read may be restricted.
func (v *View) Status(ctx context.Context) (Status, error) {
	version, err := v.use.Version(ctx)
	if err != nil {
		return Status{}, err
	}
	s, err := v.use.Status(ctx)
	if err != nil {
		return Status{}, err
	}
	l, err := v.use.Library(ctx)
	if err != nil {
		return Status{}, err
	}
	out := Status{Version: version.Version, Chunks: s.Index.Chunks, VectorsDone: s.Index.VectorsDone, VectorsTotal: s.Index.VectorsTotal, Paused: l.Progress.Paused}
	for _, status := range rag.FileStatuses() {
		visible, err := v.use.Files(ctx, app.FilesRequest{Label: string(rag.LabelPublic), Status: string(status), Limit: 1})
		if err != nil {
			return Status{}, err
		}
		out.FilesTotal += visible.Total
		if status.Final() {
			out.FilesDone += visible.Total
		}
		if status.Searchable() {
			out.Documents += visible.Total
		}
	}
	return out, nil
}

// Role is the model that plays a role.
type Role struct {
	Role    string       `json:"role"`
	ID      app.Optional `json:"id"`
	Name    app.Optional `json:"name"`
	State   string       `json:"state"`
	Note    app.Optional `json:"note"`
	Context int          `json:"context"`
	Device  app.Optional `json:"device"`
}

// InstalledModel is a model that can be used.
type InstalledModel struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Roles     []string `json:"roles"`
	SizeBytes int64    `json:"size_bytes"`
}

// Models is what plays each role and what is installed.
type Models struct {
	Roles     []Role           `json:"roles"`
	Installed []InstalledModel `json:"installed"`
}

// Models tells about the models.
func (v *View) Models(ctx context.Context) (Models, error) {
	m, err := v.use.Models(ctx)
	if err != nil {
		return Models{}, err
	}
	out := Models{Roles: []Role{}, Installed: []InstalledModel{}}
	for _, r := range m.Roles {
		out.Roles = append(out.Roles, Role{Role: r.Role, ID: r.ID, Name: r.Name, State: r.State, Note: r.Note, Context: r.Context, Device: r.Device})
	}
	for _, c := range m.Catalogue {
		if c.Installed {
			out.Installed = append(out.Installed, InstalledModel{ID: c.ID, Name: c.Name, Roles: append([]string{}, c.Roles...), SizeBytes: c.SizeBytes})
		}
	}
	return out, nil
}

// Embed gives vectors of texts of the caller.
func (v *View) Embed(ctx context.Context, visit *Visit, req app.EmbedRequest) (app.Embeddings, error) {
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return app.Embeddings{}, err
	}
	defer leave()
	return v.use.Embed(ctx, req)
}

// Rerank judges texts of the caller.
func (v *View) Rerank(ctx context.Context, visit *Visit, req app.RerankRequest) (app.Ranking, error) {
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return app.Ranking{}, err
	}
	defer leave()
	return v.use.Rerank(ctx, req)
}
