package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"referent/rag"
	"referent/rag/lab"
)

// bench is the one measurement that runs in the background, and what is known of
// those that have ended since the start. The zero value has none.
type bench struct {
	mu       sync.Mutex
	row      EvalRun // of the run; without an ID: none
	stop     context.CancelFunc
	done     chan struct{}
	progress EvalProgress
	ends     map[string]string   // why runs ended early
	skipped  map[string][]string // what runs left out
	deleted  []lab.Test          // own tests that can come back
}

// describe adds to a row what only this process knows.
func (b *bench) describe(run *EvalRun) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.row.ID == run.ID {
		p := b.progress
		run.State, run.Progress = EvalRunning, &p
		return
	}
	run.Sentence = Optional(b.ends[run.ID])
}

// running returns the row of a run that is under way.
func (b *bench) running(id string) (EvalRun, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.row, id != "" && b.row.ID == id
}

func (b *bench) notes(id string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.skipped[id]...)
}

// enter takes the place of the one run; leave frees it.
func (b *bench) enter(ctx context.Context, row EvalRun) (run context.Context, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.row.ID != "" {
		return nil, &rag.Error{Code: rag.CodeLibraryBusy, Message: "Another measurement is under way.", Hint: "Wait for it, or stop it."}
	}
	run, stop := context.WithCancel(ctx)
	b.row, b.stop, b.done, b.progress = row, stop, make(chan struct{}), EvalProgress{}
	delete(b.ends, row.ID)
	return run, nil
}

func (b *bench) leave(id string, notes []string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop()
	if b.ends == nil {
		b.ends, b.skipped = map[string]string{}, map[string][]string{}
	}
	b.skipped[id] = notes
	var known *rag.Error
	switch {
	case err == nil:
	case errors.As(err, &known) && known.Code == rag.CodeCancelled:
		b.ends[id] = "Stopped. What was measured is kept."
	case errors.As(err, &known):
		b.ends[id] = known.Message
	default:
		b.ends[id] = "The measurement ended early. What was measured is kept."
	}
	b.row = EvalRun{}
	close(b.done)
}

// StartEvaluation implements Lab.
func (a *App) StartEvaluation(ctx context.Context, req EvalRequest) (EvalRun, error) {
	if req.Sets == "" {
		places := a.labPlaces()
		req.Sets, req.Sample = places.Sets, places.Sample
	}
	if req.Out != "" || req.Resume {
		return EvalRun{}, &rag.Error{Code: rag.CodeInvalidSetting, Message: "A run in the background lies in the data folder.", Hint: "Leave its file out."}
	}
	plan, err := evalPlan(req)
	if err != nil {
		return EvalRun{}, err
	}
	if lacks := lackingAll(a.labPlaces(), plan.Suites, req.Sets); lacks != "" {
		return EvalRun{}, &rag.Error{Code: rag.CodeNotAvailable, Message: "The question sets are not there: " + lacks + ".",
			Hint: "Choose the folder that holds them."}
	}
	id := time.Now().UTC().Format(stampForm)
	req.Out = a.labPath(id + ".jsonl")
	if err := os.MkdirAll(a.labPath(), 0o700); err != nil {
		return EvalRun{}, storageError(err)
	}
	return a.evaluateInBackground(id, plan, req)
}

// evaluateInBackground measures suites.
func (a *App) evaluateInBackground(id string, plan lab.Plan, req EvalRequest) (EvalRun, error) {
	return a.inBackground(id, plan, func(run context.Context, each func(EvalProgress)) ([]string, error) {
		report, err := a.Evaluate(run, req, each)
		return report.Notes, err
	})
}

// lackingAll returns what is missing when no suite can be measured at all.
func lackingAll(places lab.Places, suites []string, sets string) string {
	places.Sets = sets
	missing := ""
	for _, s := range suites {
		if missing = places.Lacks(s); missing == "" {
			return ""
		}
	}
	return missing
}

// ResumeEvaluation implements Lab.
func (a *App) ResumeEvaluation(ctx context.Context, id string) (EvalRun, error) {
	run, record, err := a.run(ctx, id)
	if err != nil {
		return EvalRun{}, err
	}
	if run.State != EvalStopped || run.Personal {
		return EvalRun{}, &rag.Error{Code: rag.CodeInvalidSetting, Message: "This run cannot go on.", Hint: "Begin a new one."}
	}
	places := a.labPlaces()
	path, err := a.runPath(id)
	if err != nil {
		return EvalRun{}, err
	}
	req := EvalRequest{Suites: []string{presetOf(record.Head.Plan)}, Sets: places.Sets, Sample: places.Sample, Engines: record.Head.Plan.Engines,
		Retrievers: record.Head.Plan.Retrievers, Out: path, Resume: true}
	if req.Suites[0] == "" {
		req.Suites = record.Head.Plan.Suites
	}
	return a.evaluateInBackground(id, record.Head.Plan, req)
}

// presetOf names the preset that a plan was made by; empty: suites by name.
func presetOf(p lab.Plan) string {
	for _, name := range lab.Presets() {
		if preset, ok := lab.Preset(name); ok && fmt.Sprint(preset.Suites, preset.Languages, preset.Sample) == fmt.Sprint(p.Suites, p.Languages, p.Sample) {
			return name
		}
	}
	return ""
}

// inBackground runs a measurement until it ends, is stopped, or the program ends.
func (a *App) inBackground(id string, plan lab.Plan, measure func(context.Context, func(EvalProgress)) ([]string, error)) (EvalRun, error) {
	row := EvalRun{ID: id, Started: time.Now().UTC().Format(time.RFC3339), State: EvalRunning, Suites: append([]string{}, plan.Suites...),
		Engines: append([]string{}, plan.Engines...), Retrievers: append([]string{}, plan.Retrievers...), Personal: strings.HasPrefix(id,
			ownRuns), Progress: &EvalProgress{}}
	run, err := a.bench.enter(a.ctx, row)
	if err != nil {
		return EvalRun{}, err
	}
	a.wait.Go(func() {
		var last time.Time
		notes, err := measure(run, func(p EvalProgress) {
			a.bench.mu.Lock()
			a.bench.progress = p
			a.bench.mu.Unlock()
			if now := time.Now(); now.Sub(last) >= noticePause {
				last = now
				told := row
				told.Progress, told.Questions = &p, p.Done
				a.hub.send(Notice{Evaluation: &told})
			}
		})
		if err != nil && run.Err() == nil {
			a.config.Log("a measurement ended early: " + err.Error())
		}
		a.bench.leave(id, notes, err)
		ended := row
		ended.Progress, ended.State = nil, EvalFinished
		if err != nil {
			ended.State = EvalStopped
		}
		a.bench.describe(&ended)
		a.hub.send(Notice{Evaluation: &ended})
	})
	return row, nil
}

// StopEvaluation implements Lab. It returns when the run has ended.
func (a *App) StopEvaluation(ctx context.Context, id string) error {
	a.bench.mu.Lock()
	stop, done := a.bench.stop, a.bench.done
	mine := id != "" && a.bench.row.ID == id
	a.bench.mu.Unlock()
	if !mine {
		_, err := a.runPath(id)
		return err // one that has ended already is no mistake
	}
	stop()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// labMachine is how a run tells where it was measured.
func labMachine() string {
	return fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

// newOwnRun begins the file of a run of one's own tests.
func (a *App) newOwnRun(id string, head lab.Head) (*lab.Record, error) {
	path := a.labPath("own", strings.TrimPrefix(id, ownRuns)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, storageError(err)
	}
	return lab.Create(path, head)
}
