package owner

import (
	"context"

	"referent/app"
)

// AddTags implements app.UseCases.
func (c *Client) AddTags(ctx context.Context, change app.TagsChange) error {
	return c.call(ctx, mAddTags, change, nil, nil)
}

// RemoveTags implements app.UseCases.
func (c *Client) RemoveTags(ctx context.Context, change app.TagsChange) error {
	return c.call(ctx, mRemoveTags, change, nil, nil)
}

// SetTags implements app.UseCases.
func (c *Client) SetTags(ctx context.Context, change app.TagsChange) error {
	return c.call(ctx, mSetTags, change, nil, nil)
}

// Tags implements app.UseCases.
func (c *Client) Tags(ctx context.Context, path string) ([]app.Tag, error) {
	return ask[[]app.Tag](ctx, c, mTags, path)
}
