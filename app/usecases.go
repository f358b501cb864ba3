package app

import (
	"context"
	"encoding/json"
	"errors"

	"referent/rag"
)

// UseCases is everything that a front may ask for. App implements it in the
// owner's process, owner.Client over the socket. All methods may be called from
// any goroutine. Errors that people meet are *rag.Error.
type UseCases interface {
	// Ask runs one turn. Events arrive in the fixed order, one at a time;
	// the last is Done or Failed. The error repeats Failed, nil after Done.
	Ask(ctx context.Context, req AskRequest, emit func(rag.Event)) error
	// Prepare decides what would be searched, and searches nothing; only research
	// cannot decide without searching.
	Prepare(ctx context.Context, req AskRequest) (rag.Prepared, error)
	// Search retrieves and answers nothing.
	Search(ctx context.Context, req AskRequest) (SearchResult, error)

	Add(ctx context.Context, req AddRequest) (AddResult, error)
	Remove(ctx context.Context, req RemoveRequest) error
	// Sync reconciles all folders and returns when every file has a final
	// status and the vectors are there, or were found to be unobtainable.
	Sync(ctx context.Context, progress func(Progress)) error
	SetPaused(ctx context.Context, paused bool) error
	Retry(ctx context.Context, path string) error
	// Unlock reads a protected file, or those of a folder, with a password. Keep:
	// it also goes into the system's keyring, where there is one.
	Unlock(ctx context.Context, req UnlockRequest) (Unlocked, error)
	// SetEncoding sets the encoding of a file, or of the files in a folder that take
	// one, by any of its usual names, and has them read again. Empty or "auto": it
	// is found out.
	SetEncoding(ctx context.Context, path, encoding string) error
	// PlanAdd says what Add would cost. Nothing is opened or stored.
	PlanAdd(ctx context.Context, req AddRequest) (AddPlan, error)
	// WhyIgnored says in a sentence where a path stands in the library, and why.
	WhyIgnored(ctx context.Context, path string) (string, error)
	// IngestReport says where the time of the newest run of reading went.
	IngestReport(ctx context.Context) (IngestReport, error)
	// PlanEmbedder says whether the settings name another search model than the
	// one that serves, and what a new index would cost.
	PlanEmbedder(ctx context.Context) (EmbedPlan, error)
	// BuildEmbedder builds that index beside the one that serves and returns when
	// it has taken over. When ctx ends, or after StopEmbedder, what is made stays
	// for the next call.
	BuildEmbedder(ctx context.Context, progress func(EmbedPlan)) error
	StopEmbedder(ctx context.Context) error
	// PlanRecut says what it would cost to read the files anew that an earlier
	// version of the program has read. Recut begins with it and returns.
	PlanRecut(ctx context.Context) (RecutPlan, error)
	Recut(ctx context.Context) error
	Library(ctx context.Context) (Library, error)
	Files(ctx context.Context, req FilesRequest) (Files, error)
	SetLabel(ctx context.Context, path, label string) error
	SetClass(ctx context.Context, path, class string) error
	// SetPassageClass corrects the class of one passage; empty: its file's again.
	SetPassageClass(ctx context.Context, chunk int64, class string) error
	Pin(ctx context.Context, chunk int64, pinned bool) error
	// AddTags and RemoveTags change the person's own tags of files, SetTags gives
	// one file exactly these. Tags lists those at or below a path; an empty one is
	// the whole library.
	AddTags(ctx context.Context, change TagsChange) error
	RemoveTags(ctx context.Context, change TagsChange) error
	SetTags(ctx context.Context, change TagsChange) error
	Tags(ctx context.Context, path string) ([]Tag, error)
	DocumentText(ctx context.Context, document int64) (DocumentText, error)
	// DocumentFile tells where the bytes of a document lie, also of a restricted
	// one: it is for the person's own window.
	DocumentFile(ctx context.Context, document int64) (DocumentFile, error)
	Passage(ctx context.Context, chunk int64) (Passage, error)

	Collections(ctx context.Context) ([]Collection, error)
	CreateCollection(ctx context.Context, name, label string) (Collection, error)
	RenameCollection(ctx context.Context, name, to string) error
	DeleteCollection(ctx context.Context, name string) error

	Conversations(ctx context.Context, limit int) ([]Conversation, error)
	Conversation(ctx context.Context, id int64) (ConversationDetail, error)
	NewConversation(ctx context.Context, title string) (Conversation, error)
	RenameConversation(ctx context.Context, id int64, title string) error
	PinConversation(ctx context.Context, id int64, pinned bool) error
	// DeleteConversation takes it off every list; RestoreConversation brings it
	// back until the program ends.
	DeleteConversation(ctx context.Context, id int64) error
	RestoreConversation(ctx context.Context, id int64) error
	SearchConversations(ctx context.Context, text string) ([]ConversationMatch, error)
	// SetConversationOptions stores what counts for one conversation, in place
	// of all that was chosen for it before.
	SetConversationOptions(ctx context.Context, id int64, o ConversationOptions) error
	// BranchConversation copies a conversation up to and with a turn.
	BranchConversation(ctx context.Context, id int64, ordinal int) (Conversation, error)
	// ImportConversation takes in what an export to JSON has written.
	ImportConversation(ctx context.Context, text string) (Conversation, error)
	Draft(ctx context.Context, conversation int64) (string, error)
	SetDraft(ctx context.Context, conversation int64, text string) error
	Runs(ctx context.Context, limit int) ([]Run, error)

	Settings(ctx context.Context) ([]Setting, error)
	SetSettings(ctx context.Context, change map[string]string) error
	ResetSetting(ctx context.Context, key string) error

	Models(ctx context.Context) (Models, error)
	LoadModel(ctx context.Context, role, id string) error
	UnloadModel(ctx context.Context, role string) error
	// PullModel downloads a model and returns when it is there. When ctx ends,
	// what has arrived stays for the next call.
	PullModel(ctx context.Context, req PullRequest, progress func(Transfer)) error
	PauseModel(ctx context.Context, id string) error
	PermitDownload(ctx context.Context, id, host string, allow bool) error
	ImportModel(ctx context.Context, req ImportRequest, progress func(Transfer)) (ModelFile, error)
	// VerifyModels reads every installed file again, or the one with the id.
	VerifyModels(ctx context.Context, id string, progress func(Transfer)) ([]ModelFile, error)
	RemoveModel(ctx context.Context, id string) error
	// InstallRuntime puts an optional runtime in place from archives that the
	// person has; RemoveRuntime takes it away.
	InstallRuntime(ctx context.Context, req InstallRuntimeRequest, progress func(Transfer)) (RuntimeFolder, error)
	RemoveRuntime(ctx context.Context, name string) error
	// PullRuntime downloads the archives first. PauseModel and PermitDownload
	// answer to the ID of its transfers.
	PullRuntime(ctx context.Context, req PullRuntimeRequest, progress func(Transfer)) (RuntimeFolder, error)
	// CheckRuntime reads the libraries again and lets a small model run on them.
	CheckRuntime(ctx context.Context, name string) (RuntimeCheck, error)
	// Runtimes lists what models can run on, in the order of trial, and what can
	// be installed.
	Runtimes(ctx context.Context) ([]RuntimeFolder, error)
	FitModels(ctx context.Context, req FitRequest) (Fit, error)
	// SetRemote lets a server play a role, or ends that.
	SetRemote(ctx context.Context, req RemoteRequest) error
	Status(ctx context.Context) (Status, error)
	// TestModel lets the model of a role write a short text and measures it.
	TestModel(ctx context.Context, role string) (Speed, error)
	// Connections lists every connection to another computer, newest first.
	Connections(ctx context.Context) ([]Connection, error)
	Doctor(ctx context.Context) (Diagnosis, error)
	Version(ctx context.Context) (Version, error)

	// VerifyIndex compares the search index with the documents. RebuildIndex
	// makes it anew while the old one serves; RepairIndex does so only where
	// something is wrong.
	VerifyIndex(ctx context.Context) (IndexReport, error)
	RebuildIndex(ctx context.Context, progress func(IndexProgress)) error
	RepairIndex(ctx context.Context) (IndexReport, error)
	IndexSize(ctx context.Context) (IndexSize, error)
	// Backup writes library and conversations into one new file at a full path.
	Backup(ctx context.Context, path string) error
	// PlanRestore checks a backup, which takes its place at the next start.
	PlanRestore(ctx context.Context, path string) (Restored, error)

	// Labels tells which of the documents are in the library and how strictly
	// each is labelled: public or restricted. Others are left out.
	Labels(ctx context.Context, documents []int64) (map[int64]string, error)
	// Embed and Rerank are the models behind the search, for other programs.
	Embed(ctx context.Context, req EmbedRequest) (Embeddings, error)
	Rerank(ctx context.Context, req RerankRequest) (Ranking, error)
	// NoteCall remembers a call of another program, Calls lists the newest
	// first, RotateToken ends what all programs were allowed.
	NoteCall(ctx context.Context, c Call) error
	Calls(ctx context.Context) ([]Call, error)
	RotateToken(ctx context.Context) error
	// Serving tells how other programs reach the library; the server beside the
	// window notes where it listens.
	Serving(ctx context.Context) (Serving, error)
	NoteServing(ctx context.Context, s Serving) error

	// Evaluate measures engines on question sets. Items are kept as they are
	// measured: when ctx ends, the next call can go on.
	Evaluate(ctx context.Context, req EvalRequest, progress func(EvalProgress)) (EvalReport, error)
	Lab

	// Show brings the window to the front and hands it paths to add or an
	// action. Without a window it fails with CodeNotAvailable.
	Show(ctx context.Context, req ShowRequest) error
	// Watch delivers notices until ctx is done. A slow receiver misses
	// library and status notices, never the newest of each.
	Watch(ctx context.Context, each func(Notice)) error
}

