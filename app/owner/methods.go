package owner

import (
	"context"
	"encoding/json"

	"referent/app"
	"referent/rag"
)

// emit sends one event of a running call to the client.
type emit func(event any) error

// handler runs one method on the owner's side.
type handler func(ctx context.Context, u app.UseCases, params json.RawMessage, send emit) (any, error)

// none stands for absent parameters and results.
type none struct{}

// Parameter shapes of methods that take more than one value.
type (
	label struct {
		Path  string `json:"path"`
		Value string `json:"value"`
	}
	passageClass struct {
		Chunk int64  `json:"chunk"`
		Class string `json:"class"`
	}
	pin struct {
		Chunk  int64 `json:"chunk"`
		Pinned bool  `json:"pinned"`
	}
	keep struct {
		ID     int64 `json:"id"`
		Pinned bool  `json:"pinned"`
	}
	options struct {
		ID      int64                   `json:"id"`
		Options app.ConversationOptions `json:"options"`
	}
	place struct {
		ID      int64 `json:"id"`
		Ordinal int   `json:"ordinal"`
	}
	permission struct {
		ID    string `json:"id"`
		Host  string `json:"host"`
		Allow bool   `json:"allow"`
	}
	named struct {
		ID   int64  `json:"id"`
		Text string `json:"text"`
	}
)

// The method names. A name is part of the wire and is never reused.
const (
	mAsk                 = "ask"
	mPrepare             = "prepare"
	mSearch              = "search"
	mAdd                 = "add"
	mRemove              = "remove"
	mSync                = "sync"
	mSetPaused           = "set_paused"
	mRetry               = "retry"
	mUnlock              = "unlock"
	mSetEncoding         = "set_encoding"
	mPlanAdd             = "plan_add"
	mWhyIgnored          = "why_ignored"
	mIngestReport        = "ingest_report"
	mPlanEmbedder        = "plan_embedder"
	mBuildEmbedder       = "build_embedder"
	mStopEmbedder        = "stop_embedder"
	mPlanRecut           = "plan_recut"
	mRecut               = "recut"
	mLibrary             = "library"
	mFiles               = "files"
	mSetLabel            = "set_label"
	mSetClass            = "set_class"
	mAddTags             = "add_tags"
	mRemoveTags          = "remove_tags"
	mSetTags             = "set_tags"
	mTags                = "tags"
	mSetPassageClass     = "set_passage_class"
	mPin                 = "pin"
	mDocumentText        = "document_text"
	mDocumentFile        = "document_file"
	mPassage             = "passage"
	mCollections         = "collections"
	mCreateCollection    = "create_collection"
	mRenameCollection    = "rename_collection"
	mDeleteCollection    = "delete_collection"
	mConversations       = "conversations"
	mConversation        = "conversation"
	mNewConversation     = "new_conversation"
	mRenameConversation  = "rename_conversation"
	mPinConversation     = "pin_conversation"
	mDeleteConversation  = "delete_conversation"
	mRestoreConversation = "restore_conversation"
	mSearchConversations = "search_conversations"
	mConversationOptions = "set_conversation_options"
	mBranchConversation  = "branch_conversation"
	mDraft               = "draft"
	mSetDraft            = "set_draft"
	mRuns                = "runs"
	mSettings            = "settings"
	mSetSettings         = "set_settings"
	mResetSetting        = "reset_setting"
	mModels              = "models"
	mLoadModel           = "load_model"
	mUnloadModel         = "unload_model"
	mPullModel           = "pull_model"
	mPauseModel          = "pause_model"
	mPermitDownload      = "permit_download"
	mImportModel         = "import_model"
	mVerifyModels        = "verify_models"
	mRemoveModel         = "remove_model"
	mInstallRuntime      = "install_runtime"
	mRemoveRuntime       = "remove_runtime"
	mPullRuntime         = "pull_runtime"
	mCheckRuntime        = "check_runtime"
	mRuntimes            = "runtimes"
	mFitModels           = "fit_models"
	mSetRemote           = "set_remote"
	mStatus              = "status"
	mConnections         = "connections"
	mDoctor              = "doctor"
	mVersion             = "version"
	mVerifyIndex         = "verify_index"
	mRebuildIndex        = "rebuild_index"
	mRepairIndex         = "repair_index"
	mIndexSize           = "index_size"
	mBackup              = "backup"
	mLabels              = "labels"
	mEmbed               = "embed"
	mRerank              = "rerank"
	mNoteCall            = "note_call"
	mCalls               = "calls"
	mRotateToken         = "rotate_token"
	mServing             = "serving"
	mNoteServing         = "note_serving"
	mPlanRestore         = "plan_restore"
	mTestModel           = "test_model"
	mImportConversation  = "import_conversation"
	mEvaluate            = "evaluate"
	mLabState            = "lab_state"
	mSetLabFolder        = "set_lab_folder"
	mStartEvaluation     = "start_evaluation"
	mResumeEvaluation    = "resume_evaluation"
	mStopEvaluation      = "stop_evaluation"
	mEvaluation          = "evaluation"
	mCompareEvaluations  = "compare_evaluations"
	mExportEvaluation    = "export_evaluation"
	mProposeTest         = "propose_test"
	mSaveTest            = "save_test"
	mTests               = "tests"
	mDeleteTest          = "delete_test"
	mRestoreTest         = "restore_test"
	mRunTests            = "run_tests"
	mShow                = "show"
	mWatch               = "watch"
)

