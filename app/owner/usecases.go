package owner

import (
	"context"
	"encoding/json"

	"referent/app"
	"referent/rag"
)

// Ask implements app.UseCases.
func (c *Client) Ask(ctx context.Context, req app.AskRequest, emit func(rag.Event)) error {
	return c.call(ctx, mAsk, req, func(raw json.RawMessage) {
		if e, err := rag.UnmarshalEvent(raw); err == nil { // the greeting has made sure of the version
			emit(e)
		}
	}, nil)
}

// Prepare implements app.UseCases.
func (c *Client) Prepare(ctx context.Context, req app.AskRequest) (rag.Prepared, error) {
	return ask[rag.Prepared](ctx, c, mPrepare, req)
}

// Search implements app.UseCases.
func (c *Client) Search(ctx context.Context, req app.AskRequest) (app.SearchResult, error) {
	return ask[app.SearchResult](ctx, c, mSearch, req)
}

// Add implements app.UseCases.
func (c *Client) Add(ctx context.Context, req app.AddRequest) (app.AddResult, error) {
	return ask[app.AddResult](ctx, c, mAdd, req)
}

// Remove implements app.UseCases.
func (c *Client) Remove(ctx context.Context, req app.RemoveRequest) error {
	return c.call(ctx, mRemove, req, nil, nil)
}

// Sync implements app.UseCases.
func (c *Client) Sync(ctx context.Context, progress func(app.Progress)) error {
	return c.call(ctx, mSync, none{}, each(progress), nil)
}

// SetPaused implements app.UseCases.
func (c *Client) SetPaused(ctx context.Context, paused bool) error {
	return c.call(ctx, mSetPaused, paused, nil, nil)
}

// Retry implements app.UseCases.
func (c *Client) Retry(ctx context.Context, path string) error {
	return c.call(ctx, mRetry, path, nil, nil)
}

// Library implements app.UseCases.
func (c *Client) Library(ctx context.Context) (app.Library, error) {
	return ask[app.Library](ctx, c, mLibrary, none{})
}

// Files implements app.UseCases.
func (c *Client) Files(ctx context.Context, req app.FilesRequest) (app.Files, error) {
	return ask[app.Files](ctx, c, mFiles, req)
}

// SetLabel implements app.UseCases.
func (c *Client) SetLabel(ctx context.Context, path, value string) error {
	return c.call(ctx, mSetLabel, label{path, value}, nil, nil)
}

// SetClass implements app.UseCases.
func (c *Client) SetClass(ctx context.Context, path, class string) error {
	return c.call(ctx, mSetClass, label{path, class}, nil, nil)
}

// Pin implements app.UseCases.
func (c *Client) Pin(ctx context.Context, chunk int64, pinned bool) error {
	return c.call(ctx, mPin, pin{chunk, pinned}, nil, nil)
}

// DocumentText implements app.UseCases.
func (c *Client) DocumentText(ctx context.Context, document int64) (app.DocumentText, error) {
	return ask[app.DocumentText](ctx, c, mDocumentText, document)
}

// Passage implements app.UseCases.
func (c *Client) Passage(ctx context.Context, chunk int64) (app.Passage, error) {
	return ask[app.Passage](ctx, c, mPassage, chunk)
}

// Collections implements app.UseCases.
func (c *Client) Collections(ctx context.Context) ([]app.Collection, error) {
	return ask[[]app.Collection](ctx, c, mCollections, none{})
}

// CreateCollection implements app.UseCases.
func (c *Client) CreateCollection(ctx context.Context, name, value string) (app.Collection, error) {
	return ask[app.Collection](ctx, c, mCreateCollection, label{name, value})
}

// RenameCollection implements app.UseCases.
func (c *Client) RenameCollection(ctx context.Context, name, to string) error {
	return c.call(ctx, mRenameCollection, label{name, to}, nil, nil)
}

// DeleteCollection implements app.UseCases.
func (c *Client) DeleteCollection(ctx context.Context, name string) error {
	return c.call(ctx, mDeleteCollection, name, nil, nil)
}

// Conversations implements app.UseCases.
func (c *Client) Conversations(ctx context.Context, limit int) ([]app.Conversation, error) {
	return ask[[]app.Conversation](ctx, c, mConversations, limit)
}

