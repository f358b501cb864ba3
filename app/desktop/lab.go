package desktop

import (
	"context"

	"referent/app"
)

// LabState returns the runs, what can be measured, and the own tests as a whole.
func (w *Window) LabState() (app.LabState, error) { return guard(w, w.use.LabState) }

// StartEvaluation begins a run: one preset or suites. Engines and retrievers are
// those of the preset where none are named. Where it stands arrives as events
// "evaluation".
func (w *Window) StartEvaluation(suites, engines, retrievers []string) (app.EvalRun, error) {
	return guard(w, func(ctx context.Context) (app.EvalRun, error) {
		return w.use.StartEvaluation(ctx, app.EvalRequest{Suites: suites, Engines: engines, Retrievers: retrievers})
	})
}

// ResumeEvaluation goes on with a run that was stopped.
func (w *Window) ResumeEvaluation(id string) (app.EvalRun, error) {
	return guard(w, func(ctx context.Context) (app.EvalRun, error) { return w.use.ResumeEvaluation(ctx, id) })
}

// StopEvaluation ends the run under way and returns when it has ended.
func (w *Window) StopEvaluation(id string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.StopEvaluation(ctx, id) })
}

// Evaluation returns the figures of a run.
func (w *Window) Evaluation(id string) (app.EvalResult, error) {
	return guard(w, func(ctx context.Context) (app.EvalResult, error) { return w.use.Evaluation(ctx, id) })
}

// CompareEvaluations sets a later run against an earlier one.
func (w *Window) CompareEvaluations(before, after string) (app.EvalComparison, error) {
	return guard(w, func(ctx context.Context) (app.EvalComparison, error) {
		return w.use.CompareEvaluations(ctx, app.EvalPair{Before: before, After: after})
	})
}

// SaveEvaluation asks the person where a run goes and writes it there as csv or
// html. It returns the path, empty when the dialog was closed.
func (w *Window) SaveEvaluation(id, against, format string) (string, error) {
	text, err := guard(w, func(ctx context.Context) (string, error) {
		return w.use.ExportEvaluation(ctx, app.EvalExport{ID: id, Against: against, Format: format, Language: w.shown()})
	})
	if err != nil {
		return "", err
	}
	return w.SaveText("referent-"+id+"."+format, text)
}

// PickLabFolder asks for the folder of the question sets and keeps it; the state
// of the lab follows. Nothing changes when the dialog is closed.
func (w *Window) PickLabFolder() (app.LabState, error) {
	return guard(w, func(ctx context.Context) (app.LabState, error) {
		dir, err := w.platform.PickFolder(ctx)
		if err == nil && dir != "" {
			err = w.use.SetLabFolder(ctx, dir)
		}
		if err != nil {
			return app.LabState{}, err
		}
		return w.use.LabState(ctx)
	})
}

// ProposeTest makes a test of a turn of a chat, which is not kept yet.
func (w *Window) ProposeTest(turn int64) (app.TestDraft, error) {
	return guard(w, func(ctx context.Context) (app.TestDraft, error) { return w.use.ProposeTest(ctx, turn) })
}

// Tests lists the own tests.
func (w *Window) Tests() ([]app.OwnTest, error) { return guard(w, w.use.Tests) }

// SaveTest keeps a test, a new one where it has no id.
func (w *Window) SaveTest(t app.OwnTest) (app.OwnTest, error) {
	return guard(w, func(ctx context.Context) (app.OwnTest, error) { return w.use.SaveTest(ctx, t) })
}

// DeleteTest takes a test off.
func (w *Window) DeleteTest(id string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.DeleteTest(ctx, id) })
}

// RestoreTest brings a deleted test back.
func (w *Window) RestoreTest(id string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.RestoreTest(ctx, id) })
}

// RunTests asks all own tests with the settings in force.
func (w *Window) RunTests() (app.EvalRun, error) { return guard(w, w.use.RunTests) }
