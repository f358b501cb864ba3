package remote

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxEvent bounds one line of a stream, in bytes.
const maxEvent = 4 << 20

var (
	errDone     = errors.New("remote: the stream has ended")
	errNoEvents = errors.New("remote: the reply is no stream of events")
)

// events reads server-sent events (WHATWG HTML, section 9.2): the data of each,
// comments and other fields passed over.
type events struct {
	lines *bufio.Scanner
	any   bool
}

func newEvents(r io.Reader) *events {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxEvent)
	return &events{lines: lines}
}

// next returns the data of the next event; it stays valid until the call after.
// errDone after the mark [DONE], errNoEvents when the body ends without any
// event, io.ErrUnexpectedEOF when it ends in between.
func (e *events) next() ([]byte, error) {
	var data []byte
	for e.lines.Scan() {
		line := bytes.TrimSuffix(e.lines.Bytes(), []byte("\r"))
		if len(line) == 0 {
			if len(data) > 0 {
				return e.event(data)
			}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		if string(field) != "data" {
			continue
		}
		if len(data) > 0 {
			data = append(data, '\n')
		}
		data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
	}
	switch err := e.lines.Err(); {
	case err != nil:
		return nil, err
	case len(data) > 0:
		return e.event(data)
	case !e.any:
		return nil, errNoEvents
	}
	return nil, io.ErrUnexpectedEOF
}

func (e *events) event(data []byte) ([]byte, error) {
	e.any = true
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		return nil, errDone
	}
	return data, nil
}
