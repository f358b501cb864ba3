package app

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/rag"
	"referent/rag/extract"
	parse "referent/rag/extract/worker"
	"referent/rag/library"
	"referent/storage/index"
)

// SampleQuestions are offered beside the sample library of the demo.
var SampleQuestions = []string{
	"Which boiler heats Quay House, and when does its heating season begin?",
	"How high is the deposit for a flat?",
	"What does a night in the guest flat of Linden House cost?",
	"Wie werden die Heizkosten verteilt?",
}

// Extractor reads one file; its error is about the reader, never the file.
type Extractor func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error)

// extractOptions says where the PDF reader finds its font and compiled module.
// Pictures are read where the program for it is installed.
func extractOptions(cache string) extract.Options {
	at := places(cache)
	return extract.Options{FontDir: fontFolder(at, cache), PDFCacheDir: filepath.Join(cache, "pdfium"), PDFModules: pdfModules(at[:len(at)-1]), OCR: true}
}

// ExtractFile reads one file in a parse worker, without any data folder.
func ExtractFile(ctx context.Context, path string) (rag.Extraction, error) {
	cache, err := CacheDir()
	if err != nil {
		return rag.Extraction{}, err
	}
	pool := parse.New(parse.Config{})
	ex, err := pool.Extract(ctx, path, extractOptions(cache))
	if ex.Status != "" {
		err = nil // how the worker ended is in the status
	}
	if e := pool.Close(); err == nil {
		err = e
	}
	return ex, err
}

// openLibrary wires the library; it does nothing until startLibrary.
func (a *App) openLibrary() {
	read := a.config.Extract
	if read == nil {
		pool := parse.New(parse.Config{})
		a.close = append(a.close, pool.Close)
		read = func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
			opts := extractOptions(a.config.CacheDir)
			opts.Password, opts.Encoding = file.Password, file.Encoding
			opts.OCR, opts.Archives = a.settings().Bool("ingest.ocr"), a.settings().Bool("ingest.archives")
			ready := func() {}
			opts.Preparing = func() {
				ready()
				ready = a.library.Preparing("The reader of PDF files is being made ready. This happens once and can take a few minutes on a slow computer.")
			}
			opts.Ready = func() { ready() }
			return pool.Extract(ctx, path, opts)
		}
	}
	a.library = library.New(library.Deps{
		Store: a.index, Extract: read, Index: a.segment, Clock: a.config.Clock,
		Embedder: a.embedder, Serves: func() string { return a.segment.Snapshot().Model() }, Passwords: passwords{},
		Battery: func() bool { return a.settings().Bool("ingest.spare_battery") && onBattery(a.config) },
		// Counts are made for the answer model once it is there; they are not
		// worth loading it for.
		Tokenizer: func() (inference.Tokenizer, error) { return a.host.Tokenizer(inference.RoleAnswer) },
		Notify:    func(library.Event) { a.changed() },
		Forget:    a.forget,
	})
	a.close = append(a.close, func() error { a.library.Close(); return nil })
}

func onBattery(c Config) bool {
	if c.Battery != nil {
		return c.Battery()
	}
	return library.OnBattery()
}

// embedder loads the model for a library that reads; one that is only looked at
// gets what is there.
func (a *App) embedder() (inference.Embedder, error) {
	a.mu.Lock()
	reading := a.reading
	a.mu.Unlock()
	if reading {
		if err := a.roles.ensure(a.ctx, inference.RoleEmbed); err != nil {
			return nil, err
		}
	}
	return a.searchEmbedder()
}

// startLibrary begins to watch and read, once.
func (a *App) startLibrary(ctx context.Context) error {
	a.starting.Lock()
	defer a.starting.Unlock()
	a.mu.Lock()
	reading := a.reading
	a.reading = true
	a.mu.Unlock()
	if reading {
		return nil
	}
	return storageError(a.library.Start(ctx))
}

// embedModel is the hash under which vectors are kept; empty without a model.
func (a *App) embedModel() string {
	c, err := a.roles.wanted(inference.RoleEmbed)
	if err != nil {
		if e, ok := catalogue.Starter(inference.RoleEmbed); ok {
			return e.SHA256
		}
		return ""
	}
	return c.entry.SHA256
}

// Add implements UseCases.
func (a *App) Add(ctx context.Context, req AddRequest) (AddResult, error) {
	if err := a.startLibrary(ctx); err != nil {
		return AddResult{}, err
	}
	result := AddResult{Problems: []Problem{}}
	options := library.AddOptions{Collection: strings.Join(strings.Fields(req.Collection), " "), Restricted: req.Restricted, Exclude: req.Exclude, Password: req.Password}
	for _, path := range req.Paths {
		if _, err := a.library.AddFolder(ctx, path, options); err != nil {
			if ctx.Err() != nil {
				return result, ctx.Err()
			}
			result.Problems = append(result.Problems, Problem{Path: path, Sentence: storageError(err).Error()})
			continue
		}
		result.Added++
	}
	a.changed()
	return result, nil
}

