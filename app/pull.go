package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/download"
	"referent/inference/gguf"
	"referent/inference/modelfile"
	"referent/rag"
)

// PullRequest asks for a model of the catalogue by ID, or for a file by its
// address. Granted: whoever asks has given the permission for every host that
// the download needs; else each host is asked for (Transfer.Asks).
type PullRequest struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Role    string `json:"role"` // of a file by its address; empty: found out from the file
	Granted bool   `json:"granted"`
}

// Transfer is where a download, a copy or a check stands. Done and Total are
// bytes, Total 0 while unknown; Rate is bytes a second. State is one of asking,
// connecting, resuming, receiving, waiting, verifying, copying, testing, paused,
// done, failed.
type Transfer struct {
	ID               string   `json:"id"`
	State            string   `json:"state"`
	Done             int64    `json:"done"`
	Total            int64    `json:"total"`
	Rate             float64  `json:"rate"`
	RemainingSeconds float64  `json:"remaining_seconds"`
	Asks             Optional `json:"asks"`     // the host that waits for a permission, while asking
	Sentence         Optional `json:"sentence"` // why it waits or failed
}

// transfers are the downloads of this process and their questions.
type transfers struct {
	mu      sync.Mutex
	running map[string]*pull
}

// pull is one download under way.
type pull struct {
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed when it has ended
	tell    func(Transfer)
	granted bool
	telling sync.Mutex // one report at a time

	mu      sync.Mutex
	last    Transfer
	allowed map[string]bool          // by host, what was answered
	waiting map[string]chan struct{} // questions without an answer; closed by the answer
}

var errPaused = errors.New("the download was paused")

// pullKey carries the download that a connection is for to the dialer's question.
type pullKey struct{}

// PullModel implements UseCases.
func (a *App) PullModel(ctx context.Context, req PullRequest, progress func(Transfer)) error {
	want, entry, err := a.wantedFile(req)
	if err != nil {
		return err
	}
	id := entry.ID
	if _, ok := a.roles.find(entry); ok {
		return &rag.Error{Code: rag.CodeNotAvailable, Message: entry.Name + " is installed already.", Hint: "`referent models verify " + id + "` reads it again."}
	}
	if progress == nil {
		progress = func(Transfer) {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := newPull(cancel, progress, req.Granted)
	if !a.transfers.start(id, p) {
		return &rag.Error{Code: rag.CodeNotAvailable, Message: entry.Name + " is being downloaded already.", Hint: "`referent models pause " + id + "` stops that."}
	}
	defer a.changed()
	defer a.transfers.end(id, p)
	d := download.Downloader{Client: a.dialer.Client("download"), Check: gguf.Check}
	res, err := d.Fetch(context.WithValue(ctx, pullKey{}, p), want, func(now download.Progress) { p.report(ofProgress(id, now)) })
	switch {
	case errors.Is(context.Cause(ctx), errPaused):
		p.report(Transfer{ID: id, State: "paused", Done: p.now().Done, Total: p.now().Total})
		return &rag.Error{Code: rag.CodeCancelled, Message: "The download is paused.", Hint: "`referent models pull " + id + "` goes on where it stopped."}
	case err != nil:
		err = asError(ctx, modelFileError(err))
		if ctx.Err() == nil {
			p.report(Transfer{ID: id, State: "failed", Done: p.now().Done, Total: p.now().Total, Sentence: Optional(err.Error())})
		}
		return err
	}
	if err := a.settle(id, entry, req, res); err != nil {
		return asError(ctx, modelFileError(err))
	}
	p.report(Transfer{ID: id, State: "done", Done: res.Bytes, Total: res.Bytes})
	return nil
}

func newPull(cancel context.CancelCauseFunc, tell func(Transfer), granted bool) *pull {
	return &pull{cancel: cancel, done: make(chan struct{}), tell: tell, granted: granted, allowed: map[string]bool{}, waiting: map[string]chan struct{}{}}
}

func ofProgress(id string, now download.Progress) Transfer {
	return Transfer{ID: id, State: string(now.Phase), Done: now.Done, Total: now.Total, Rate: now.Rate, RemainingSeconds: now.Remaining.Seconds(), Sentence: Optional(now.Problem)}
}

// wantedFile turns a request into an address and a place.
func (a *App) wantedFile(req PullRequest) (download.Request, catalogue.Entry, error) {
	if req.URL != "" {
		u, err := url.Parse(req.URL)
		name := ""
		if err == nil {
			name = path.Base(u.Path)
		}
		if err != nil || u.Host == "" || !strings.HasSuffix(strings.ToLower(name), ".gguf") || !plainName(name) {
			return download.Request{}, catalogue.Entry{}, &rag.Error{Code: rag.CodeNotAvailable, Message: "This is no address of a model file.", Hint: "It begins with https:// and ends in .gguf."}
		}
		e := catalogue.Entry{ID: modelfile.ID(name), Name: name, File: name, URL: req.URL}
		return download.Request{URL: req.URL, Path: filepath.Join(a.ownModels(), name)}, e, nil
	}
	e, ok := a.roles.byID(req.ID)
	if !ok {
		e, ok = a.begun(req.ID)
	}
	switch {
	case !ok:
		return download.Request{}, e, &rag.Error{Code: rag.CodeNoModel, Message: fmt.Sprintf("There is no model named %q.", req.ID), Hint: "`referent models list` shows the names."}
	case !e.Downloadable():
		return download.Request{}, e, &rag.Error{Code: rag.CodeNotAvailable, Message: "The catalogue knows no address for " + e.Name + ".",
			Hint: "Download " + e.File + " with a browser and take it with `referent models import FILE --role " + firstRole(e) + "`."}
	}
	return download.Request{URL: e.URL, Path: filepath.Join(a.ownModels(), e.File), Bytes: e.Bytes, SHA256: e.SHA256}, e, nil
}

// plainName tells whether a name from an address is one of a file in the models
// folder on every system: Windows takes \ and : for parts of a path.
func plainName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, `\/:`) && strings.IndexFunc(name, unicode.IsControl) < 0
}

