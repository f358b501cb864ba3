package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"referent/inference"
	"referent/rag"
	"referent/rag/extract"
	"referent/rag/lab"
)

// EvalRequest says what is measured. Paths are full: another process may read
// them.
type EvalRequest struct {
	Suites     []string `json:"suites"`     // names of suites, or one preset
	Sets       string   `json:"sets"`       // folder of the question sets
	Sample     string   `json:"sample"`     // folder with library and conversations, for S0
	Engines    []string `json:"engines"`    // empty: those of the preset
	Retrievers []string `json:"retrievers"` // empty: those of the preset
	Out        string   `json:"out"`        // file of the run; empty: a new one in the data folder
	Resume     bool     `json:"resume"`     // go on with Out; empty Out: with the newest run
	Most       int      `json:"most"`       // questions of a set; 0: as the preset says
	Passages   int      `json:"passages"`   // of a set, the right ones among them; 0: as the preset says
	Replay     string   `json:"replay"`     // file of a run whose rewrites and answers are judged anew; empty: models write
}

// EvalProgress says where a run stands.
type EvalProgress = lab.Progress

// EvalReport is what a run has measured.
type EvalReport struct {
	Path     string      `json:"path"`     // the file of the run: a record a line
	Notes    []string    `json:"notes"`    // what was skipped, in sentences
	Table    string      `json:"table"`    // for people
	Failures []string    `json:"failures"` // failed rewrites or gates, in sentences: the run failed
	Verdict  lab.Verdict `json:"verdict"`
	// Mode is what the run says about the answer mode.
	Mode lab.ModeVerdict `json:"mode_verdict"`
}

// EvalChoices lists the words that a request may hold.
func EvalChoices() (presets, suites, engines, retrievers []string) {
	return lab.Presets(), lab.Suites(), lab.Engines(), lab.Retrievers()
}

// Evaluate implements UseCases. What the run decides is kept for the class of the
// model, whoever began it.
func (a *App) Evaluate(ctx context.Context, req EvalRequest, progress func(EvalProgress)) (EvalReport, error) {
	plan, err := evalPlan(req)
	if err != nil {
		return EvalReport{}, err
	}
	replay, err := evalReplay(req.Replay)
	if err != nil {
		return EvalReport{}, err
	}
	record, err := a.evalRecord(req, plan)
	if err != nil {
		return EvalReport{}, err
	}
	report := EvalReport{Notes: []string{}, Failures: []string{}}
	runner := &lab.Runner{Plan: plan, Replay: replay,
		Places: lab.Places{Sets: req.Sets, Sample: req.Sample, Extract: a.evalExtract}, Models: a.host, Need: a.evalNeed,
		Vectors: filepath.Join(a.config.CacheDir, "lab"), Progress: progress, Note: func(s string) { report.Notes = append(report.Notes, s) }}
	err = runner.Run(ctx, record)
	if err == nil && len(record.Items) == 0 {
		err = &rag.Error{Code: rag.CodeNotAvailable, Message: "Nothing was measured. " + strings.Join(report.Notes, " "), Hint: "Name the folder of the question sets with --sets."}
	}
	if err == nil {
		cells := lab.Summarize(record.Items)
		report.Verdict, report.Failures = lab.Judge(record.Items), append(lab.FailedRewrites(cells), lab.FailedGates(cells)...)
		if note := lab.CompressionNote(cells); note != "" {
			report.Notes = append(report.Notes, note)
		}
		report.Mode = lab.JudgeModes(record.Items)
		report.Path, report.Table = record.Path(), lab.Table(cells)
		err = record.Finish(cells, report.Verdict)
	}
	err = errors.Join(err, record.Close())
	if len(record.Items) == 0 {
		err = errors.Join(err, os.Remove(record.Path()))
	}
	if err == nil && replay == nil { // what is judged anew may be of another model than the one that is here
		err = a.keepDecided(a.runID(record.Path()), report.Verdict, report.Mode)
	}
	if err != nil {
		return EvalReport{}, evalError(ctx, err, record.Path())
	}
	return report, nil
}

// evalPlan reads a request and refuses what it cannot mean.
func evalPlan(req EvalRequest) (lab.Plan, error) {
	if len(req.Suites) == 0 {
		return lab.Plan{}, unknownChoice("suite", "", append(lab.Presets(), lab.Suites()...), rag.CodeInvalidSetting)
	}
	plan, isPreset := lab.Preset(req.Suites[0])
	if !isPreset {
		plan, _ = lab.Preset("standard")
		plan.Suites = req.Suites
	}
	if isPreset && len(req.Suites) > 1 {
		return plan, &rag.Error{Code: rag.CodeInvalidSetting, Message: "A preset stands alone.", Hint: "Name suites, or one of " + strings.Join(lab.Presets(), ", ") + "."}
	}
	if len(req.Engines) > 0 {
		plan.Engines = req.Engines
	}
	if len(req.Retrievers) > 0 {
		plan.Retrievers = req.Retrievers
	}
	if req.Most > 0 {
		plan.Sample, plan.ModelSample, plan.ShiftSample, plan.AnswerSample = req.Most, req.Most, req.Most, req.Most
	}
	if req.Passages > 0 {
		plan.Passages = req.Passages
	}
	for _, list := range []struct {
		what           string
		given, allowed []string
		code           rag.Code
	}{
		{"suite", plan.Suites, append(lab.Presets(), lab.Suites()...), rag.CodeInvalidSetting},
		{"engine", plan.Engines, lab.Engines(), rag.CodeUnknownChatEngine},
		{"retriever", plan.Retrievers, lab.Retrievers(), rag.CodeUnknownRetriever},
	} {
		for _, name := range list.given {
			if !slices.Contains(list.allowed, name) {
				return plan, unknownChoice(list.what, name, list.allowed, list.code)
			}
		}
	}
	return plan, nil
}

