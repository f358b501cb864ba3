package wire

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
)

// MaxBody bounds a request in bytes.
const MaxBody = 4 << 20

// Read checks the body of a request against its route's schema and reads it
// into v: the media type first, then the size, the form, the fields.
func Read(d *Document, o *Operation, w http.ResponseWriter, r *http.Request, v any) *Failure {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &Failure{Code: CodeMediaType, Message: "The body must be JSON.", Hint: "Send the header Content-Type: application/json."}
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return &Failure{Code: CodeTooLarge, Message: "The request is larger than 4 MiB.", Hint: "Send less text at once."}
		}
		return Invalid("The body could not be read to its end.")
	}
	value, err := Decode(raw)
	if err != nil {
		return Invalid("The body is not one JSON value.")
	}
	if f := d.Check(o.Body, "", value); f != nil {
		return f
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return Invalid("The body does not have the form of %s.", o.Path)
	}
	return nil
}
