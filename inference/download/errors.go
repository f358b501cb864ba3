package download

import (
	"errors"
	"fmt"

	"referent/inference"
)

// Kinds of errors, for errors.Is. Each comes in an *inference.Error with a
// sentence for people.
var (
	ErrUnreachable = errors.New("the server cannot be reached")
	ErrServer      = errors.New("the server does not send the file")
	ErrChanged     = errors.New("the file at its source is another one")
	ErrAltered     = errors.New("what arrived is not the file")
	ErrNoHash      = errors.New("nothing to compare the file with")
	ErrNoSpace     = errors.New("not enough space on the disk")
	ErrDisk        = errors.New("the file cannot be stored")
)

func fail(kind, cause error, format string, args ...any) error {
	return &inference.Error{Kind: kind, Message: fmt.Sprintf(format, args...), Cause: cause}
}

// again marks an error after which another try may help.
type again struct{ error }

func (a again) Unwrap() error { return a.error }

var (
	errStalled = errors.New("download: no byte arrived within the stall limit")
	errAnew    = errors.New("download: the server's version is another one than the part's")
)
