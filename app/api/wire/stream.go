package wire

import (
	"net/http"
	"time"
)

// WriteTime bounds one write to a caller, so that one who stopped reading holds
// neither the model nor a place in the line.
const WriteTime = 10 * time.Second

// Stream writes server-sent events (HTML standard, section 9.2). It is used by
// one goroutine. The zero value with W set is a stream that is not open yet.
type Stream struct {
	W    http.ResponseWriter
	open bool
}

// Open tells whether the status has gone out.
func (s *Stream) Open() bool { return s.open }

// Close lifts the time limit off the connection, which serves other requests.
func (s *Stream) Close() {
	if s.open {
		_ = http.NewResponseController(s.W).SetWriteDeadline(time.Time{}) // as in Send
	}
}

// Send writes one event; data is one line of JSON. Without a name the event is
// of the default type. An error means that nobody reads any more.
func (s *Stream) Send(name string, data []byte) error {
	control := http.NewResponseController(s.W)
	if !s.open {
		h := s.W.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-store")
		s.W.WriteHeader(http.StatusOK)
		s.open = true
	}
	_ = control.SetWriteDeadline(time.Now().Add(WriteTime)) // a writer without deadlines is a test's
	var frame []byte
	if name != "" {
		frame = append(append(append(frame, "event: "...), name...), '\n')
	}
	frame = append(append(append(frame, "data: "...), data...), "\n\n"...)
	if _, err := s.W.Write(frame); err != nil {
		return err
	}
	return control.Flush()
}