// Conversation implements app.UseCases.
func (c *Client) Conversation(ctx context.Context, id int64) (app.ConversationDetail, error) {
	return ask[app.ConversationDetail](ctx, c, mConversation, id)
}

// NewConversation implements app.UseCases.
func (c *Client) NewConversation(ctx context.Context, title string) (app.Conversation, error) {
	return ask[app.Conversation](ctx, c, mNewConversation, title)
}

// RenameConversation implements app.UseCases.
func (c *Client) RenameConversation(ctx context.Context, id int64, title string) error {
	return c.call(ctx, mRenameConversation, named{id, title}, nil, nil)
}

// DeleteConversation implements app.UseCases.
func (c *Client) DeleteConversation(ctx context.Context, id int64) error {
	return c.call(ctx, mDeleteConversation, id, nil, nil)
}

// RestoreConversation implements app.UseCases.
func (c *Client) RestoreConversation(ctx context.Context, id int64) error {
	return c.call(ctx, mRestoreConversation, id, nil, nil)
}

// SearchConversations implements app.UseCases.
func (c *Client) SearchConversations(ctx context.Context, text string) ([]app.ConversationMatch, error) {
	return ask[[]app.ConversationMatch](ctx, c, mSearchConversations, text)
}

// Draft implements app.UseCases.
func (c *Client) Draft(ctx context.Context, conversation int64) (string, error) {
	return ask[string](ctx, c, mDraft, conversation)
}

// SetDraft implements app.UseCases.
func (c *Client) SetDraft(ctx context.Context, conversation int64, text string) error {
	return c.call(ctx, mSetDraft, named{conversation, text}, nil, nil)
}

// Runs implements app.UseCases.
func (c *Client) Runs(ctx context.Context, limit int) ([]app.Run, error) {
	return ask[[]app.Run](ctx, c, mRuns, limit)
}

// Settings implements app.UseCases.
func (c *Client) Settings(ctx context.Context) ([]app.Setting, error) {
	return ask[[]app.Setting](ctx, c, mSettings, none{})
}

// SetSettings implements app.UseCases.
func (c *Client) SetSettings(ctx context.Context, change map[string]string) error {
	return c.call(ctx, mSetSettings, change, nil, nil)
}

// ResetSetting implements app.UseCases.
func (c *Client) ResetSetting(ctx context.Context, key string) error {
	return c.call(ctx, mResetSetting, key, nil, nil)
}

// Models implements app.UseCases.
func (c *Client) Models(ctx context.Context) (app.Models, error) {
	return ask[app.Models](ctx, c, mModels, none{})
}

// LoadModel implements app.UseCases.
func (c *Client) LoadModel(ctx context.Context, role, id string) error {
	return c.call(ctx, mLoadModel, label{role, id}, nil, nil)
}

// UnloadModel implements app.UseCases.
func (c *Client) UnloadModel(ctx context.Context, role string) error {
	return c.call(ctx, mUnloadModel, role, nil, nil)
}

// Status implements app.UseCases.
func (c *Client) Status(ctx context.Context) (app.Status, error) {
	return ask[app.Status](ctx, c, mStatus, none{})
}

// Doctor implements app.UseCases.
func (c *Client) Doctor(ctx context.Context) (app.Diagnosis, error) {
	return ask[app.Diagnosis](ctx, c, mDoctor, none{})
}

// Version implements app.UseCases.
func (c *Client) Version(ctx context.Context) (app.Version, error) {
	return ask[app.Version](ctx, c, mVersion, none{})
}

// Show implements app.UseCases.
func (c *Client) Show(ctx context.Context, paths []string) error {
	return c.call(ctx, mShow, paths, nil, nil)
}

// Watch implements app.UseCases.
func (c *Client) Watch(ctx context.Context, receive func(app.Notice)) error {
	return c.call(ctx, mWatch, none{}, each(receive), nil)
}

func each[T any](f func(T)) func(json.RawMessage) {
	if f == nil {
		return nil
	}
	return func(raw json.RawMessage) {
		var v T
		if json.Unmarshal(raw, &v) == nil {
			f(v)
		}
	}
}
