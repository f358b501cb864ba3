package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"referent/inference/download"
	"referent/inference/runtime/pack"
	"referent/rag"
)

// packID names the transfer of a pack among those of models.
func packID(p pack.Pack) string { return "runtime-" + p.Name }

// packFolder is where the archives of a pack lie until it is installed.
func (a *App) packFolder(p pack.Pack) string {
	return filepath.Join(a.config.CacheDir, "packs", p.Name)
}

func sourcesOf(p pack.Pack) []ArchiveSource {
	out := []ArchiveSource{}
	for _, s := range p.Sources() {
		out = append(out, ArchiveSource{URL: s.URL, SHA256: s.SHA256, Bytes: s.Bytes})
	}
	return out
}

// PullRuntime implements UseCases: the archives are downloaded like models, each
// host asked for, and installed like files that the person has.
func (a *App) PullRuntime(ctx context.Context, req PullRuntimeRequest, progress func(Transfer)) (RuntimeFolder, error) {
	p, lacks, err := a.wantedPack(ctx, req.Name, req.Accept, req.Anyway)
	if err != nil {
		return RuntimeFolder{}, err
	}
	from := p.Sources()
	if len(req.From) > 0 {
		from = nil
		for _, s := range req.From {
			from = append(from, pack.Source{URL: s.URL, SHA256: s.SHA256, Bytes: s.Bytes})
		}
	}
	if progress == nil {
		progress = func(Transfer) {}
	}
	give, err := a.takePack(p)
	if err != nil {
		return RuntimeFolder{}, err
	}
	defer give()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	id, t := packID(p), newPull(cancel, progress, req.Granted)
	a.transfers.start(id, t) // the only one of its name: the pack is taken
	defer a.changed()
	defer a.transfers.end(id, t)
	d := download.Downloader{Client: a.dialer.Client("download")}
	fetched, err := pack.Fetch(context.WithValue(ctx, pullKey{}, t), &d, a.packFolder(p), from, p.Bytes(), func(now download.Progress) { t.report(ofProgress(id, now)) })
	switch {
	case errors.Is(context.Cause(ctx), errPaused):
		t.report(Transfer{ID: id, State: "paused", Done: t.now().Done, Total: t.now().Total})
		return RuntimeFolder{}, &rag.Error{Code: rag.CodeCancelled, Message: "The download is paused.", Hint: "Starting it again goes on where it stopped."}
	case err != nil:
		err = asError(ctx, modelFileError(err))
		if ctx.Err() == nil {
			t.report(Transfer{ID: id, State: "failed", Done: t.now().Done, Total: t.now().Total, Sentence: Optional(err.Error())})
		}
		return RuntimeFolder{}, err
	}
	var archives []string
	announced := false
	for _, f := range fetched {
		archives = append(archives, f.Path)
		announced = announced || f.Proof == download.ProofServer
	}
	folder, err := a.installPack(ctx, p, lacks, archives, t.report)
	if err != nil {
		if ctx.Err() == nil {
			t.report(Transfer{ID: id, State: "failed", Sentence: Optional(err.Error())})
		}
		return RuntimeFolder{}, err
	}
	if announced {
		folder.Sentence = "An archive was compared with the checksum that its server announced, and each library in it with the built-in one."
	}
	if err := os.RemoveAll(a.packFolder(p)); err != nil {
		return folder, modelFileError(err)
	}
	t.report(Transfer{ID: id, State: "done"})
	return folder, nil
}

// packTransfer is where the download of a pack stands; nil: there is none.
func (a *App) packTransfer(p pack.Pack) *Transfer {
	if t := a.transfers.get(packID(p)); t != nil {
		now := t.now()
		return &now
	}
	var done int64
	entries, _ := os.ReadDir(a.packFolder(p)) // one that cannot be read has none
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && !download.IsState(e.Name()) {
			done += info.Size()
		}
	}
	if done == 0 {
		return nil
	}
	return &Transfer{ID: packID(p), State: "paused", Done: done}
}

// discardPack throws away what was downloaded of a pack and tells whether there
// was anything. The caller has taken the pack.
func (a *App) discardPack(p pack.Pack) (bool, error) {
	if _, err := os.Stat(a.packFolder(p)); err != nil {
		return false, nil
	}
	return true, modelFileError(os.RemoveAll(a.packFolder(p)))
}