func firstRole(e catalogue.Entry) string {
	if len(e.Roles) == 0 {
		return "ROLE"
	}
	return string(e.Roles[0])
}

// begun finds a download by address that has not ended.
func (a *App) begun(id string) (catalogue.Entry, bool) {
	pending, _ := download.Pending(a.ownModels()) // a folder that cannot be read has none
	for _, u := range pending {
		if file := filepath.Base(u.Path); modelfile.ID(file) == id {
			return catalogue.Entry{ID: id, Name: file, File: file, URL: u.URL}, true
		}
	}
	return catalogue.Entry{}, false
}

// settle writes the record of a finished download. A file whose role does not
// fit is deleted: nothing could use it.
func (a *App) settle(id string, e catalogue.Entry, req PullRequest, res download.Result) error {
	role := inference.Role(req.Role)
	if len(e.Roles) > 0 {
		role = e.Roles[0]
	}
	rec, err := modelfile.Describe(res.Path, role)
	if err != nil {
		return errors.Join(err, modelfile.Remove(res.Path))
	}
	rec.ID, rec.Bytes, rec.SHA256, rec.Proof, rec.Source, rec.Added = id, res.Bytes, res.SHA256, modelfile.Proof(res.Proof), e.URL, time.Now().UTC()
	if len(e.Roles) > 0 {
		rec.Name, rec.Roles, rec.Licence = e.Name, e.Roles, e.Licence
	} else if known, ok := catalogue.ByHash(res.SHA256); ok {
		rec.ID, rec.Name, rec.Roles, rec.Licence = known.ID, known.Name, known.Roles, known.Licence
	}
	return modelfile.Write(rec)
}

