package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"referent/inference"
	"referent/inference/outbound"
)

// callError is a failed call. Its public face is an *inference.Error of kind
// ErrRemote; the program asks for the rest.
type callError struct {
	public  *inference.Error
	status  int
	timeout bool
}

func (e *callError) Error() string   { return e.public.Message }
func (e *callError) Unwrap() error   { return e.public }
func (e *callError) HTTPStatus() int { return e.status }  // 0: there was none
func (e *callError) Timeout() bool   { return e.timeout } // a limit passed

func fail(host string, cause error, format string, args ...any) *callError {
	return &callError{public: &inference.Error{Kind: inference.ErrRemote, Cause: cause, Message: fmt.Sprintf("The server %s ", host) + fmt.Sprintf(format, args...)}}
}

// statusError is a reply that says no. body is its beginning: it decides only
// about a kind and is never shown.
func statusError(host string, status int, body string) error {
	low := strings.ToLower(body)
	if (status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge) && strings.Contains(low, "context") &&
		(strings.Contains(low, "exceed") || strings.Contains(low, "length") || strings.Contains(low, "too long")) {
		return overflow()
	}
	e := fail(host, nil, "answered with status %d.", status)
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e = fail(host, nil, "wants another key (status %d). Set it with `referent models remote ROLE URL --key-stdin`.", status)
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		e = fail(host, nil, "does not offer this call, or has no such model (status %d). Look at the address and the name of the model.", status)
	case status == http.StatusTooManyRequests:
		e = fail(host, nil, "wants fewer requests (status 429). Try again later.")
	case status >= 500:
		e = fail(host, nil, "is busy or broken (status %d). Try again later.", status)
	}
	e.status = status
	return e
}

func overflow() error {
	return &inference.Error{Kind: inference.ErrContextOverflow, Message: "The text does not fit what the server's model can hold at once. Ask for fewer passages, or choose a model with a larger context."}
}

func badBody(host string, cause error) error {
	return fail(host, errors.Join(inference.ErrBadBody, cause), "sent a reply that cannot be read. Is it an OpenAI-compatible server?")
}

func missing(host, field string) error {
	return fail(host, fmt.Errorf("%w: %s", inference.ErrMissingField, field), "sent a reply without %q. Is it an OpenAI-compatible server?", field)
}

// connection is a call that got no reply, or lost it.
func connection(ctx context.Context, host string, err error) error {
	switch {
	case errors.Is(context.Cause(ctx), errSilent):
		e := fail(host, errSilent, "did not answer in time. Try again, or raise remote.timeout.")
		e.timeout = true
		return e
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, outbound.ErrDenied):
		return fail(host, err, "was not asked: the connection is not allowed.")
	}
	e := fail(host, err, "cannot be reached. Is it running, and is its address right?")
	e.timeout = true // nothing was found within the time for tries
	return e
}

var errSilent = errors.New("remote: the server was silent too long")
