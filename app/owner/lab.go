package owner

import (
	"context"

	"referent/app"
)

// LabState implements app.Lab.
func (c *Client) LabState(ctx context.Context) (app.LabState, error) {
	return ask[app.LabState](ctx, c, mLabState, none{})
}

// SetLabFolder implements app.Lab.
func (c *Client) SetLabFolder(ctx context.Context, dir string) error {
	return c.call(ctx, mSetLabFolder, dir, nil, nil)
}

// StartEvaluation implements app.Lab.
func (c *Client) StartEvaluation(ctx context.Context, req app.EvalRequest) (app.EvalRun, error) {
	return ask[app.EvalRun](ctx, c, mStartEvaluation, req)
}

// ResumeEvaluation implements app.Lab.
func (c *Client) ResumeEvaluation(ctx context.Context, id string) (app.EvalRun, error) {
	return ask[app.EvalRun](ctx, c, mResumeEvaluation, id)
}

// StopEvaluation implements app.Lab.
func (c *Client) StopEvaluation(ctx context.Context, id string) error {
	return c.call(ctx, mStopEvaluation, id, nil, nil)
}

// Evaluation implements app.Lab.
func (c *Client) Evaluation(ctx context.Context, id string) (app.EvalResult, error) {
	return ask[app.EvalResult](ctx, c, mEvaluation, id)
}

// CompareEvaluations implements app.Lab.
func (c *Client) CompareEvaluations(ctx context.Context, pair app.EvalPair) (app.EvalComparison, error) {
	return ask[app.EvalComparison](ctx, c, mCompareEvaluations, pair)
}

// ExportEvaluation implements app.Lab.
func (c *Client) ExportEvaluation(ctx context.Context, req app.EvalExport) (string, error) {
	return ask[string](ctx, c, mExportEvaluation, req)
}

// ProposeTest implements app.Lab.
func (c *Client) ProposeTest(ctx context.Context, turn int64) (app.TestDraft, error) {
	return ask[app.TestDraft](ctx, c, mProposeTest, turn)
}

// SaveTest implements app.Lab.
func (c *Client) SaveTest(ctx context.Context, t app.OwnTest) (app.OwnTest, error) {
	return ask[app.OwnTest](ctx, c, mSaveTest, t)
}

// Tests implements app.Lab.
func (c *Client) Tests(ctx context.Context) ([]app.OwnTest, error) {
	return ask[[]app.OwnTest](ctx, c, mTests, none{})
}

// DeleteTest implements app.Lab.
func (c *Client) DeleteTest(ctx context.Context, id string) error {
	return c.call(ctx, mDeleteTest, id, nil, nil)
}

// RestoreTest implements app.Lab.
func (c *Client) RestoreTest(ctx context.Context, id string) error {
	return c.call(ctx, mRestoreTest, id, nil, nil)
}

// RunTests implements app.Lab.
func (c *Client) RunTests(ctx context.Context) (app.EvalRun, error) {
	return ask[app.EvalRun](ctx, c, mRunTests, none{})
}
