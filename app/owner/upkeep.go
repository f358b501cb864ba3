package owner

import (
	"context"

	"referent/app"
)

// Serving implements app.UseCases.
func (c *Client) Serving(ctx context.Context) (app.Serving, error) {
	return ask[app.Serving](ctx, c, mServing, none{})
}

// NoteServing implements app.UseCases.
func (c *Client) NoteServing(ctx context.Context, s app.Serving) error {
	return c.call(ctx, mNoteServing, s, nil, nil)
}

// PlanRestore implements app.UseCases.
func (c *Client) PlanRestore(ctx context.Context, path string) (app.Restored, error) {
	return ask[app.Restored](ctx, c, mPlanRestore, path)
}

// TestModel implements app.UseCases.
func (c *Client) TestModel(ctx context.Context, role string) (app.Speed, error) {
	return ask[app.Speed](ctx, c, mTestModel, role)
}

// ImportConversation implements app.UseCases.
func (c *Client) ImportConversation(ctx context.Context, text string) (app.Conversation, error) {
	return ask[app.Conversation](ctx, c, mImportConversation, text)
}

// WhyIgnored implements app.UseCases.
func (c *Client) WhyIgnored(ctx context.Context, path string) (string, error) {
	return ask[string](ctx, c, mWhyIgnored, path)
}

// VerifyIndex implements app.UseCases.
func (c *Client) VerifyIndex(ctx context.Context) (app.IndexReport, error) {
	return ask[app.IndexReport](ctx, c, mVerifyIndex, none{})
}

// RebuildIndex implements app.UseCases.
func (c *Client) RebuildIndex(ctx context.Context, progress func(app.IndexProgress)) error {
	return c.call(ctx, mRebuildIndex, none{}, each(progress), nil)
}

// RepairIndex implements app.UseCases.
func (c *Client) RepairIndex(ctx context.Context) (app.IndexReport, error) {
	return ask[app.IndexReport](ctx, c, mRepairIndex, none{})
}

// IndexSize implements app.UseCases.
func (c *Client) IndexSize(ctx context.Context) (app.IndexSize, error) {
	return ask[app.IndexSize](ctx, c, mIndexSize, none{})
}

// Backup implements app.UseCases.
func (c *Client) Backup(ctx context.Context, path string) error {
	return c.call(ctx, mBackup, path, nil, nil)
}

// RotateToken implements app.UseCases.
func (c *Client) RotateToken(ctx context.Context) error {
	return c.call(ctx, mRotateToken, none{}, nil, nil)
}
