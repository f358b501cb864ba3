package command

import (
	"context"
	"errors"
	"fmt"

	"referent/rag"
)

// Exit codes of every command.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitRefused     = 3 // the documents do not answer the question
	exitCondense    = 4 // the rewrite failed under the policy stop
	exitInterrupted = 130
)

// usageError is a wrong call: what is wrong, and what would be right.
type usageError struct{ sentence string }

func (e usageError) Error() string { return e.sentence }

func wrongUsage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// errRefused ends a turn that the documents do not answer. The refusal is on
// stdout already.
var errRefused = errors.New("refused")

// exitCode maps an error to the exit code of the process.
func exitCode(err error) int {
	var usage usageError
	var known *rag.Error
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errRefused):
		return exitRefused
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &known):
		switch known.Code {
		case rag.CodeUnknownChatEngine, rag.CodeUnknownRetriever, rag.CodeUnknownMode, rag.CodeUnknownSetting, rag.CodeInvalidSetting,
			rag.CodeInvalidFilter, rag.CodeUnknownConversation, rag.CodeUnknownDocument:
			return exitUsage
		case rag.CodeCondenseFailed:
			return exitCondense
		case rag.CodeCancelled:
			return exitInterrupted
		}
	}
	return exitFailed
}