// Optional is text that may be absent: null in JSON, "" in Go.
type Optional string

// MarshalJSON writes null for absent text.
func (o Optional) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(o))
}

// AskRequest is one question with everything that may override the settings.
// A zero field leaves the conversation's, then the stored value in force.
type AskRequest struct {
	Conversation *int64            `json:"conversation"` // nil: a new one, unless NoStore
	Question     string            `json:"question"`
	Engine       string            `json:"engine"`
	Retriever    string            `json:"retriever"`
	Mode         string            `json:"mode"`
	Scope        rag.Scope         `json:"scope"`
	Filters      []rag.Filter      `json:"filters"`
	EditedQuery  string            `json:"edited_query"` // search this text instead
	OwnWords     bool              `json:"own_words"`    // search the question itself
	History      []rag.Message     `json:"history"`      // replaces the conversation's; implies NoStore
	GivenHistory bool              `json:"given_history"`
	Set          map[string]string `json:"set"` // settings for this turn only
	NoStore      bool              `json:"no_store"`
	// Again names a stored turn whose question is asked once more, in its
	// conversation and with the history that it had. Question may be empty.
	Again *int64 `json:"again"`
	// SameEvidence answers Again from the passages of that turn and searches
	// nothing.
	SameEvidence bool `json:"same_evidence"`
	// Guest: another program asks. The turn waits while the person's own turns
	// run, and guests answer one at a time.
	Guest bool `json:"guest"`
}