// PauseModel implements UseCases: the running download of a model stops; what has
// arrived is kept.
func (a *App) PauseModel(ctx context.Context, id string) error {
	p := a.transfers.get(id)
	if p == nil {
		return &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("No model named %q is being downloaded.", id)}
	}
	p.cancel(errPaused)
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		return asError(ctx, ctx.Err())
	}
}

// PermitDownload implements UseCases: the answer to Transfer.Asks.
func (a *App) PermitDownload(_ context.Context, id, host string, allow bool) error {
	p := a.transfers.get(id)
	if p == nil || !p.answer(host, allow) {
		return &rag.Error{Code: rag.CodeNotAvailable, Message: "Nothing asks for this permission any more."}
	}
	return nil
}

// permit is the dialer's question. A download is asked about where it was
// started; a remote model is allowed by the address that the person has set.
func (a *App) permit(ctx context.Context, purpose, address string) bool {
	switch purpose {
	case "download":
		p, ok := ctx.Value(pullKey{}).(*pull)
		return ok && (p.granted || p.ask(ctx, address))
	case "remote":
		return a.remoteAllowed(address)
	}
	return false
}

// ask waits for the person's answer about a host. Connections that ask about
// one host share the question and the answer.
func (p *pull) ask(ctx context.Context, host string) bool {
	p.mu.Lock()
	if allow, ok := p.allowed[host]; ok {
		p.mu.Unlock()
		return allow
	}
	answered, asked := p.waiting[host]
	if !asked {
		answered = make(chan struct{})
		p.waiting[host] = answered
	}
	now := p.last
	p.mu.Unlock()
	if !asked || now.Asks != Optional(host) { // a retry in between has told something else
		now.State, now.Asks = "asking", Optional(host)
		p.report(now)
	}
	select {
	case <-answered:
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.allowed[host]
	case <-ctx.Done():
		return false
	}
}

func (p *pull) answer(host string, allow bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	answered, ok := p.waiting[host]
	if !ok {
		return false
	}
	delete(p.waiting, host)
	p.allowed[host] = allow
	close(answered)
	return true
}

func (p *pull) report(t Transfer) {
	p.telling.Lock()
	defer p.telling.Unlock()
	p.mu.Lock()
	p.last = t
	p.mu.Unlock()
	p.tell(t)
}

func (p *pull) now() Transfer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

func (t *transfers) start(id string, p *pull) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running == nil {
		t.running = map[string]*pull{}
	}
	if t.running[id] != nil {
		return false
	}
	p.last = Transfer{ID: id, State: string(download.PhaseConnecting)}
	t.running[id] = p
	return true
}

func (t *transfers) end(id string, p *pull) {
	t.mu.Lock()
	delete(t.running, id)
	t.mu.Unlock()
	close(p.done)
}

func (t *transfers) get(id string) *pull {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running[id]
}

// transfer returns where the download of a file stands; nil: there is none.
func (a *App) transfer(e catalogue.Entry, pending []download.Unfinished) *Transfer {
	if p := a.transfers.get(e.ID); p != nil {
		now := p.now()
		return &now
	}
	for _, u := range pending {
		if filepath.Base(u.Path) == e.File {
			return &Transfer{ID: e.ID, State: "paused", Done: u.Done, Total: u.Total}
		}
	}
	return nil
}

// discard throws away an unfinished download of a model and tells whether there
// was one.
func (a *App) discard(id string) (bool, error) {
	if a.transfers.get(id) != nil {
		return false, &rag.Error{Code: rag.CodeNotAvailable, Message: "This model is being downloaded.", Hint: "Pause the download first."}
	}
	pending, err := download.Pending(a.ownModels())
	if err != nil {
		return false, modelFileError(err)
	}
	for _, u := range pending {
		file := filepath.Base(u.Path)
		if e, ok := catalogue.ByID(id); ok && e.File == file || modelfile.ID(file) == id {
			return true, modelFileError(download.Discard(u.Path))
		}
	}
	return false, nil
}
