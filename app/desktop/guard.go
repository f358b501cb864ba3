package desktop

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"referent/rag"
	"referent/storage"
)

// PageError is what a rejected promise carries. Message and hint are sentences.
type PageError struct {
	Code    string  `json:"code"`
	Reason  *string `json:"reason"`
	Message string  `json:"message"`
	Hint    string  `json:"hint"`
}

// FormatError turns an error of a bound method into a PageError.
func FormatError(err error) any {
	var known *rag.Error
	var stored *storage.Error
	switch {
	case errors.As(err, &known):
		p := PageError{Code: string(known.Code), Message: known.Message, Hint: known.Hint}
		if known.Reason != "" {
			reason := string(known.Reason)
			p.Reason = &reason
		}
		return p
	case errors.As(err, &stored):
		return PageError{Code: string(rag.CodeStorageFailed), Message: stored.Message, Hint: stored.Hint}
	case errors.Is(err, context.Canceled):
		return PageError{Code: string(rag.CodeCancelled), Message: "Stopped."}
	}
	return PageError{Code: string(rag.CodeInternal), Message: "Something went wrong inside the program.", Hint: "What you had is stored. Try again."}
}

// guard runs a bound method of the window, and says its result in the language of
// the page.
func guard[R any](w *Window, f func(ctx context.Context) (R, error)) (R, error) {
	result, err := guarded(w.log, func() (R, error) { return f(w.ctx) })
	return said(w.speaker(), result), err
}

// guarded runs a bound method. Wails recovers nothing, so an unguarded panic
// would end the program; the stack goes to the log.
func guarded[R any](log func(string), f func() (R, error)) (result R, err error) {
	defer func() {
		if p := recover(); p != nil {
			log(fmt.Sprintf("panic in a window call: %v\n%s", p, debug.Stack()))
			err = &rag.Error{Code: rag.CodeInternal, Message: "Something went wrong inside the program.",
				Hint: "What you had is stored. Try again.", Cause: fmt.Errorf("panic: %v", p)}
		}
	}()
	return f()
}

// guardDo is guard for methods without a result.
func guardDo(w *Window, f func(ctx context.Context) error) error {
	_, err := guard(w, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}
