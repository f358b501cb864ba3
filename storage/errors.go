package storage

import (
	"context"
	"errors"
	"slices"
	"syscall"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Kinds of failure that callers tell apart with errors.Is.
var (
	ErrLocked   = errors.New("the data folder is in use")
	ErrDiskFull = errors.New("the disk is full")
	ErrReadOnly = errors.New("the data folder cannot be written")
	ErrDamaged  = errors.New("the file is damaged")
	ErrNewer    = errors.New("the schema is newer than this program")
	ErrBusy     = errors.New("the file is busy")
	ErrPlace    = errors.New("the data folder is in an unsafe place")
	ErrSQLite   = errors.New("the SQLite library is too old")
	ErrFailed   = errors.New("the storage failed")
)

// Error has two faces: Message and Hint are sentences for people (what
// happened, what to do next), Kind is one of the errors above for the program,
// Cause is for the log and never shown.
type Error struct {
	Kind    error
	Message string
	Hint    string
	Cause   error
}

// Error returns the sentences for people.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

// Unwrap gives errors.Is both the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// Explain turns an error of SQLite or of the system into an *Error with a
// sentence. nil, an *Error, a context's error and an error that is neither stay
// as they are.
func Explain(err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	full := func() error {
		return &Error{Kind: ErrDiskFull, Message: "The disk is full. What was stored before is safe.",
			Hint: "Free some space, then try again.", Cause: err}
	}
	readOnly := func() error {
		return &Error{Kind: ErrReadOnly, Message: "The data folder cannot be written.",
			Hint: "Check that the folder belongs to you and that the disk is not read-only.", Cause: err}
	}
	limit := func() error {
		return &Error{Kind: ErrDiskFull, Message: "A limit on the space for this user or file is reached. What was stored before is safe.",
			Hint: "Free some space, then try again.", Cause: err}
	}
	var s sqlite3.Error
	if !errors.As(err, &s) {
		switch {
		case errors.Is(err, syscall.ENOSPC):
			return full()
		case overLimit(err):
			return limit()
		case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EPERM):
			return readOnly()
		}
		return err
	}
	switch {
	case s.Code == sqlite3.ErrFull, s.SystemErrno == syscall.ENOSPC:
		return full()
	case overLimit(s.SystemErrno):
		return limit()
	case s.Code == sqlite3.ErrReadonly, s.Code == sqlite3.ErrPerm, s.Code == sqlite3.ErrCantOpen:
		return readOnly()
	case s.Code == sqlite3.ErrCorrupt, s.Code == sqlite3.ErrNotADB:
		return &Error{Kind: ErrDamaged, Message: "A file of the data folder is damaged.",
			Hint: "Restore the newest copy from the folder “backup”; the documents themselves are untouched.", Cause: err}
	case s.Code == sqlite3.ErrBusy, s.Code == sqlite3.ErrLocked:
		return &Error{Kind: ErrBusy, Message: "The data folder is busy with other work.", Hint: "Try again in a moment.", Cause: err}
	case s.Code == sqlite3.ErrInterrupt:
		return context.Canceled
	}
	return &Error{Kind: ErrFailed, Message: "The data could not be read or stored.", Hint: "Try again; if it stays, run “referent doctor”.", Cause: err}
}

// overLimit tells whether a write failed because of a quota or of a limit on
// the size of a file.
func overLimit(err error) bool {
	return slices.ContainsFunc(limitErrors, func(l syscall.Errno) bool { return errors.Is(err, l) })
}
