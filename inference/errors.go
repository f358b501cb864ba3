package inference

import "errors"

// Errors that callers tell apart with errors.Is. An implementation wraps them
// in *Error, which carries a sentence for people.
var (
	ErrNoModel         = errors.New("no model is loaded for this role")
	ErrNoRuntime       = errors.New("no runtime libraries")
	ErrModelFile       = errors.New("the model file cannot be used")
	ErrOutOfMemory     = errors.New("out of memory")
	ErrContextOverflow = errors.New("the prompt does not fit the context")
	ErrGrammar         = errors.New("the model cannot be held to this grammar")
	ErrWorkerDied      = errors.New("the model worker ended")
	ErrParked          = errors.New("the model was put aside") // the cause of an ErrWorkerDied that comes with every call until the next load
	ErrRemote          = errors.New("the server of the model failed")
	ErrBadBody         = errors.New("the server's reply cannot be read")
	ErrMissingField    = errors.New("the server's reply lacks a field")
)

// Error has two faces: Message is a sentence for people, with the next step;
// Kind is one of the errors above for the program; Cause is for the log.
type Error struct {
	Kind    error
	Message string
	Cause   error
}

// Error returns the sentence for people.
func (e *Error) Error() string { return e.Message }

// Unwrap gives errors.Is both the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}
