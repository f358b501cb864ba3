package openai

import (
	"net/http"
	"strings"

	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/rag"
)

// front is what the routes share.
type front struct {
	view   *public.View
	client func(*http.Request) string
}

// Routes are the routes by method and path. client names the calling program.
func Routes(view *public.View, client func(*http.Request) string) map[string]http.HandlerFunc {
	f := &front{view, client}
	return map[string]http.HandlerFunc{
		"POST /v1/chat/completions": f.chat,
		"GET /v1/models":            f.models,
		"POST /v1/embeddings":       f.embeddings,
		"POST /v1/rerank":           f.rerank,
	}
}

// Shaped tells whether refusals at this path have the shape of OpenAI.
func Shaped(path string) bool { return strings.HasPrefix(path, "/v1/") }

// ErrorBody is a refusal in the shape of OpenAI; code is that of the closed list.
func ErrorBody(f *wire.Failure) any {
	kind := "invalid_request_error"
	switch status := f.Status(); {
	case status == http.StatusUnauthorized:
		kind = "authentication_error"
	case status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case status >= http.StatusInternalServerError:
		kind = "server_error"
	}
	var out struct {
		Error struct {
			Message string   `json:"message"`
			Type    string   `json:"type"`
			Param   *string  `json:"param"` // always null: the sentence names the field
			Code    rag.Code `json:"code"`
		} `json:"error"`
	}
	out.Error.Message, out.Error.Type, out.Error.Code = f.Error(), kind, f.Code
	return out
}

// begin notes the call and reads its body; false when it was refused.
func (f *front) begin(w http.ResponseWriter, r *http.Request, body any) (*public.Visit, bool) {
	visit := public.NewVisit(f.client(r), "openai", r.Method+" "+r.Pattern)
	if fail := wire.Read(wire.Described, wire.Described.Operation(r.Method, r.Pattern), w, r, body); fail != nil {
		f.fail(w, r, visit, fail)
		return nil, false
	}
	return visit, true
}

func (f *front) fail(w http.ResponseWriter, r *http.Request, visit *public.Visit, err error) {
	failure := wire.FailureOf(err)
	f.view.Note(r.Context(), visit, failure)
	failure.Write(w, ErrorBody(failure))
}

func (f *front) finish(w http.ResponseWriter, r *http.Request, visit *public.Visit, result any, err error) {
	if err != nil {
		f.fail(w, r, visit, err)
		return
	}
	f.view.Note(r.Context(), visit, nil)
	wire.WriteJSON(w, http.StatusOK, result)
}
