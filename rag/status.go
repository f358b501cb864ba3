package rag

// RewriteStatus says how a question became a search text.
type RewriteStatus string

// The closed list of rewrite statuses.
const (
	StatusVerbatimEngine RewriteStatus = "verbatim_engine"
	StatusNoHistory      RewriteStatus = "no_history"
	StatusDisabled       RewriteStatus = "disabled"
	StatusGated          RewriteStatus = "gated"
	StatusRewritten      RewriteStatus = "rewritten"
	StatusUnchanged      RewriteStatus = "unchanged"
	StatusExpanded       RewriteStatus = "expanded"
	StatusBlended        RewriteStatus = "blended"
	StatusResearched     RewriteStatus = "researched"
	StatusUserEdited     RewriteStatus = "user_edited"
	StatusUserWords      RewriteStatus = "user_words"
	StatusFailedExpanded RewriteStatus = "failed_expanded"
	StatusFailedVerbatim RewriteStatus = "failed_verbatim"
	StatusFailedStopped  RewriteStatus = "failed_stopped"
)

// Reason says why a rewrite failed; empty where none failed.
type Reason string

// The closed list of reasons.
const (
	ReasonTimeout           Reason = "timeout"
	ReasonCallError         Reason = "call_error"
	ReasonHTTPError         Reason = "http_error"
	ReasonBadBody           Reason = "bad_body"
	ReasonMissingField      Reason = "missing_field"
	ReasonEmptyQuery        Reason = "empty_query"
	ReasonTooLong           Reason = "too_long"
	ReasonGuardRejected     Reason = "guard_rejected"
	ReasonContextOverflow   Reason = "context_overflow"
	ReasonEmbedError        Reason = "embed_error"
	ReasonDimensionMismatch Reason = "dimension_mismatch"
	ReasonCancelled         Reason = "cancelled"
)

// FailurePolicy says what happens after a failed rewrite.
type FailurePolicy string

// The closed list of failure policies.
const (
	PolicyExpand   FailurePolicy = "expand"
	PolicyVerbatim FailurePolicy = "verbatim"
	PolicyStop     FailurePolicy = "stop"
)

// ResearchEnd says why a research loop ended; empty where none ran.
type ResearchEnd string

// The closed list of ends. Each of them leads to the best answer that the
// passages found until then allow, but for asked.
const (
	EndedEnough     ResearchEnd = "enough"       // the model said so
	EndedPatience   ResearchEnd = "patience"     // too many rounds without a new passage
	EndedMaxRounds  ResearchEnd = "max_rounds"   // the most rounds
	EndedAsked      ResearchEnd = "asked"        // the model asks the person
	EndedUnreadable ResearchEnd = "unreadable"   // the model's line could not be read, twice
	EndedFull       ResearchEnd = "full"         // no more fits the model's window
	EndedFailed     ResearchEnd = "model_failed" // the model did not answer
)

// AnswerMode says who writes the answer.
type AnswerMode string

// The closed list of answer modes.
const (
	ModeGenerate AnswerMode = "generate"
	ModeStrict   AnswerMode = "strict"
	ModeQuote    AnswerMode = "quote"
)

// FileStatus is where a file stands. Every file ends in one of them.
type FileStatus string

// The closed list of file statuses.
const (
	FileWaiting       FileStatus = "waiting"
	FileIndexing      FileStatus = "indexing"
	FileIndexed       FileStatus = "indexed"
	FilePartlyIndexed FileStatus = "partly_indexed"
	FileNeedsPassword FileStatus = "needs_password"
	FileNeedsOCR      FileStatus = "needs_ocr"
	FileUnsupported   FileStatus = "unsupported"
	FileTooLarge      FileStatus = "too_large"
	FileDamaged       FileStatus = "damaged"
	FileTimedOut      FileStatus = "timed_out"
	FileCloudOnly     FileStatus = "cloud_only"
	FileNoPermission  FileStatus = "no_permission"
	FileParked        FileStatus = "parked"
	FileOffline       FileStatus = "offline"
)

// FileStatuses lists every file status.
func FileStatuses() []FileStatus {
	return []FileStatus{FileWaiting, FileIndexing, FileIndexed, FilePartlyIndexed, FileNeedsPassword, FileNeedsOCR,
		FileUnsupported, FileTooLarge, FileDamaged, FileTimedOut, FileCloudOnly, FileNoPermission, FileParked, FileOffline}
}

// Final tells whether no work is waiting for the file.
func (s FileStatus) Final() bool { return s != FileWaiting && s != FileIndexing }

// Searchable tells whether the file's chunks may be found.
func (s FileStatus) Searchable() bool {
	return s == FileIndexed || s == FilePartlyIndexed || s == FileOffline
}

// Class is the retention class of a chunk's source.
type Class string

// The closed list of retention classes. Foreign values count as unknown.
const (
	ClassFact      Class = "fact"
	ClassSnapshot  Class = "snapshot"
	ClassTransient Class = "transient"
	ClassUnknown   Class = "unknown"
)

// Label says who may see a collection, a folder or a document.
type Label string

// Restricted content is listed and readable for its owner, and never a
// candidate in any query.
const (
	LabelPublic     Label = "public"
	LabelRestricted Label = "restricted"
)
