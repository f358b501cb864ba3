package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"referent/inference/runtime"
	"referent/inference/runtime/pack"
	"referent/rag"
)

// InstallRuntimeRequest asks for an optional runtime. Archives are files in any
// order. Accept: the person has read the notice and accepts it. Anyway: to be
// installed although it would not run on this computer (RuntimeFolder.Lacks).
type InstallRuntimeRequest struct {
	Name     string   `json:"name"`
	Archives []string `json:"archives"`
	Accept   bool     `json:"accept"`
	Anyway   bool     `json:"anyway"`
}

// PullRuntimeRequest asks to download an optional runtime and to install it.
// From: addresses of the person's own; none: those that the program knows.
// Anyway is that of InstallRuntimeRequest, Granted that of PullRequest.
type PullRuntimeRequest struct {
	Name    string          `json:"name"`
	From    []ArchiveSource `json:"from"`
	Accept  bool            `json:"accept"`
	Anyway  bool            `json:"anyway"`
	Granted bool            `json:"granted"`
}

// ArchiveSource is where an archive lies. SHA256 in hex; empty: it is compared
// with the one that the server announces.
type ArchiveSource struct {
	URL    string `json:"url"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"` // 0: not known
}

// RuntimeFolder is a set of libraries that models run on, installed or not.
type RuntimeFolder struct {
	Name      string          `json:"name"` // cuda | metal | vulkan | cpu
	Version   string          `json:"version"`
	Folder    Optional        `json:"folder"` // absent: not installed
	Used      bool            `json:"used"`   // models run on it, or will
	Removable bool            `json:"removable"`
	Sentence  Optional        `json:"sentence"` // why it is not used
	Notice    Optional        `json:"notice"`   // to be accepted before it is installed
	Lacks     Optional        `json:"lacks"`    // why a pack would not run here, or does not yet
	Fetch     []string        `json:"fetch"`    // commands that fetch its archives
	Sources   []ArchiveSource `json:"sources"`  // where they can be downloaded
	Transfer  *Transfer       `json:"transfer"` // a download that runs or waits; absent: there is none
}

// Runtimes implements UseCases.
func (a *App) Runtimes(ctx context.Context) ([]RuntimeFolder, error) {
	raw, _ := runtime.Find(places(a.config.CacheDir)...) // none is an answer too
	tried := a.machine.order(ctx, raw, a.settings().Text(runtimeKey))
	out := []RuntimeFolder{}
	there := map[string]bool{}
	for i, f := range tried.list {
		there[f.Name] = true
		_, optional := pack.ByName(f.Name)
		out = append(out, RuntimeFolder{Name: f.Name, Version: f.Version, Folder: Optional(f.Dir), Used: i == 0, Fetch: []string{}, Sources: []ArchiveSource{},
			Removable: optional && f.Dir == runtime.Folder(a.config.CacheDir, f.Name), Sentence: Optional(tried.reasons[f.Name])})
	}
	if p := pack.CUDA(); !there[p.Name] {
		out = append(out, RuntimeFolder{Name: p.Name, Version: runtime.Version, Notice: Optional(p.Notice), Lacks: Optional(a.machine.lacks(ctx, p, a.config.Driver)), Fetch: p.Commands(), Sources: sourcesOf(p), Transfer: a.packTransfer(p)})
	}
	return out, ctx.Err()
}

// takePack takes App.packs, or says what goes on.
func (a *App) takePack(p pack.Pack) (give func(), err error) {
	switch {
	case a.packs.TryLock():
		return a.packs.Unlock, nil
	case a.transfers.get(packID(p)) != nil:
		return nil, &rag.Error{Code: rag.CodeNotAvailable, Message: "This pack is being downloaded.", Hint: "Pause the download first."}
	}
	return nil, &rag.Error{Code: rag.CodeNotAvailable, Message: "This pack is being installed or removed already.", Hint: "Wait until that is done."}
}

// InstallRuntime implements UseCases.
func (a *App) InstallRuntime(ctx context.Context, req InstallRuntimeRequest, progress func(Transfer)) (RuntimeFolder, error) {
	p, lacks, err := a.wantedPack(ctx, req.Name, req.Accept, req.Anyway)
	if err != nil {
		return RuntimeFolder{}, err
	}
	give, err := a.takePack(p)
	if err != nil {
		return RuntimeFolder{}, err
	}
	defer give()
	return a.installPack(ctx, p, lacks, req.Archives, progress)
}

