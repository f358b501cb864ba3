package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"referent/rag"
)

// Codes of refusals that only this border makes; the others are those of rag.
const (
	CodeUnauthorized     rag.Code = "unauthorized"
	CodeForbidden        rag.Code = "forbidden"
	CodeNotFound         rag.Code = "not_found"
	CodeMethodNotAllowed rag.Code = "method_not_allowed"
	CodeMediaType        rag.Code = "unsupported_media_type"
	CodeTooLarge         rag.Code = "request_too_large"
	CodeInvalid          rag.Code = "invalid_request"
	CodeTooMany          rag.Code = "too_many_requests"
	CodeWithheld         rag.Code = "withheld" // it rests on content that is restricted now
)

// Failure is a refusal or a failure as another program gets it. In a sentence
// for people the hint follows the message.
type Failure struct {
	Code       rag.Code
	Reason     rag.Reason
	Message    string
	Hint       string
	RetryAfter int // seconds; 0: not said
}

// Error returns the sentences.
func (f *Failure) Error() string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + " " + f.Hint
}

// Invalid is a request that the description does not allow.
func Invalid(format string, args ...any) *Failure {
	return &Failure{Code: CodeInvalid, Message: fmt.Sprintf(format, args...)}
}

// FailureOf turns an error of a use case into a failure. Causes stay inside.
func FailureOf(err error) *Failure {
	var f *Failure
	var known *rag.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &known):
		return &Failure{Code: known.Code, Reason: known.Reason, Message: known.Message, Hint: known.Hint}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Failure{Code: rag.CodeCancelled, Reason: rag.ReasonCancelled, Message: "Stopped. Nothing was stored."}
	}
	return &Failure{Code: rag.CodeInternal, Message: "Something went wrong inside the program.", Hint: "`referent doctor` may tell more."}
}

// statuses maps codes to HTTP; a code that is not here is 500.
var statuses = map[rag.Code]int{
	CodeUnauthorized: http.StatusUnauthorized, CodeForbidden: http.StatusForbidden, CodeNotFound: http.StatusNotFound,
	CodeMethodNotAllowed: http.StatusMethodNotAllowed, CodeMediaType: http.StatusUnsupportedMediaType, CodeTooLarge: http.StatusRequestEntityTooLarge,
	CodeInvalid: http.StatusUnprocessableEntity, CodeTooMany: http.StatusTooManyRequests, CodeWithheld: http.StatusConflict,

	rag.CodeUnknownChatEngine: http.StatusUnprocessableEntity, rag.CodeUnknownRetriever: http.StatusUnprocessableEntity,
	rag.CodeUnknownMode: http.StatusUnprocessableEntity, rag.CodeUnknownSetting: http.StatusUnprocessableEntity,
	rag.CodeInvalidSetting: http.StatusUnprocessableEntity, rag.CodeInvalidFilter: http.StatusUnprocessableEntity,
	rag.CodeContextOverflow: http.StatusUnprocessableEntity,

	rag.CodeUnknownConversation: http.StatusNotFound, rag.CodeUnknownDocument: http.StatusNotFound,
	rag.CodeLibraryBusy: http.StatusConflict, rag.CodeNotAvailable: http.StatusNotImplemented,
	rag.CodeCondenseFailed: http.StatusServiceUnavailable, rag.CodeNoModel: http.StatusServiceUnavailable,
	rag.CodeModelFailed: http.StatusServiceUnavailable, rag.CodeCancelled: http.StatusServiceUnavailable,
}

// Status is the HTTP status of the failure.
func (f *Failure) Status() int {
	if s, ok := statuses[f.Code]; ok {
		return s
	}
	return http.StatusInternalServerError
}

// Body is the JSON form before a stream opens: exactly these three fields.
func (f *Failure) Body() any {
	var reason *rag.Reason
	if f.Reason != "" {
		reason = &f.Reason
	}
	return struct {
		Error   rag.Code    `json:"error"`
		Reason  *rag.Reason `json:"reason"`
		Message string      `json:"message"`
	}{f.Code, reason, f.Error()}
}

// Event is the failure as the last event of an open stream.
func (f *Failure) Event() rag.Failed {
	return rag.Failed{Err: &rag.Error{Code: f.Code, Reason: f.Reason, Message: f.Message, Hint: f.Hint}}
}

// Write answers with the failure; body gives its form.
func (f *Failure) Write(w http.ResponseWriter, body any) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if f.Code == CodeUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="referent"`)
	}
	WriteJSON(w, f.Status(), body)
}

// WriteJSON answers with one JSON value.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"error":"internal","reason":null,"message":"The answer could not be written."}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n')) // a caller that is gone needs no answer
}
