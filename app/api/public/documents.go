package public

import (
	"context"
	"errors"

	"referent/app"
	"referent/rag"
)

// Document is a file of the library.
type Document struct {
	ID      int64          `json:"id"`
	Path    string         `json:"path"`
	Name    string         `json:"name"`
	Title   app.Optional   `json:"title"`
	Kind    app.Optional   `json:"kind"`
	Status  rag.FileStatus `json:"status"`
	Reason  app.Optional   `json:"reason"`
	Size    int64          `json:"size"`
	Pages   int            `json:"pages"`
	Chunks  int            `json:"chunks"`
	Vectors int            `json:"vectors"`
	Class   string         `json:"class"`
	Tags    []string       `json:"tags"`
	Updated string         `json:"updated"`
}

// Documents is a page of the list.
type Documents struct {
	Total     int        `json:"total"`
	Documents []Document `json:"documents"`
}

// DocumentsQuery narrows the list. Limit 0 is 200.
type DocumentsQuery struct {
	Status, Search, Sort string
	Offset, Limit        int
}

func document(f app.File) Document {
	return Document{ID: f.ID, Path: f.Path, Name: f.Name, Title: f.Title, Kind: f.Kind, Status: f.Status, Reason: f.Reason, Size: f.Size, Pages: f.Pages,
		Chunks: f.Chunks, Vectors: f.Vectors, Class: f.Class, Tags: append([]string{}, f.Tags...), Updated: f.Updated}
}

// Documents lists the public files.
func (v *View) Documents(ctx context.Context, visit *Visit, q DocumentsQuery) (Documents, error) {
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return Documents{}, err
	}
	defer leave()
	found, err := v.use.Files(ctx, app.FilesRequest{Label: string(rag.LabelPublic), Status: q.Status, Search: q.Search, Sort: q.Sort, Offset: q.Offset, Limit: q.Limit})
	if err != nil {
		return Documents{}, err
	}
	out := Documents{Total: found.Total, Documents: []Document{}}
	for _, f := range found.Files {
		if f.Label == string(rag.LabelPublic) {
			out.Documents = append(out.Documents, document(f))
		}
	}
	return out, nil
}

// Document tells the status of one file.
func (v *View) Document(ctx context.Context, visit *Visit, id int64) (Document, error) {
	text, err := v.read(ctx, visit, id)
	if err != nil {
		return Document{}, err
	}
	found, err := v.use.Files(ctx, app.FilesRequest{Label: string(rag.LabelPublic), Search: text.Path})
	if err != nil {
		return Document{}, err
	}
	for _, f := range found.Files {
		if f.ID == id {
			return document(f), nil
		}
	}
	return Document{}, unknownDocument()
}

// Tags are what a caller gives a file.
type Tags struct {
	Tags []string `json:"tags"`
}

// SetTags gives a file exactly these tags.
func (v *View) SetTags(ctx context.Context, visit *Visit, id int64, tags Tags) (Document, error) {
	text, err := v.read(ctx, visit, id)
	if err != nil {
		return Document{}, err
	}
	if err := v.use.SetTags(ctx, app.TagsChange{Path: text.Path, Tags: tags.Tags}); err != nil {
		return Document{}, hideUnknown(err)
	}
	return v.Document(ctx, visit, id)
}

// Text is what was read from a file, normalised.
type Text struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	Path  string `json:"path"`
	Kind  string `json:"kind"`
	Pages int    `json:"pages"`
	Text  string `json:"text"`
}

// DocumentText returns the text of a file.
func (v *View) DocumentText(ctx context.Context, visit *Visit, id int64) (Text, error) {
	t, err := v.read(ctx, visit, id)
	if err != nil {
		return Text{}, err
	}
	visit.gave(0, id)
	return Text{ID: id, Title: t.Title, Path: t.Path, Kind: t.Kind, Pages: t.Pages, Text: t.Text}, nil
}

// read reads a document and then asks for its label, so that text from before a
// restriction is given only when the restriction came after it was read.
func (v *View) read(ctx context.Context, visit *Visit, id int64) (app.DocumentText, error) {
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return app.DocumentText{}, err
	}
	defer leave()
	t, err := v.use.DocumentText(ctx, id)
	if err != nil {
		return t, hideUnknown(err)
	}
	ok, err := v.public(ctx, id)
	if err == nil && !ok[id] {
		err = unknownDocument()
	}
	return t, err
}

// Passage is a chunk with the text around it.
type Passage struct {
	Chunk    int64        `json:"chunk"`
	Document int64        `json:"document"`
	Title    string       `json:"title"`
	Path     string       `json:"path"`
	Heading  app.Optional `json:"heading"`
	Locator  rag.Locator  `json:"locator"`
	Before   string       `json:"before"`
	Text     string       `json:"text"`
	After    string       `json:"after"`
}

// Passage opens a passage.
func (v *View) Passage(ctx context.Context, visit *Visit, chunk int64) (Passage, error) {
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return Passage{}, err
	}
	defer leave()
	p, err := v.use.Passage(ctx, chunk)
	if err != nil {
		return Passage{}, hideUnknown(err)
	}
	if p.Missing {
		return Passage{}, unknownDocument()
	}
	ok, err := v.public(ctx, p.Document)
	if err != nil {
		return Passage{}, err
	}
	if !ok[p.Document] {
		return Passage{}, unknownDocument()
	}
	visit.gave(1, p.Document)
	return Passage{Chunk: p.Chunk, Document: p.Document, Title: p.Title, Path: p.Path, Heading: p.Heading, Locator: p.Locator, Before: p.Before, Text: p.Text, After: p.After}, nil
}

// hideUnknown gives one sentence for every way of not being there.
func hideUnknown(err error) error {
	if errors.Is(err, &rag.Error{Code: rag.CodeUnknownDocument}) {
		return unknownDocument()
	}
	return err
}

// Add adds folders and files. What is restricted stays so: adding takes nothing
// away.
func (v *View) Add(ctx context.Context, visit *Visit, req app.AddRequest) (app.AddResult, error) {
	leave, err := v.reads.Enter(ctx, visit.Client)
	if err != nil {
		return app.AddResult{}, err
	}
	defer leave()
	return v.use.Add(ctx, req)
}