// SearchResult is what retrieval found, judged by the floor but not packed.
type SearchResult struct {
	Prepared        rag.Prepared `json:"prepared"`
	Hits            []rag.Hit    `json:"hits"`
	Floor           float64      `json:"floor"`
	RestrictedCount int          `json:"restricted_count"`
	Retriever       string       `json:"retriever"`
	LatencyMS       float64      `json:"latency_ms"`
	Notes           []string     `json:"notes"`
}

// AddRequest adds folders (watched) and files. A collection that does not
// exist is made.
type AddRequest struct {
	Paths      []string `json:"paths"`
	Collection string   `json:"collection"`
	Restricted bool     `json:"restricted"`
	Exclude    []string `json:"exclude"` // patterns in the form of .gitignore
	// Password opens a protected file; it is kept in memory only.
	Password string `json:"password"`
}

// AddResult says what was taken. A problem costs only its own path.
type AddResult struct {
	Added    int       `json:"added"`
	Problems []Problem `json:"problems"`
}

// Problem is a path that could not be taken, with a sentence for people.
type Problem struct {
	Path     string `json:"path"`
	Sentence string `json:"sentence"`
}

// RemoveRequest takes folders or files out of the library; files on disk stay.
// Forget also erases the passages that old turns have stored.
type RemoveRequest struct {
	Paths  []string `json:"paths"`
	Forget bool     `json:"forget"`
}