// installPack installs an accepted pack. The caller has taken it. lacks: why it
// cannot be tried here.
func (a *App) installPack(ctx context.Context, p pack.Pack, lacks string, archives []string, progress func(Transfer)) (RuntimeFolder, error) {
	found, err := runtime.Find(places(a.config.CacheDir)...)
	core := ""
	for _, f := range found {
		if f.Name == "cpu" {
			core = f.Dir
		}
	}
	if core == "" {
		return RuntimeFolder{}, modelError(err)
	}
	tell := newPace(progress)
	info, err := p.Install(ctx, pack.Request{Place: a.config.CacheDir, Core: core, Archives: absolutePaths(archives), Untried: lacks != "", Progress: func(stage pack.Stage, done int64) {
		now := Transfer{ID: packID(p), State: packState[stage], Done: done}
		if stage == pack.StageUnpack {
			now.Total = p.Bytes()
		}
		tell.tell(now)
	}})
	if err != nil {
		return RuntimeFolder{}, asError(ctx, packError(err))
	}
	if err := a.useRuntimes(ctx); err != nil {
		return RuntimeFolder{}, err
	}
	return RuntimeFolder{Name: p.Name, Version: info.Version, Folder: Optional(info.Dir), Removable: true, Lacks: Optional(lacks), Fetch: []string{}, Sources: []ArchiveSource{}}, nil
}

// packState names the stages of an installation as states of a Transfer.
var packState = map[pack.Stage]string{pack.StageUnpack: "copying", pack.StageVerify: "verifying", pack.StageTest: "testing"}

// wantedPack finds a pack whose licence is accepted. lacks says why it would not
// run here; without anyway that is an error.
func (a *App) wantedPack(ctx context.Context, name string, accept, anyway bool) (p pack.Pack, lacks string, err error) {
	p, ok := pack.ByName(name)
	switch {
	case !ok:
		return p, "", noPack(name)
	case !accept:
		return p, "", &rag.Error{Code: rag.CodeNotAvailable, Message: p.Notice, Hint: "Nothing was installed: the licence was not accepted."}
	}
	a.machine.forgetDriver(p) // it may have come meanwhile
	lacks = a.machine.lacks(ctx, p, a.config.Driver)
	switch {
	case ctx.Err() != nil:
		return p, "", asError(ctx, ctx.Err())
	case lacks != "" && !anyway:
		return p, "", &rag.Error{Code: rag.CodeNotAvailable, Message: lacks, Hint: "Install the driver first. “Install it all the same” in the window, or --anyway, installs the pack without trying it."}
	}
	return p, lacks, nil
}

// RemoveRuntime implements UseCases. Models that run on it go on elsewhere first.
// An unfinished download goes too.
func (a *App) RemoveRuntime(ctx context.Context, name string) error {
	p, ok := pack.ByName(name)
	if !ok {
		return noPack(name)
	}
	give, err := a.takePack(p)
	if err != nil {
		return err
	}
	defer give()
	if a.settings().Text(runtimeKey) == name {
		if err := a.SetSettings(ctx, map[string]string{runtimeKey: runtime.Auto}); err != nil {
			return err
		}
	}
	discarded, err := a.discardPack(p)
	if err != nil {
		return err
	}
	there, err := p.Remove(a.config.CacheDir)
	if err != nil {
		return asError(ctx, packError(err))
	}
	if !there {
		if discarded {
			a.changed()
			return nil
		}
		return &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("The libraries “%s” are not installed.", name)}
	}
	return a.useRuntimes(ctx)
}

// useRuntimes looks anew at what is installed and lets models run on the best.
func (a *App) useRuntimes(ctx context.Context) error {
	a.machine.forget()
	err := a.tryRuntime(ctx, runtime.Auto)
	a.changed()
	return err
}

func noPack(name string) error {
	return &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("There is no optional runtime named %q.", name), Hint: "There is one: cuda."}
}

// packError keeps the sentence of a pack's fault.
func packError(err error) error {
	return &rag.Error{Code: rag.CodeNotAvailable, Message: modelSentence(err), Cause: err}
}

func absolutePaths(paths []string) []string {
	var out []string
	for _, p := range paths {
		if abs, err := filepath.Abs(strings.TrimPrefix(p, "file://")); err == nil {
			p = abs
		}
		out = append(out, p)
	}
	return out
}
