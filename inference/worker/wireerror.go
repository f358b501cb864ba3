package worker

import (
	"context"
	"errors"

	"referent/inference"
)

// wireError carries both faces of an error over the pipe.
type wireError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Cause   string `json:"cause"`
}

// codes are the errors that keep their identity.
var codes = []struct {
	code string
	kind error
}{
	{"no_model", inference.ErrNoModel},
	{"no_runtime", inference.ErrNoRuntime},
	{"model_file", inference.ErrModelFile},
	{"out_of_memory", inference.ErrOutOfMemory},
	{"context_overflow", inference.ErrContextOverflow},
	{"grammar", inference.ErrGrammar},
	{"worker_died", inference.ErrWorkerDied},
	{"cancelled", context.Canceled},
	{"deadline", context.DeadlineExceeded},
}

func toWire(err error) *wireError {
	if err == nil {
		return nil
	}
	w := &wireError{Message: err.Error()}
	for _, c := range codes {
		if errors.Is(err, c.kind) {
			w.Code = c.code
			break
		}
	}
	var e *inference.Error
	if errors.As(err, &e) && e.Cause != nil {
		w.Cause = e.Cause.Error()
	}
	return w
}

func (w *wireError) err() error {
	if w == nil {
		return nil
	}
	var cause error
	if w.Cause != "" {
		cause = errors.New(w.Cause)
	}
	for _, c := range codes {
		if c.code != w.Code {
			continue
		}
		if c.kind == context.Canceled || c.kind == context.DeadlineExceeded {
			return c.kind
		}
		return &inference.Error{Kind: c.kind, Message: w.Message, Cause: cause}
	}
	return errors.New(w.Message)
}