// Progress is where ingest stands. RemainingSeconds is 0 while unknown.
type Progress struct {
	Done             int      `json:"done"`
	Total            int      `json:"total"`
	FilesPerMinute   float64  `json:"files_per_minute"`
	RemainingSeconds float64  `json:"remaining_seconds"`
	Paused           bool     `json:"paused"`
	VectorsDone      int      `json:"vectors_done"`
	VectorsTotal     int      `json:"vectors_total"`
	Current          Optional `json:"current"` // the file being read
	Sentence         Optional `json:"sentence"`
}

// Library is the state of all folders.
type Library struct {
	Folders     []Folder     `json:"folders"`
	Collections []Collection `json:"collections"`
	Progress    Progress     `json:"progress"`
}

// Folder is a watched folder, or one file that was added on its own.
type Folder struct {
	ID          int64    `json:"id"`
	Path        string   `json:"path"`
	Collection  Optional `json:"collection"`
	Label       string   `json:"label"`
	State       string   `json:"state"` // watching | polling | offline | paused
	Reason      Optional `json:"reason"`
	Indexed     int      `json:"indexed"`
	Waiting     int      `json:"waiting"`
	Failed      int      `json:"failed"`
	Ignored     int      `json:"ignored"`
	LastChecked Optional `json:"last_checked"` // RFC 3339; empty: never
	SingleFile  bool     `json:"single_file"`
}

// Collection is a named set of folders and files.
type Collection struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Label string `json:"label"`
}

// FilesRequest selects rows of the ledger. Limit 0 is 200.
type FilesRequest struct {
	Folder     int64  `json:"folder"`
	Collection int64  `json:"collection"`
	Status     string `json:"status"`
	Search     string `json:"search"`
	Label      string `json:"label"` // public | restricted; empty: both
	Sort       string `json:"sort"`  // path | status | updated | size; empty: path
	Offset     int    `json:"offset"`
	Limit      int    `json:"limit"`
}

// Files is a page of the ledger.
type Files struct {
	Total int    `json:"total"`
	Files []File `json:"files"`
}

// File is one row of the ledger.
type File struct {
	ID      int64          `json:"id"`
	Path    string         `json:"path"`
	Name    string         `json:"name"`
	Status  rag.FileStatus `json:"status"`
	Reason  Optional       `json:"reason"`
	Chunks  int            `json:"chunks"`
	Vectors int            `json:"vectors"`
	Class   string         `json:"class"`
	Label   string         `json:"label"`
	Updated string         `json:"updated"`
	Size    int64          `json:"size"`
	Pages   int            `json:"pages"`
	Kind    Optional       `json:"kind"`
	Title   Optional       `json:"title"`
	// Encoding is the one that the text was read in; absent: the kind has none.
	// EncodingChoice is what the person has set (SetEncoding); absent: it is found
	// out. TakesEncoding: one can be set for the file.
	Encoding       Optional `json:"encoding"`
	EncodingChoice Optional `json:"encoding_choice"`
	TakesEncoding  bool     `json:"takes_encoding"`
	Tags           []string `json:"tags"` // the person's own, sorted
}

// Passage is a chunk with what stands around it. Missing: the document has left
// the library and the stored text of the turn is all there is.
type Passage struct {
	Chunk    int64       `json:"chunk"`
	Document int64       `json:"document"`
	Title    string      `json:"title"`
	Path     string      `json:"path"`
	Heading  Optional    `json:"heading"`
	Locator  rag.Locator `json:"locator"`
	Before   string      `json:"before"`
	Text     string      `json:"text"`
	After    string      `json:"after"`
	Missing  bool        `json:"missing"`
}

