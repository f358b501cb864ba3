package rag

// Code names an error for programs.
type Code string

// The closed list of error codes.
const (
	CodeCondenseFailed      Code = "condense_failed"
	CodeUnknownChatEngine   Code = "unknown_chat_engine"
	CodeUnknownRetriever    Code = "unknown_retriever"
	CodeUnknownMode         Code = "unknown_mode"
	CodeUnknownSetting      Code = "unknown_setting"
	CodeInvalidSetting      Code = "invalid_setting"
	CodeInvalidFilter       Code = "invalid_filter"
	CodeUnknownConversation Code = "unknown_conversation"
	CodeUnknownDocument     Code = "unknown_document"
	CodeNoModel             Code = "no_model"
	CodeModelFailed         Code = "model_failed"
	CodeContextOverflow     Code = "context_overflow"
	CodeCancelled           Code = "cancelled"
	CodeLibraryBusy         Code = "library_busy"
	CodeStorageFailed       Code = "storage_failed"
	CodeNotAvailable        Code = "not_available"
	CodeInternal            Code = "internal"
)

// Error is the one error that crosses a front's border. Message says what
// happened, Hint what to do next; both are for people. Cause is for the log
// and never shown.
type Error struct {
	Code    Code   `json:"code"`
	Reason  Reason `json:"reason"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	Cause   error  `json:"-"`
}

// Error returns the sentence for people.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is makes errors.Is(err, &Error{Code: …}) compare codes.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code && t.Message == ""
}
