package owner

import (
	"context"

	"referent/app"
)

// InstallRuntime implements app.UseCases.
func (c *Client) InstallRuntime(ctx context.Context, req app.InstallRuntimeRequest, progress func(app.Transfer)) (app.RuntimeFolder, error) {
	var f app.RuntimeFolder
	err := c.call(ctx, mInstallRuntime, req, each(progress), &f)
	return f, err
}

// PullRuntime implements app.UseCases.
func (c *Client) PullRuntime(ctx context.Context, req app.PullRuntimeRequest, progress func(app.Transfer)) (app.RuntimeFolder, error) {
	var f app.RuntimeFolder
	err := c.call(ctx, mPullRuntime, req, each(progress), &f)
	return f, err
}

// CheckRuntime implements app.UseCases.
func (c *Client) CheckRuntime(ctx context.Context, name string) (app.RuntimeCheck, error) {
	var r app.RuntimeCheck
	err := c.call(ctx, mCheckRuntime, name, nil, &r)
	return r, err
}

// RemoveRuntime implements app.UseCases.
func (c *Client) RemoveRuntime(ctx context.Context, name string) error {
	return c.call(ctx, mRemoveRuntime, name, nil, nil)
}

// Runtimes implements app.UseCases.
func (c *Client) Runtimes(ctx context.Context) ([]app.RuntimeFolder, error) {
	var list []app.RuntimeFolder
	err := c.call(ctx, mRuntimes, none{}, nil, &list)
	return list, err
}
