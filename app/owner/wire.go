package owner

import (
	"encoding/json"
	"errors"

	"referent/rag"
)

// protocol is raised when a message changes its meaning.
const protocol = 1

// maxLine bounds one message. A long document's text is the largest.
const maxLine = 256 << 20

// hello is the owner's first line.
type hello struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	Front    string `json:"front"` // window | command | serve
}

// request starts a call, or cancels the running one with the same ID.
type request struct {
	ID     uint64          `json:"id"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Cancel bool            `json:"cancel,omitempty"`
}

// reply carries an event, or ends the call with a result or an error.
type reply struct {
	ID     uint64          `json:"id"`
	Event  json.RawMessage `json:"event,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *rag.Error      `json:"error,omitempty"`
}

// public returns the error as it may cross a process border.
func public(err error) *rag.Error {
	var known *rag.Error
	if errors.As(err, &known) {
		return known
	}
	return &rag.Error{Code: rag.CodeInternal, Message: "Something went wrong inside the program.", Hint: "`referent doctor` may tell more.", Cause: err}
}
