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

// Unlock implements app.UseCases.
func (c *Client) Unlock(ctx context.Context, req app.UnlockRequest) (app.Unlocked, error) {
	return ask[app.Unlocked](ctx, c, mUnlock, req)
}

// SetEncoding implements app.UseCases.
func (c *Client) SetEncoding(ctx context.Context, path, encoding string) error {
	return c.call(ctx, mSetEncoding, label{path, encoding}, nil, nil)
}

// PlanAdd implements app.UseCases.
func (c *Client) PlanAdd(ctx context.Context, req app.AddRequest) (app.AddPlan, error) {
	return ask[app.AddPlan](ctx, c, mPlanAdd, req)
}

// IngestReport implements app.UseCases.
func (c *Client) IngestReport(ctx context.Context) (app.IngestReport, error) {
	return ask[app.IngestReport](ctx, c, mIngestReport, none{})
}

// PlanRecut implements app.UseCases.
func (c *Client) PlanRecut(ctx context.Context) (app.RecutPlan, error) {
	return ask[app.RecutPlan](ctx, c, mPlanRecut, none{})
}

// Recut implements app.UseCases.
func (c *Client) Recut(ctx context.Context) error {
	return c.call(ctx, mRecut, none{}, nil, nil)
}

// PlanEmbedder implements app.UseCases.
func (c *Client) PlanEmbedder(ctx context.Context) (app.EmbedPlan, error) {
	return ask[app.EmbedPlan](ctx, c, mPlanEmbedder, none{})
}

// BuildEmbedder implements app.UseCases.
func (c *Client) BuildEmbedder(ctx context.Context, progress func(app.EmbedPlan)) error {
	return c.call(ctx, mBuildEmbedder, none{}, each(progress), nil)
}

// StopEmbedder implements app.UseCases.
func (c *Client) StopEmbedder(ctx context.Context) error {
	return c.call(ctx, mStopEmbedder, none{}, nil, nil)
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

// SetPassageClass implements app.UseCases.
func (c *Client) SetPassageClass(ctx context.Context, chunk int64, class string) error {
	return c.call(ctx, mSetPassageClass, passageClass{chunk, class}, nil, nil)
}

// Pin implements app.UseCases.
func (c *Client) Pin(ctx context.Context, chunk int64, pinned bool) error {
	return c.call(ctx, mPin, pin{chunk, pinned}, nil, nil)
}

// DocumentText implements app.UseCases.
func (c *Client) DocumentText(ctx context.Context, document int64) (app.DocumentText, error) {
	return ask[app.DocumentText](ctx, c, mDocumentText, document)
}

// DocumentFile implements app.UseCases.
func (c *Client) DocumentFile(ctx context.Context, document int64) (app.DocumentFile, error) {
	return ask[app.DocumentFile](ctx, c, mDocumentFile, document)
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

// PinConversation implements app.UseCases.
func (c *Client) PinConversation(ctx context.Context, id int64, pinned bool) error {
	return c.call(ctx, mPinConversation, keep{id, pinned}, nil, nil)
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

// SetConversationOptions implements app.UseCases.
func (c *Client) SetConversationOptions(ctx context.Context, id int64, o app.ConversationOptions) error {
	return c.call(ctx, mConversationOptions, options{id, o}, nil, nil)
}

// BranchConversation implements app.UseCases.
func (c *Client) BranchConversation(ctx context.Context, id int64, ordinal int) (app.Conversation, error) {
	return ask[app.Conversation](ctx, c, mBranchConversation, place{id, ordinal})
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

// PullModel implements app.UseCases.
func (c *Client) PullModel(ctx context.Context, req app.PullRequest, progress func(app.Transfer)) error {
	return c.call(ctx, mPullModel, req, each(progress), nil)
}

// PauseModel implements app.UseCases.
func (c *Client) PauseModel(ctx context.Context, id string) error {
	return c.call(ctx, mPauseModel, id, nil, nil)
}

// PermitDownload implements app.UseCases.
func (c *Client) PermitDownload(ctx context.Context, id, host string, allow bool) error {
	return c.call(ctx, mPermitDownload, permission{id, host, allow}, nil, nil)
}

// ImportModel implements app.UseCases.
func (c *Client) ImportModel(ctx context.Context, req app.ImportRequest, progress func(app.Transfer)) (app.ModelFile, error) {
	var f app.ModelFile
	err := c.call(ctx, mImportModel, req, each(progress), &f)
	return f, err
}

// VerifyModels implements app.UseCases.
func (c *Client) VerifyModels(ctx context.Context, id string, progress func(app.Transfer)) ([]app.ModelFile, error) {
	var f []app.ModelFile
	err := c.call(ctx, mVerifyModels, id, each(progress), &f)
	return f, err
}

// RemoveModel implements app.UseCases.
func (c *Client) RemoveModel(ctx context.Context, id string) error {
	return c.call(ctx, mRemoveModel, id, nil, nil)
}

// FitModels implements app.UseCases.
func (c *Client) FitModels(ctx context.Context, req app.FitRequest) (app.Fit, error) {
	return ask[app.Fit](ctx, c, mFitModels, req)
}

// SetRemote implements app.UseCases.
func (c *Client) SetRemote(ctx context.Context, req app.RemoteRequest) error {
	return c.call(ctx, mSetRemote, req, nil, nil)
}

// Status implements app.UseCases.
func (c *Client) Status(ctx context.Context) (app.Status, error) {
	return ask[app.Status](ctx, c, mStatus, none{})
}

// Connections implements app.UseCases.
func (c *Client) Connections(ctx context.Context) ([]app.Connection, error) {
	return ask[[]app.Connection](ctx, c, mConnections, none{})
}

// Doctor implements app.UseCases.
func (c *Client) Doctor(ctx context.Context) (app.Diagnosis, error) {
	return ask[app.Diagnosis](ctx, c, mDoctor, none{})
}

// Version implements app.UseCases.
func (c *Client) Version(ctx context.Context) (app.Version, error) {
	return ask[app.Version](ctx, c, mVersion, none{})
}

// Labels implements app.UseCases.
func (c *Client) Labels(ctx context.Context, documents []int64) (map[int64]string, error) {
	return ask[map[int64]string](ctx, c, mLabels, documents)
}

// Embed implements app.UseCases.
func (c *Client) Embed(ctx context.Context, req app.EmbedRequest) (app.Embeddings, error) {
	return ask[app.Embeddings](ctx, c, mEmbed, req)
}

// Rerank implements app.UseCases.
func (c *Client) Rerank(ctx context.Context, req app.RerankRequest) (app.Ranking, error) {
	return ask[app.Ranking](ctx, c, mRerank, req)
}

// NoteCall implements app.UseCases.
func (c *Client) NoteCall(ctx context.Context, call app.Call) error {
	return c.call(ctx, mNoteCall, call, nil, nil)
}

// Calls implements app.UseCases.
func (c *Client) Calls(ctx context.Context) ([]app.Call, error) {
	return ask[[]app.Call](ctx, c, mCalls, none{})
}

// Evaluate implements app.UseCases.
func (c *Client) Evaluate(ctx context.Context, req app.EvalRequest, progress func(app.EvalProgress)) (app.EvalReport, error) {
	var r app.EvalReport
	err := c.call(ctx, mEvaluate, req, each(progress), &r)
	return r, err
}

// Show implements app.UseCases.
func (c *Client) Show(ctx context.Context, req app.ShowRequest) error {
	return c.call(ctx, mShow, req, nil, nil)
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