func unknownChoice(what, name string, allowed []string, code rag.Code) error {
	return &rag.Error{Code: code, Message: fmt.Sprintf("There is no %s %q to measure.", what, name), Hint: "There are: " + strings.Join(allowed, ", ") + "."}
}

// evalReplay reads the run whose texts are judged anew; nil for none.
func evalReplay(path string) (*lab.Record, error) {
	if path == "" {
		return nil, nil
	}
	record, err := lab.LoadRun(path)
	if err != nil {
		return nil, &rag.Error{Code: rag.CodeInvalidSetting, Message: "The run in " + path + " cannot be read.", Hint: "Name the file of a run with --replay.", Cause: err}
	}
	return record, nil
}

// evalRecord begins a run or opens the one to go on with.
func (a *App) evalRecord(req EvalRequest, plan lab.Plan) (*lab.Record, error) {
	folder := filepath.Join(a.config.DataDir, "lab")
	path := req.Out
	if path == "" && req.Resume {
		runs, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
		if err != nil || len(runs) == 0 {
			return nil, &rag.Error{Code: rag.CodeInvalidSetting, Message: "There is no run to go on with.", Hint: "Leave --resume out, or name a file with --out.", Cause: err}
		}
		path = slices.Max(runs) // names are times
	}
	head := lab.NewHead(a.config.Version, plan, a.evalModels(), fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()))
	if req.Resume {
		record, err := lab.Resume(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &rag.Error{Code: rag.CodeInvalidSetting, Message: "There is no run in " + path + ".", Hint: "Leave --resume out to begin one.", Cause: err}
		}
		if err == nil {
			err = record.Fits(head)
		}
		if err != nil {
			return nil, evalError(context.Background(), err, path)
		}
		return record, nil
	}
	if path == "" {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, evalError(context.Background(), err, folder)
		}
		path = filepath.Join(folder, head.Started.Format("2006-01-02T150405.000")+".jsonl")
	}
	record, err := lab.Create(path, head)
	if errors.Is(err, lab.ErrExists) {
		return nil, &rag.Error{Code: rag.CodeInvalidSetting, Message: path + " is there already.", Hint: "Go on with it by --resume, or name another file.", Cause: err}
	}
	if err != nil {
		return nil, evalError(context.Background(), err, path)
	}
	return record, nil
}

// evalModels names what would play each role, by its catalogue name and hash.
func (a *App) evalModels() map[string]string {
	names := map[string]string{}
	for _, role := range inference.Roles() {
		if c, err := a.roles.wanted(role); err == nil {
			names[string(role)] = strings.TrimSpace(c.entry.ID + " " + c.entry.SHA256)
		}
	}
	return names
}

// evalNeed loads a model and makes it ready, as before a turn.
func (a *App) evalNeed(ctx context.Context, role inference.Role) error {
	if err := a.roles.ensure(ctx, role); err != nil {
		return err
	}
	if role == inference.RoleCondense {
		return a.warm(ctx, role)
	}
	return nil
}

// evalExtract reads a file of the sample library.
func (a *App) evalExtract(ctx context.Context, path string) (rag.Extraction, error) {
	if a.config.Extract != nil {
		return a.config.Extract(ctx, path, extract.FileOptions{})
	}
	return ExtractFile(ctx, path)
}

// evalError is what people read when a run ends early.
func evalError(ctx context.Context, err error, path string) error {
	var known *rag.Error
	switch {
	case ctx.Err() != nil:
		return &rag.Error{Code: rag.CodeCancelled, Reason: rag.ReasonCancelled, Message: "Stopped. What was measured is in " + path + ".", Hint: "`--resume` goes on with it.", Cause: err}
	case errors.As(err, &known):
		return known
	case errors.Is(err, lab.ErrChanged):
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: "The run in " + path + " cannot go on: " + err.Error() + ".", Hint: "Begin a new run.", Cause: err}
	}
	return &rag.Error{Code: rag.CodeInternal, Message: "The measurement ended early: " + err.Error() + ".", Hint: "What was measured is in " + path + "; `--resume` goes on with it.", Cause: err}
}