// Remove implements UseCases.
func (a *App) Remove(ctx context.Context, req RemoveRequest) error {
	if err := a.startLibrary(ctx); err != nil {
		return err
	}
	for _, path := range req.Paths {
		if err := a.library.Remove(ctx, path, req.Forget); err != nil {
			return storageError(err)
		}
	}
	a.changed()
	return nil
}

// Sync implements UseCases.
func (a *App) Sync(ctx context.Context, progress func(Progress)) error {
	if err := a.startLibrary(ctx); err != nil {
		return err
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	err := a.library.Sync(ctx, func(p library.Progress) { progress(progressOf(p)) })
	return asError(ctx, err)
}

func progressOf(p library.Progress) Progress {
	out := Progress{Done: p.FilesDone, Total: p.FilesTotal, FilesPerMinute: p.FilesPerSecond * 60, RemainingSeconds: p.FilesRemaining.Seconds(), Paused: p.Paused,
		VectorsDone: p.VectorsDone, VectorsTotal: p.VectorsTotal, Sentence: Optional(cmp.Or(p.Trouble, p.Preparing))}
	if p.FilesDone >= p.FilesTotal {
		out.RemainingSeconds = p.VectorsRemaining.Seconds()
		if out.Sentence == "" && p.VectorsDone < p.VectorsTotal {
			out.Sentence = Optional(p.WordsOnly)
		}
	}
	if len(p.Reading) > 0 {
		out.Current = Optional(p.Reading[0])
	}
	return out
}

// SetPaused implements UseCases.
func (a *App) SetPaused(_ context.Context, paused bool) error {
	if paused {
		a.library.Pause()
	} else {
		a.library.Resume()
	}
	return nil
}

// Retry implements UseCases.
func (a *App) Retry(ctx context.Context, path string) error {
	if err := a.startLibrary(ctx); err != nil {
		return err
	}
	return storageError(a.library.Retry(ctx, path))
}

// readAgain puts the files that a changed setting of reading concerns back into
// the queue. Recognition that is turned off takes nothing away.
func (a *App) readAgain(ctx context.Context, key, value string) error {
	var concerns func(index.Document) bool
	switch {
	case key == "ingest.ocr" && value == "true":
		concerns = func(d index.Document) bool {
			return d.Status == string(rag.FileNeedsOCR) || d.Kind == "image" || d.Kind == "pdf" && d.Status == string(rag.FilePartlyIndexed)
		}
	case key == "ingest.archives":
		concerns = func(d index.Document) bool { return d.Kind == "zip" }
	default:
		return nil
	}
	_, err := a.library.ReadAgain(ctx, concerns)
	return storageError(err)
}

// Library implements UseCases.
func (a *App) Library(ctx context.Context) (Library, error) {
	out := Library{Folders: []Folder{}, Collections: []Collection{}}
	collections, err := a.Collections(ctx)
	if err != nil {
		return out, err
	}
	out.Collections = collections
	names := map[int64]string{}
	for _, c := range collections {
		names[c.ID] = c.Name
	}
	status, err := a.library.Status(ctx)
	if err != nil {
		return out, storageError(err)
	}
	out.Progress = progressOf(status.Progress)
	for _, s := range status.Folders {
		out.Folders = append(out.Folders, Folder{ID: s.ID, Path: s.Path, Collection: Optional(names[s.Collection]), Label: s.Label, State: s.State, Reason: Optional(s.Reason),
			Indexed: s.Indexed, Waiting: s.Waiting, Failed: s.Failed, Ignored: s.Ignored, LastChecked: Optional(stamp(s.LastChecked)), SingleFile: s.SingleFile})
	}
	return out, nil
}

func searchable(status string) bool { return rag.FileStatus(status).Searchable() }

// filesShown is a page of the ledger where the request names no size.
const filesShown = 200

// Files implements UseCases.
func (a *App) Files(ctx context.Context, req FilesRequest) (Files, error) {
	if req.Limit <= 0 {
		req.Limit = filesShown
	}
	q := index.DocumentQuery{Folder: req.Folder, Collection: req.Collection, Status: req.Status, Search: req.Search, Label: req.Label, Sort: req.Sort, Limit: req.Limit, Offset: req.Offset}
	found, err := a.library.Files(ctx, q)
	if err != nil {
		return Files{}, storageError(err)
	}
	total, err := a.index.CountDocuments(ctx, q)
	if err != nil {
		return Files{}, storageError(err)
	}
	ids := make([]int64, len(found))
	for i, d := range found {
		ids[i] = d.ID
	}
	tags, err := a.index.DocumentTags(ctx, ids)
	if err != nil {
		return Files{}, storageError(err)
	}
	out := Files{Total: total, Files: make([]File, 0, len(found))}
	for _, d := range found {
		f := fileOf(d)
		f.Tags = append([]string{}, tags[d.ID]...)
		out.Files = append(out.Files, f)
	}
	return out, nil
}

// Collections implements UseCases.
func (a *App) Collections(ctx context.Context) ([]Collection, error) {
	found, err := a.index.Collections(ctx)
	if err != nil {
		return nil, storageError(err)
	}
	out := make([]Collection, 0, len(found))
	for _, c := range found {
		out = append(out, Collection{ID: c.ID, Name: c.Name, Label: c.Label})
	}
	return out, nil
}

// CreateCollection implements UseCases. One that exists is returned as it is.
func (a *App) CreateCollection(ctx context.Context, name, label string) (Collection, error) {
	name = strings.Join(strings.Fields(name), " ")
	if name == "" {
		return Collection{}, &rag.Error{Code: rag.CodeInvalidSetting, Message: "A collection needs a name."}
	}
	c, ok, err := a.index.CollectionByName(ctx, name)
	if err == nil && !ok {
		if label == "" {
			label = string(rag.LabelPublic)
		}
		c, err = a.index.CreateCollection(ctx, name, label)
	}
	return Collection{ID: c.ID, Name: c.Name, Label: c.Label}, storageError(err)
}

// collection finds a collection by name.
func (a *App) collection(ctx context.Context, name string) (index.Collection, error) {
	c, ok, err := a.index.CollectionByName(ctx, name)
	if err == nil && !ok {
		return c, &rag.Error{Code: rag.CodeInvalidFilter, Message: fmt.Sprintf("There is no collection %q.", name), Hint: "`referent collections list` shows them."}
	}
	return c, storageError(err)
}

// RenameCollection implements UseCases.
func (a *App) RenameCollection(ctx context.Context, name, to string) error {
	c, err := a.collection(ctx, name)
	if err != nil {
		return err
	}
	return storageError(a.index.RenameCollection(ctx, c.ID, strings.Join(strings.Fields(to), " ")))
}

// DeleteCollection implements UseCases.
func (a *App) DeleteCollection(ctx context.Context, name string) error {
	c, err := a.collection(ctx, name)
	if err != nil {
		return err
	}
	return storageError(a.library.DeleteCollection(ctx, c.ID))
}

// SetClass implements UseCases. path is a file, or a folder: then all files
// below it that are in the library now.
func (a *App) SetClass(ctx context.Context, path, class string) error {
	path = absolute(path)
	n, err := a.library.SetFolderClass(ctx, path, rag.Class(class))
	if err == nil && n == 0 {
		return unknownDocument()
	}
	return storageError(err)
}

func (a *App) document(ctx context.Context, path string) (index.Document, error) {
	path = absolute(path)
	d, ok, err := a.index.DocumentByPath(ctx, path)
	if err == nil && !ok {
		return d, unknownDocument()
	}
	return d, storageError(err)
}

func unknownDocument() error {
	return &rag.Error{Code: rag.CodeUnknownDocument, Message: "This file is not in the library.", Hint: "`referent status --files` lists what is."}
}

// Pin implements UseCases.
func (a *App) Pin(ctx context.Context, chunk int64, pinned bool) error {
	return storageError(a.index.SetChunkPinned(ctx, chunk, pinned))
}

// around is how much text the Reader shows on either side of a passage, in
// code points.
const around = 4000

// Passage implements UseCases.
func (a *App) Passage(ctx context.Context, chunk int64) (Passage, error) {
	found, err := a.index.Chunks(ctx, []int64{chunk})
	if err != nil {
		return Passage{}, storageError(err)
	}
	if len(found) == 0 {
		return Passage{Chunk: chunk, Missing: true}, nil
	}
	c := found[0]
	p := Passage{Chunk: c.ID, Document: c.Document, Title: c.Title, Path: c.Path, Heading: Optional(c.Heading), Locator: rag.ParseLocator(c.Locator), Text: c.Text}
	text, err := a.index.DocumentText(ctx, c.Document)
	if err != nil {
		return p, storageError(err)
	}
	runes := []rune(text)
	start, end := min(c.Offset, len(runes)), min(c.Offset+c.Length, len(runes))
	p.Before = string(runes[max(0, start-around):start])
	p.After = string(runes[end:min(len(runes), end+around)])
	return p, nil
}