// Conversation is one row of the list.
type Conversation struct {
	ID      int64  `json:"id"`
	Title   string `json:"title"`
	Created string `json:"created"`
	Updated string `json:"updated"`
	Pinned  bool   `json:"pinned"`
	Turns   int    `json:"turns"`
	// Options are what was chosen for it alone.
	Options ConversationOptions `json:"options"`
}

// ConversationMatch is a conversation with the words around the first match.
type ConversationMatch struct {
	Conversation
	Snippet string `json:"snippet"`
}

// ConversationDetail is a conversation with its turns, in the same shapes as
// the events, so that a reload shows what the live turn showed.
type ConversationDetail struct {
	Conversation Conversation `json:"conversation"`
	Turns        []StoredTurn `json:"turns"`
}

// StoredTurn is one turn as it was.
type StoredTurn struct {
	ID        int64         `json:"id"`
	Ordinal   int           `json:"ordinal"`
	Question  string        `json:"question"`
	Created   string        `json:"created"`
	Prepared  rag.Prepared  `json:"prepared"`
	Retrieval rag.Retrieval `json:"retrieval"`
	Done      rag.Done      `json:"done"`
	// Gone lists documents of the evidence that have left the library.
	Gone []int64 `json:"gone"`
	// Withheld: the answer rests on a document that is restricted or forgotten
	// now. Done.Answer is a sentence that says so.
	Withheld bool `json:"withheld"`
}

// MarshalJSON writes the parts as the events that they were.
func (t StoredTurn) MarshalJSON() ([]byte, error) {
	type plain StoredTurn // without this method
	var out struct {
		plain
		Prepared  json.RawMessage `json:"prepared"`
		Retrieval json.RawMessage `json:"retrieval"`
		Done      json.RawMessage `json:"done"`
		Gone      []int64         `json:"gone"`
	}
	out.plain, out.Gone = plain(t), append([]int64{}, t.Gone...)
	var errs [3]error
	out.Prepared, errs[0] = rag.MarshalEvent(t.Prepared)
	out.Retrieval, errs[1] = rag.MarshalEvent(t.Retrieval)
	out.Done, errs[2] = rag.MarshalEvent(t.Done)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// Run is one line of the run log: ids, codes and times, no text.
type Run struct {
	ID           int64              `json:"id"`
	Started      string             `json:"started"`
	Conversation *int64             `json:"conversation"`
	Turn         *int64             `json:"turn"`
	Engine       string             `json:"engine"`
	Status       string             `json:"status"`
	Code         Optional           `json:"code"`
	Reason       Optional           `json:"reason"`
	StagesMS     map[string]float64 `json:"stages_ms"`
}

// Setting is one row of the settings panel and of `settings list`.
type Setting struct {
	Key         string   `json:"key"`
	Type        string   `json:"type"`
	Value       string   `json:"value"`
	Default     string   `json:"default"`
	Options     []string `json:"options"`
	Min         float64  `json:"min"`
	Max         float64  `json:"max"`
	Auto        bool     `json:"auto"`
	Unit        Optional `json:"unit"`
	Group       string   `json:"group"`
	Label       string   `json:"label"`
	Help        string   `json:"help"`
	Scope       string   `json:"scope"`
	Source      string   `json:"source"`
	Environment Optional `json:"environment"`
	Notice      Optional `json:"notice"`
}

// ModelState is what plays a role now. Loading is 0 to 1 while State is loading.
type ModelState struct {
	Role      string   `json:"role"`
	ID        Optional `json:"id"`
	Name      Optional `json:"name"`
	State     string   `json:"state"` // none | loading | loaded | failed
	Loading   float64  `json:"loading"`
	Note      Optional `json:"note"`
	Layers    int      `json:"layers"`
	GPULayers int      `json:"gpu_layers"`
	Device    Optional `json:"device"`
	Runtime   Optional `json:"runtime"`
	Threads   int      `json:"threads"`
	Context   int      `json:"context"`
	Bytes     int64    `json:"bytes"`
	Shared    Optional `json:"shared"` // the role whose file it shares
	Remote    Optional `json:"remote"` // the server that texts are sent to; absent: nothing leaves this computer
}

// CatalogueRow is a model that can be used or obtained.
type CatalogueRow struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Roles     []string `json:"roles"`
	SizeBytes int64    `json:"size_bytes"`
	Licence   string   `json:"licence"`
	Installed bool     `json:"installed"`
	Fits      Optional `json:"fits"` // a sentence
	// Class is how it would run here: gpu, split, cpu or too_large.
	Class        string    `json:"class"`
	Quantization string    `json:"quantization"`
	Context      int       `json:"context"` // tokens
	CacheKind    string    `json:"cache_kind"`
	MemoryGiB    int       `json:"memory_gib"` // 0: not known
	Languages    []string  `json:"languages"`
	Note         Optional  `json:"note"`
	Downloadable bool      `json:"downloadable"`
	Host         Optional  `json:"host"`     // where it would come from
	Proof        Optional  `json:"proof"`    // of an installed file: catalogue, server or none
	Own          bool      `json:"own"`      // lies in the person's folder and can be removed
	Transfer     *Transfer `json:"transfer"` // a download that runs or waits
}

