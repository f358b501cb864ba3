package download

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"time"

	"referent/inference/outbound"
)

// blockSize is how much is read at once, in bytes.
const blockSize = 256 << 10

// transfer is one Fetch under way.
type transfer struct {
	Downloader
	req    Request
	file   *os.File
	sum    hash.Hash // of the first done bytes
	done   int64
	state  state
	meter  meter
	report func(Progress)
}

// size is the exact size of the file, 0 while unknown.
func (t *transfer) size() int64 {
	if t.req.Bytes > 0 {
		return t.req.Bytes
	}
	return t.state.Size
}

// attempt makes one request and reads its body to the end. nil: every byte is
// there.
func (t *transfer) attempt(ctx context.Context) error {
	if t.size() > 0 && t.done == t.size() {
		return nil
	}
	if t.done > 0 && t.state.Validator == "" { // nothing says that the rest belongs to it
		if err := t.restart(); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := t.Clock.AfterFunc(t.Stall, func() { cancel(errStalled) })
	defer watch.Stop()
	// A connection waits for a person's permission; only then the time counts.
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { watch.Stop() },
		GotConn: func(httptrace.GotConnInfo) { watch.Reset(t.Stall) },
	})
	resp, announced, err := t.ask(ctx)
	if err != nil {
		return broken(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if complete, err := t.accept(resp, announced); err != nil || complete {
		return err
	}
	buffer := make([]byte, blockSize)
	for ctx.Err() == nil { // what is buffered would be read on for a while
		n, err := resp.Body.Read(buffer)
		if n > 0 {
			watch.Reset(t.Stall)
			if err := t.take(buffer[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF) && t.done < t.size():
			return broken(ctx, io.ErrUnexpectedEOF)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return broken(ctx, err)
		}
	}
	return broken(ctx, ctx.Err())
}

// ask sends the request, for the rest where there is a part.
func (t *transfer) ask(ctx context.Context) (*http.Response, announcement, error) {
	var named announcement
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.req.URL, nil)
	if err != nil {
		return nil, named, err
	}
	req.Header.Set("Accept-Encoding", "identity") // offsets count the file's own bytes
	if t.done > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", t.done))
		req.Header.Set("If-Range", t.state.Validator)
	}
	client := *t.Client
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		named.read(next.Response.Header)
		switch {
		case len(via) >= 10:
			return fail(ErrServer, nil, "The server sends the download from place to place without end. Try again later.")
		case via[0].URL.Scheme == "https" && next.URL.Scheme != "https":
			return fail(ErrServer, nil, "The server wants to send the file over an open connection. It was not downloaded.")
		}
		return nil
	}
	resp, err := client.Do(req)
	if err == nil {
		named.read(resp.Header)
	}
	return resp, named, err
}

// take stores a block.
func (t *transfer) take(block []byte) error {
	if t.size() > 0 && t.done+int64(len(block)) > t.size() {
		return errors.Join(fail(ErrAltered, nil, "The server sends more than the file has. The download was thrown away; try again later."), t.drop())
	}
	if _, err := t.file.Write(block); err != nil {
		return diskError(err)
	}
	t.sum.Write(block)
	t.done += int64(len(block))
	t.moved(PhaseReceiving)
	return nil
}

// broken sorts an error of a connection: permission and our own sentences are
// final, everything else may pass.
func broken(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStalled) {
		return again{fail(ErrUnreachable, errStalled, "The server has stopped sending. Try again later; what has arrived is kept.")}
	}
	switch {
	case errors.Is(err, outbound.ErrDenied):
		return fail(outbound.ErrDenied, err, "The connection was not allowed, so nothing was downloaded.")
	case errors.Is(err, ErrServer):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return again{fail(ErrUnreachable, err, "The connection broke off. What has arrived is kept; start the download again.")}
	}
	return again{fail(ErrUnreachable, err, "The server cannot be reached. Look at the network connection and try again.")}
}

// moved reports progress when a report is due.
func (t *transfer) moved(p Phase) {
	now := t.Clock.Now()
	t.meter.add(now, t.done)
	if t.meter.due(now) {
		t.tell(p, "")
	}
}

// tell reports where the download stands.
func (t *transfer) tell(p Phase, problem string) {
	if t.report == nil {
		return
	}
	now := Progress{Phase: p, Done: t.done, Total: t.size(), Problem: problem}
	if p == PhaseReceiving {
		now.Rate = t.meter.rate()
		if now.Rate > 0 && now.Total > now.Done {
			now.Remaining = time.Duration(float64(now.Total-now.Done) / now.Rate * float64(time.Second)).Round(time.Second)
		}
	}
	t.report(now)
}
