package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"referent/inference"
	"referent/inference/outbound"
)

const (
	firstPause   = 250 * time.Millisecond // before the second try; doubles
	longestPause = 2 * time.Second
	maxBody      = 64 << 20 // bytes of a reply that is read as a whole
	keptBody     = 4 << 10  // bytes of a refusal that are looked at
)

// reply200 is a call that the server has taken. Reading tells that it is not
// silent; ctx ends when it is.
type reply200 struct {
	ctx     context.Context
	body    io.ReadCloser
	silence *time.Timer
	limit   time.Duration
	cancel  context.CancelCauseFunc
}

// Read implements io.Reader.
func (r *reply200) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if n > 0 {
		r.silence.Reset(r.limit)
	}
	return n, err
}

// close ends the call.
func (r *reply200) close() {
	r.silence.Stop()
	r.cancel(nil)
	_ = r.body.Close() // what was read is all that counts
}

// post sends one call and returns its reply with status 200, which the caller
// closes. What fails in passing is tried again until the time for tries is over.
func (h *Host) post(ctx context.Context, e entry, path string, body any) (_ *reply200, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	limit := h.cfg.Timeout()
	silence := time.AfterFunc(limit, func() { cancel(errSilent) })
	defer func() {
		if err != nil {
			silence.Stop()
			cancel(nil)
		}
	}()
	var resp *http.Response
	began, wait := h.cfg.Now(), firstPause
	for {
		resp, err = h.once(ctx, e, path, text)
		again := passing(resp, err)
		if !again || ctx.Err() != nil || !h.patient(ctx, began, wait) {
			break
		}
		if resp != nil {
			_ = resp.Body.Close()
		}
		if err := h.cfg.Wait(ctx, wait); err != nil {
			break
		}
		wait = min(2*wait, longestPause)
	}
	if err != nil {
		return nil, connection(ctx, e.host(), err)
	}
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(resp.Body, keptBody)) // what cannot be read says nothing
		_ = resp.Body.Close()
		return nil, statusError(e.host(), resp.StatusCode, string(said))
	}
	silence.Reset(limit)
	return &reply200{ctx: ctx, body: resp.Body, silence: silence, limit: limit, cancel: cancel}, nil
}

// patient tells whether another try still lies within the time for tries: the
// caller's own limit where there is one, Patience else.
func (h *Host) patient(ctx context.Context, began time.Time, wait time.Duration) bool {
	if end, ok := ctx.Deadline(); ok {
		return time.Until(end) > wait
	}
	return h.cfg.Now().Sub(began)+wait < h.cfg.Patience
}

// once sends the call one time.
func (h *Host) once(ctx context.Context, e entry, path string, text []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if h.cfg.Key != nil {
		key, err := h.cfg.Key(e.role)
		if err != nil {
			return nil, err
		}
		if key != "" {
			req.Header.Set("Authorization", "Bearer "+key)
		}
	}
	client := *h.cfg.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // texts go where the person said
	return client.Do(req)
}

// passing tells whether the same call may succeed a moment later.
func passing(resp *http.Response, err error) bool {
	if err != nil {
		return !errors.Is(err, outbound.ErrDenied)
	}
	switch s := resp.StatusCode; {
	case s == http.StatusRequestTimeout, s == http.StatusTooManyRequests, s >= 500 && s != http.StatusNotImplemented:
		return true
	}
	return false
}

// fetch sends a call and reads its whole reply into out.
func (h *Host) fetch(ctx context.Context, e entry, path string, body, out any) error {
	reply, err := h.post(ctx, e, path, body)
	if err != nil {
		return err
	}
	defer reply.close()
	text, err := io.ReadAll(io.LimitReader(reply, maxBody))
	if err != nil {
		return connection(reply.ctx, e.host(), err)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return badBody(e.host(), err)
	}
	return nil
}

// entry is what plays a role.
type entry struct {
	role    inference.Role
	address string // without a slash at its end
	info    inference.ModelInfo
}

func (e entry) host() string {
	u, err := url.Parse(e.address)
	if err != nil {
		return e.address
	}
	return u.Host
}

func trimmed(address string) string { return strings.TrimRight(address, "/") }
