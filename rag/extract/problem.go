package extract

import (
	"errors"
	"fmt"
	"io/fs"

	"referent/rag"
)

// problem is a file's own fault: a status with the sentence that a person
// reads. It travels as an error inside the package and never leaves it.
type problem struct {
	status rag.FileStatus
	reason string
	cause  error
}

func (p *problem) Error() string { return p.reason }
func (p *problem) Unwrap() error { return p.cause }

func damaged(reason string, cause error) error {
	return &problem{rag.FileDamaged, reason, cause}
}

func tooLarge(format string, args ...any) error {
	return &problem{rag.FileTooLarge, fmt.Sprintf(format, args...), nil}
}

func needsPassword(reason string) error {
	return &problem{rag.FileNeedsPassword, reason, nil}
}

func unsupported(reason string) error {
	return &problem{rag.FileUnsupported, reason, nil}
}

// asProblem turns any error of a reader into a status.
func asProblem(err error) *problem {
	var p *problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, fs.ErrPermission):
		return &problem{rag.FileNoPermission, "You have no permission to read this file. Change its permissions, then try again.", err}
	case errors.Is(err, fs.ErrNotExist):
		return &problem{rag.FileDamaged, "The file is gone. If it was moved, add it from its new place.", err}
	default:
		return &problem{rag.FileDamaged, "The file could not be read to its end. Open it in the program that made it and save it again.", err}
	}
}
