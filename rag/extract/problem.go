package extract

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

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

// tooLargeAdvice helps whichever limit a file passes.
const tooLargeAdvice = "Split it, or export the part that you need."

func tooLarge(format string, args ...any) error {
	return &problem{rag.FileTooLarge, fmt.Sprintf(format, args...) + " " + tooLargeAdvice, nil}
}

func needsPassword(reason string) error {
	return &problem{rag.FileNeedsPassword, reason, nil}
}

func unsupported(reason string) error {
	return &problem{rag.FileUnsupported, reason, nil}
}

// partlyAdvice helps both where a limit was met and where something is damaged.
const partlyAdvice = " To have all of it read, save it again in the program that made it, or split it."

// partlyReason joins what was left out of a document, a sentence each, and says
// what to do where none of them does so itself.
func partlyReason(left []string) string {
	for _, sentence := range left {
		if strings.Contains(sentence, ". ") { // a second sentence is advice
			return strings.Join(left, " ")
		}
	}
	return strings.Join(left, " ") + partlyAdvice
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