// methods is what a client may call.
var methods = map[string]handler{
	mAsk: func(ctx context.Context, u app.UseCases, params json.RawMessage, send emit) (any, error) {
		req, err := decode[app.AskRequest](params)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		err = u.Ask(ctx, req, func(e rag.Event) {
			line, err := rag.MarshalEvent(e)
			if err != nil || send(json.RawMessage(line)) != nil {
				cancel() // nobody is listening any more
			}
		})
		return none{}, err
	},
	mSync: func(ctx context.Context, u app.UseCases, _ json.RawMessage, send emit) (any, error) {
		return none{}, u.Sync(ctx, func(p app.Progress) { _ = send(p) })
	},
	mWatch: func(ctx context.Context, u app.UseCases, _ json.RawMessage, send emit) (any, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		return none{}, u.Watch(ctx, func(n app.Notice) {
			if send(n) != nil {
				cancel()
			}
		})
	},
	mPrepare:      both(app.UseCases.Prepare),
	mSearch:       both(app.UseCases.Search),
	mAdd:          both(app.UseCases.Add),
	mRemove:       in(app.UseCases.Remove),
	mSetPaused:    in(app.UseCases.SetPaused),
	mRetry:        in(app.UseCases.Retry),
	mUnlock:       both(app.UseCases.Unlock),
	mSetEncoding:  in(func(u app.UseCases, ctx context.Context, p label) error { return u.SetEncoding(ctx, p.Path, p.Value) }),
	mPlanAdd:      both(app.UseCases.PlanAdd),
	mWhyIgnored:   both(app.UseCases.WhyIgnored),
	mIngestReport: out(app.UseCases.IngestReport),
	mPlanEmbedder: out(app.UseCases.PlanEmbedder),
	mBuildEmbedder: func(ctx context.Context, u app.UseCases, _ json.RawMessage, send emit) (any, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		return none{}, u.BuildEmbedder(ctx, func(p app.EmbedPlan) {
			if send(p) != nil {
				cancel() // nobody is listening any more
			}
		})
	},
	mStopEmbedder: in(func(u app.UseCases, ctx context.Context, _ none) error {
		return u.StopEmbedder(ctx)
	}),
	mPlanRecut:     out(app.UseCases.PlanRecut),
	mRecut:         in(func(u app.UseCases, ctx context.Context, _ none) error { return u.Recut(ctx) }),
	mLibrary:       out(app.UseCases.Library),
	mFiles:         both(app.UseCases.Files),
	mDocumentText:  both(app.UseCases.DocumentText),
	mDocumentFile:  both(app.UseCases.DocumentFile),
	mPassage:       both(app.UseCases.Passage),
	mCollections:   out(app.UseCases.Collections),
	mConversations: both(app.UseCases.Conversations),
	mConversation:  both(app.UseCases.Conversation),
	mSetLabel:      in(func(u app.UseCases, ctx context.Context, p label) error { return u.SetLabel(ctx, p.Path, p.Value) }),
	mSetClass:      in(func(u app.UseCases, ctx context.Context, p label) error { return u.SetClass(ctx, p.Path, p.Value) }),
	mAddTags:       in(app.UseCases.AddTags),
	mRemoveTags:    in(app.UseCases.RemoveTags),
	mSetTags:       in(app.UseCases.SetTags),
	mTags:          both(app.UseCases.Tags),
	mSetPassageClass: in(func(u app.UseCases, ctx context.Context, p passageClass) error {
		return u.SetPassageClass(ctx, p.Chunk, p.Class)
	}),
	mPin: in(func(u app.UseCases, ctx context.Context, p pin) error { return u.Pin(ctx, p.Chunk, p.Pinned) }),
	mCreateCollection: both(func(u app.UseCases, ctx context.Context, p label) (app.Collection, error) {
		return u.CreateCollection(ctx, p.Path, p.Value)
	}),
	mRenameCollection: in(func(u app.UseCases, ctx context.Context, p label) error {
		return u.RenameCollection(ctx, p.Path, p.Value)
	}),
	mDeleteCollection: in(app.UseCases.DeleteCollection),
	mNewConversation:  both(app.UseCases.NewConversation),
	mPinConversation: in(func(u app.UseCases, ctx context.Context, p keep) error {
		return u.PinConversation(ctx, p.ID, p.Pinned)
	}),
	mRenameConversation: in(func(u app.UseCases, ctx context.Context, p named) error {
		return u.RenameConversation(ctx, p.ID, p.Text)
	}),
	mDeleteConversation:  in(app.UseCases.DeleteConversation),
	mRestoreConversation: in(app.UseCases.RestoreConversation),
	mSearchConversations: both(app.UseCases.SearchConversations),
	mConversationOptions: in(func(u app.UseCases, ctx context.Context, p options) error {
		return u.SetConversationOptions(ctx, p.ID, p.Options)
	}),
	mBranchConversation: both(func(u app.UseCases, ctx context.Context, p place) (app.Conversation, error) {
		return u.BranchConversation(ctx, p.ID, p.Ordinal)
	}),
	mDraft:        both(app.UseCases.Draft),
	mSetDraft:     in(func(u app.UseCases, ctx context.Context, p named) error { return u.SetDraft(ctx, p.ID, p.Text) }),
	mRuns:         both(app.UseCases.Runs),
	mSettings:     out(app.UseCases.Settings),
	mSetSettings:  in(app.UseCases.SetSettings),
	mResetSetting: in(app.UseCases.ResetSetting),
	mModels:       out(app.UseCases.Models),
	mLoadModel:    in(func(u app.UseCases, ctx context.Context, p label) error { return u.LoadModel(ctx, p.Path, p.Value) }),
	mUnloadModel:  in(app.UseCases.UnloadModel),
	mPullModel: func(ctx context.Context, u app.UseCases, params json.RawMessage, send emit) (any, error) {
		req, err := decode[app.PullRequest](params)
		if err != nil {
			return nil, err
		}
		return none{}, u.PullModel(ctx, req, func(t app.Transfer) { _ = send(t) })
	},
	mPauseModel: in(app.UseCases.PauseModel),
	mPermitDownload: in(func(u app.UseCases, ctx context.Context, p permission) error {
		return u.PermitDownload(ctx, p.ID, p.Host, p.Allow)
	}),
	mImportModel: func(ctx context.Context, u app.UseCases, params json.RawMessage, send emit) (any, error) {
		req, err := decode[app.ImportRequest](params)
		if err != nil {
			return nil, err
		}
		return u.ImportModel(ctx, req, func(t app.Transfer) { _ = send(t) })
	},
	mVerifyModels: func(ctx context.Context, u app.UseCases, params json.RawMessage, send emit) (any, error) {
		id, err := decode[string](params)
		if err != nil {
			return nil, err
		}
		return u.VerifyModels(ctx, id, func(t app.Transfer) { _ = send(t) })
	},
	mInstallRuntime: func(ctx context.Context, u app.UseCases, params json.RawMessage, send emit) (any, error) {
		req, err := decode[app.InstallRuntimeRequest](params)
		if err != nil {
			return nil, err
		}
		return u.InstallRuntime(ctx, req, func(t app.Transfer) { _ = send(t) })
	},
	mPullRuntime: func(ctx context.Context, u app.UseCases, params json.RawMessage, send emit) (any, error) {
		req, err := decode[app.PullRuntimeRequest](params)
		if err != nil {
			return nil, err
		}
		return u.PullRuntime(ctx, req, func(t app.Transfer) { _ = send(t) })
	},
	mCheckRuntime:  both(app.UseCases.CheckRuntime),
	mRemoveRuntime: in(app.UseCases.RemoveRuntime), mRuntimes: out(app.UseCases.Runtimes),
	mRemoveModel: in(app.UseCases.RemoveModel),
	mFitModels:   both(app.UseCases.FitModels),
	mSetRemote:   in(app.UseCases.SetRemote),
	mStatus:      out(app.UseCases.Status),
	mConnections: out(app.UseCases.Connections),
	mDoctor:      out(app.UseCases.Doctor),
	mVersion:     out(app.UseCases.Version),
	mVerifyIndex: out(app.UseCases.VerifyIndex),
	mRebuildIndex: func(ctx context.Context, u app.UseCases, _ json.RawMessage, send emit) (any, error) {
		return none{}, u.RebuildIndex(ctx, func(p app.IndexProgress) { _ = send(p) })
	},
	mRepairIndex: out(app.UseCases.RepairIndex),
	mIndexSize:   out(app.UseCases.IndexSize),
	mBackup:      in(app.UseCases.Backup),
	mLabels:      both(app.UseCases.Labels),
	mEmbed:       both(app.UseCases.Embed),
	mRerank:      both(app.UseCases.Rerank),
	mNoteCall:    in(app.UseCases.NoteCall),
	mCalls:       out(app.UseCases.Calls),
	mRotateToken: in(func(u app.UseCases, ctx context.Context, _ none) error {
		return u.RotateToken(ctx)
	}),
	mServing:            out(app.UseCases.Serving),
	mNoteServing:        in(app.UseCases.NoteServing),
	mPlanRestore:        both(app.UseCases.PlanRestore),
	mTestModel:          both(app.UseCases.TestModel),
	mImportConversation: both(app.UseCases.ImportConversation),
	mEvaluate: func(ctx context.Context, u app.UseCases, params json.RawMessage, send emit) (any, error) {
		req, err := decode[app.EvalRequest](params)
		if err != nil {
			return nil, err
		}
		return u.Evaluate(ctx, req, func(p app.EvalProgress) { _ = send(p) })
	},
	mLabState:           out(app.UseCases.LabState),
	mSetLabFolder:       in(app.UseCases.SetLabFolder),
	mStartEvaluation:    both(app.UseCases.StartEvaluation),
	mResumeEvaluation:   both(app.UseCases.ResumeEvaluation),
	mStopEvaluation:     in(app.UseCases.StopEvaluation),
	mEvaluation:         both(app.UseCases.Evaluation),
	mCompareEvaluations: both(app.UseCases.CompareEvaluations),
	mExportEvaluation:   both(app.UseCases.ExportEvaluation),
	mProposeTest:        both(app.UseCases.ProposeTest),
	mSaveTest:           both(app.UseCases.SaveTest),
	mTests:              out(app.UseCases.Tests),
	mDeleteTest:         in(app.UseCases.DeleteTest),
	mRestoreTest:        in(app.UseCases.RestoreTest),
	mRunTests:           out(app.UseCases.RunTests),
	mShow:               in(app.UseCases.Show),
}

// both adapts a method with a parameter and a result, in one without a result,
// out one without a parameter.
func both[P, R any](f func(app.UseCases, context.Context, P) (R, error)) handler {
	return func(ctx context.Context, u app.UseCases, params json.RawMessage, _ emit) (any, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		return f(u, ctx, p)
	}
}

func in[P any](f func(app.UseCases, context.Context, P) error) handler {
	return both(func(u app.UseCases, ctx context.Context, p P) (none, error) { return none{}, f(u, ctx, p) })
}

func out[R any](f func(app.UseCases, context.Context) (R, error)) handler {
	return func(ctx context.Context, u app.UseCases, _ json.RawMessage, _ emit) (any, error) { return f(u, ctx) }
}

func decode[P any](params json.RawMessage) (P, error) {
	var p P
	if err := json.Unmarshal(params, &p); err != nil {
		return p, &rag.Error{Code: rag.CodeInternal, Message: "A request of another Referent process could not be read.",
			Hint: "Both programs must be of the same version.", Cause: err}
	}
	return p, nil
}
