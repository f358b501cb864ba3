package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"referent/app"
	"referent/app/api/openai"
	"referent/app/api/public"
	"referent/app/api/wire"
)

// routes are all routes but /mcp by method and path. A test holds them against
// the description.
func (s *Server) routes() map[string]http.HandlerFunc {
	all := map[string]http.HandlerFunc{
		"GET /health":       s.health,
		"GET /openapi.json": s.openapi,

		"POST /api/v1/ask":        post(s, s.ask),
		"POST /api/v1/ask/stream": s.askStream,
		"POST /api/v1/prepare":    post(s, s.view.Prepare),
		"POST /api/v1/search":     post(s, s.view.Search),

		"GET /api/v1/documents":           get(s, s.documents),
		"POST /api/v1/documents":          post(s, s.view.Add),
		"GET /api/v1/documents/{id}":      get(s, numbered("id", s.view.Document)),
		"GET /api/v1/documents/{id}/text": get(s, numbered("id", s.view.DocumentText)),
		"PUT /api/v1/documents/{id}/tags": s.setTags(),
		"GET /api/v1/passages/{chunk}":    get(s, numbered("chunk", s.view.Passage)),

		"GET /api/v1/collections":        get(s, s.collections),
		"GET /api/v1/conversations":      get(s, s.conversations),
		"GET /api/v1/conversations/{id}": get(s, numbered("id", s.view.Conversation)),
		"GET /api/v1/models":             get(s, plain(s.view.Models)),
		"GET /api/v1/status":             get(s, plain(s.view.Status)),
		"GET /api/v1/calls":              get(s, s.calls),

		"GET /api/v1/evaluations":              get(s, plain(s.view.Evaluations)),
		"POST /api/v1/evaluations":             post(s, s.view.Evaluate),
		"GET /api/v1/evaluations/{id}":         get(s, named(s.view.Evaluation)),
		"POST /api/v1/evaluations/{id}/cancel": get(s, named(s.view.CancelEvaluation)),
	}
	for pattern, h := range openai.Routes(s.view, client) {
		all[pattern] = h
	}
	return all
}

func cut(pattern string) (method, path string, ok bool) { return strings.Cut(pattern, " ") }

// get answers a route without a body.
func get[R any](s *Server, f func(context.Context, *public.Visit, *http.Request) (R, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		visit := public.NewVisit(client(r), "api", r.Pattern)
		visit.Route = r.Method + " " + r.Pattern
		result, err := f(r.Context(), visit, r)
		s.finish(w, r, visit, result, err)
	}
}

// post answers a route with a body of the described form.
func post[P, R any](s *Server, f func(context.Context, *public.Visit, P) (R, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		visit := public.NewVisit(client(r), "api", r.Method+" "+r.Pattern)
		var body P
		if f := wire.Read(wire.Described, wire.Described.Operation(r.Method, r.Pattern), w, r, &body); f != nil {
			s.finish(w, r, visit, nil, f)
			return
		}
		result, err := f(r.Context(), visit, body)
		s.finish(w, r, visit, result, err)
	}
}

// setTags answers the one route with a number in its path and a body.
func (s *Server) setTags() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		post(s, func(ctx context.Context, visit *public.Visit, tags public.Tags) (public.Document, error) {
			set := numbered("id", func(ctx context.Context, visit *public.Visit, id int64) (public.Document, error) {
				return s.view.SetTags(ctx, visit, id, tags)
			})
			return set(ctx, visit, r)
		})(w, r)
	}
}

// finish writes the result or the failure and notes the call.
func (s *Server) finish(w http.ResponseWriter, r *http.Request, visit *public.Visit, result any, err error) {
	if err != nil {
		f := wire.FailureOf(err)
		s.view.Note(r.Context(), visit, f)
		f.Write(w, f.Body())
		return
	}
	s.view.Note(r.Context(), visit, nil)
	wire.WriteJSON(w, http.StatusOK, result)
}

// numbered takes a number out of the path, which the description has checked.
func numbered[R any](name string, f func(context.Context, *public.Visit, int64) (R, error)) func(context.Context, *public.Visit, *http.Request) (R, error) {
	return func(ctx context.Context, visit *public.Visit, r *http.Request) (R, error) {
		id, err := strconv.ParseInt(r.PathValue(name), 10, 64)
		if err != nil {
			var none R
			return none, wire.Invalid("%s is not a number.", name)
		}
		return f(ctx, visit, id)
	}
}

func plain[R any](f func(context.Context) (R, error)) func(context.Context, *public.Visit, *http.Request) (R, error) {
	return func(ctx context.Context, _ *public.Visit, _ *http.Request) (R, error) { return f(ctx) }
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	wire.WriteJSON(w, http.StatusOK, health{Status: "ok"})
}

type health struct {
	Status string `json:"status"`
}

func (s *Server) openapi(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(wire.OpenAPI) // a caller that is gone needs no answer
}

func (s *Server) documents(ctx context.Context, visit *public.Visit, r *http.Request) (public.Documents, error) {
	q := r.URL.Query()
	return s.view.Documents(ctx, visit, public.DocumentsQuery{Status: q.Get("status"), Search: q.Get("search"), Sort: q.Get("sort"),
		Offset: number(q.Get("offset")), Limit: number(q.Get("limit"))})
}

// number reads a number that the description has checked; absent is 0.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

type collections struct {
	Collections []public.Collection `json:"collections"`
}

func (s *Server) collections(ctx context.Context, _ *public.Visit, _ *http.Request) (collections, error) {
	found, err := s.view.Collections(ctx)
	return collections{found}, err
}

type conversations struct {
	Conversations []public.Conversation `json:"conversations"`
}

func (s *Server) conversations(ctx context.Context, _ *public.Visit, r *http.Request) (conversations, error) {
	found, err := s.view.Conversations(ctx, number(r.URL.Query().Get("limit")))
	return conversations{found}, err
}

type calls struct {
	Calls []app.Call `json:"calls"`
}

func (s *Server) calls(ctx context.Context, _ *public.Visit, _ *http.Request) (calls, error) {
	found, err := s.view.Calls(ctx)
	return calls{found}, err
}

// named takes the id out of the path.
func named[R any](f func(context.Context, string) (R, error)) func(context.Context, *public.Visit, *http.Request) (R, error) {
	return func(ctx context.Context, _ *public.Visit, r *http.Request) (R, error) {
		return f(ctx, r.PathValue("id"))
	}
}