// Models is the state of the Models view.
type Models struct {
	Roles     []ModelState   `json:"roles"`
	Catalogue []CatalogueRow `json:"catalogue"`
	Runtime   RuntimeState   `json:"runtime"`
}

// RuntimeState is the llama.cpp build in use.
type RuntimeState struct {
	Name    string   `json:"name"`
	Folder  string   `json:"folder"`
	Devices []string `json:"devices"`
	Reason  Optional `json:"reason"`
}

// Status is the status strip.
type Status struct {
	Answer          ModelState   `json:"answer"`
	Condense        ModelState   `json:"condense"`
	Embed           ModelState   `json:"embed"`
	TokensPerSecond float64      `json:"tokens_per_second"`
	Outbound        int          `json:"outbound"`
	Index           IndexState   `json:"index"`
	Notices         []StatusNote `json:"notices"`
}

// IndexState counts what can be found.
type IndexState struct {
	Documents    int `json:"documents"`
	Chunks       int `json:"chunks"`
	VectorsDone  int `json:"vectors_done"`
	VectorsTotal int `json:"vectors_total"`
}

// StatusNote is a sentence at the top of the window. Kind: info | warn | bad.
type StatusNote struct {
	Kind     string `json:"kind"`
	Sentence string `json:"sentence"`
}

// Finding is one line of the doctor. Critical: the main job cannot run.
type Finding struct {
	Topic    string `json:"topic"`
	OK       bool   `json:"ok"`
	Critical bool   `json:"critical"`
	Sentence string `json:"sentence"`
}

// Diagnosis is what is installed and what would fail.
type Diagnosis struct {
	OK       bool      `json:"ok"`
	Findings []Finding `json:"findings"`
}

// Version names the parts.
type Version struct {
	Version string `json:"version"`
	Llama   string `json:"llama"`
	SQLite  string `json:"sqlite"`
}

// What a start of the program may ask the window for.
const (
	ActionNewChat  = "new_chat"
	ActionAddFiles = "add_files"
)

// ShowRequest is what a second start hands to the window that is open. Action
// is one of the words above, or empty.
type ShowRequest struct {
	Paths  []string `json:"paths"`
	Action string   `json:"action"`
}

// Notice is pushed to a front. Exactly one of Library, Status and Evaluation is
// set, or Show is true (bring the window to the front, with files or an action).
type Notice struct {
	Library *Library `json:"library"`
	Status  *Status  `json:"status"`
	// Evaluation is a measurement under way, or one that has ended.
	Evaluation *EvalRun `json:"evaluation"`
	Show       bool     `json:"show"`
	Paths      []string `json:"paths"`
	Action     string   `json:"action"`
}
