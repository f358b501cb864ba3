package mcp

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/rag"
)

// where is where a tool looks. Every field narrows; none is widened again.
type where struct {
	Collections []string        `json:"collections,omitempty" jsonschema:"names of collections"`
	PathUnder   string          `json:"path_under,omitempty" jsonschema:"only below this folder, or only this file"`
	Types       []string        `json:"types,omitempty" jsonschema:"kinds of file, for example pdf or markdown"`
	Documents   []int64         `json:"documents,omitempty" jsonschema:"numbers of documents from list_documents"`
	Filters     []public.Filter `json:"filters,omitempty" jsonschema:"exact conditions: field is collection, folder, type, date, language, class, tag or document; op is eq, ne, in, nin, gt, gte, lt, lte or between; value is a list"`
}

func (w where) ask(question string) public.Ask {
	return public.Ask{Question: question, Filters: w.Filters, Scope: rag.Scope{Collections: w.Collections, PathUnder: w.PathUnder, Types: w.Types, Documents: w.Documents}}
}

type searchInput struct {
	Query string `json:"query" jsonschema:"what to look for, in any language"`
	Limit int    `json:"limit,omitempty" jsonschema:"number of passages, 1 to 50; 8 if left out"`
	where
}

// passage is a passage as an assistant gets it.
type passage struct {
	Passage  int64   `json:"passage" jsonschema:"number for open_passage"`
	Document int64   `json:"document"`
	Title    string  `json:"title"`
	Path     string  `json:"path"`
	Heading  string  `json:"heading"`
	Place    string  `json:"place" jsonschema:"where in the document, as JSON"`
	Text     string  `json:"text"`
	Score    float64 `json:"score"`
}

type searchOutput struct {
	Searched []string  `json:"searched"`
	Passages []passage `json:"passages"`
	Notes    []string  `json:"notes"`
}

type openInput struct {
	Passage int64 `json:"passage" jsonschema:"number of a passage from search or ask"`
}

type openOutput struct {
	Passage  int64  `json:"passage"`
	Document int64  `json:"document"`
	Title    string `json:"title"`
	Path     string `json:"path"`
	Heading  string `json:"heading"`
	Before   string `json:"before"`
	Text     string `json:"text"`
	After    string `json:"after"`
}

type listInput struct {
	Search string `json:"search,omitempty" jsonschema:"part of the path or title"`
	Status string `json:"status,omitempty" jsonschema:"only files with this status, for example indexed"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many to pass over"`
	Limit  int    `json:"limit,omitempty" jsonschema:"number of files, 1 to 200; 50 if left out"`
}

type listedFile struct {
	Document int64  `json:"document"`
	Title    string `json:"title"`
	Path     string `json:"path"`
	Kind     string `json:"kind"`
	Status   string `json:"status"`
	Reason   string `json:"reason"`
	URI      string `json:"uri" jsonschema:"the resource with the whole text"`
}

type listOutput struct {
	Total     int          `json:"total"`
	Documents []listedFile `json:"documents"`
}

type askInput struct {
	Question string    `json:"question"`
	History  []message `json:"history,omitempty" jsonschema:"earlier messages, oldest first"`
	Engine   string    `json:"engine,omitempty" jsonschema:"chat engine that decides what is searched; the person's setting if left out"`
	where
}

type message struct {
	Role string `json:"role" jsonschema:"user or assistant"`
	Text string `json:"text"`
}

type askOutput struct {
	Answer   string      `json:"answer"`
	Searched []string    `json:"searched"`
	Check    string      `json:"check" jsonschema:"supported, flagged, refused, quoted, withheld or unchecked"`
	Issues   []string    `json:"issues"`
	Sources  []askSource `json:"sources"`
	Notes    []string    `json:"notes"`
}

type askSource struct {
	N        int    `json:"n" jsonschema:"number in the answer"`
	Passage  int64  `json:"passage"`
	Document int64  `json:"document"`
	Title    string `json:"title"`
	Path     string `json:"path"`
}

func (s *Server) addTools() {
	no := false
	reads := func(title string) *mcp.ToolAnnotations {
		return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, OpenWorldHint: &no, DestructiveHint: &no}
	}
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "search", Annotations: reads("Search"),
		Description: "Find passages in the person's own documents, by words and by meaning. Gives text with the place it stands in."}, tool(s, "search", s.search))
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "open_passage", Annotations: reads("Open a passage"),
		Description: "Read a passage with the text before and after it."}, tool(s, "open_passage", s.open))
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "list_documents", Annotations: reads("List documents"),
		Description: "List the files of the library with their status."}, tool(s, "list_documents", s.list))
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "ask", Annotations: reads("Ask"),
		Description: "Ask a question; the answer is written from the documents alone, with citations that were checked. Takes longer than search. Nothing is stored."},
		tool(s, "ask", s.ask))
}

// tool wraps a handler: the call is noted, a fault costs only itself, and an
// error becomes a sentence for the assistant.
func tool[In, Out any](s *Server, name string, f func(context.Context, *mcp.CallToolRequest, *public.Visit, In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (_ *mcp.CallToolResult, out Out, err error) {
		v := visit(req.Session, "mcp "+name)
		defer func() {
			if p := recover(); p != nil {
				s.view.Load().Log(fmt.Sprintf("panic in the tool %s: %v\n%s", name, p, debug.Stack()))
				err = wire.FailureOf(fmt.Errorf("panic"))
			}
			var failed *wire.Failure
			if err != nil {
				failed = wire.FailureOf(err)
				err = failed // its sentence, without causes
			}
			s.view.Load().Note(ctx, v, failed)
		}()
		out, err = f(ctx, req, v, in)
		return nil, out, err
	}
}

func (s *Server) search(ctx context.Context, _ *mcp.CallToolRequest, v *public.Visit, in searchInput) (searchOutput, error) {
	ask := in.where.ask(in.Query)
	if in.Limit != 0 {
		ask.Settings = map[string]string{"retrieve.k": fmt.Sprint(in.Limit)}
	}
	found, err := s.view.Load().Search(ctx, v, ask)
	out := searchOutput{Searched: append([]string{}, found.Prepared.SearchQueries...), Passages: []passage{}, Notes: append([]string{}, found.Notes...)}
	for _, h := range found.Hits {
		out.Passages = append(out.Passages, passage{Passage: h.Chunk, Document: h.Document, Title: h.Title, Path: h.Path, Heading: h.Heading, Place: h.Locator.String(),
			Text: h.Text, Score: h.Score})
	}
	return out, err
}

func (s *Server) open(ctx context.Context, _ *mcp.CallToolRequest, v *public.Visit, in openInput) (openOutput, error) {
	p, err := s.view.Load().Passage(ctx, v, in.Passage)
	return openOutput{Passage: p.Chunk, Document: p.Document, Title: p.Title, Path: p.Path, Heading: string(p.Heading), Before: p.Before, Text: p.Text, After: p.After}, err
}

// listLimit and listDefault bound a page of list_documents.
const (
	listLimit   = 200
	listDefault = 50
)

func (s *Server) list(ctx context.Context, _ *mcp.CallToolRequest, v *public.Visit, in listInput) (listOutput, error) {
	if in.Limit < 0 || in.Limit > listLimit || in.Offset < 0 {
		return listOutput{}, wire.Invalid("limit takes 1 to %d, offset 0 or more.", listLimit)
	}
	if in.Limit == 0 {
		in.Limit = listDefault
	}
	found, err := s.view.Load().Documents(ctx, v, public.DocumentsQuery{Status: in.Status, Search: in.Search, Offset: in.Offset, Limit: in.Limit})
	out := listOutput{Total: found.Total, Documents: []listedFile{}}
	for _, d := range found.Documents {
		title := string(d.Title)
		if title == "" {
			title = d.Name
		}
		out.Documents = append(out.Documents, listedFile{Document: d.ID, Title: title, Path: d.Path, Kind: string(d.Kind), Status: string(d.Status),
			Reason: string(d.Reason), URI: documentURI(d.ID)})
	}
	return out, err
}

func (s *Server) ask(ctx context.Context, req *mcp.CallToolRequest, v *public.Visit, in askInput) (askOutput, error) {
	a := in.where.ask(in.Question)
	a.Engine = in.Engine
	for _, m := range in.History {
		a.History = append(a.History, rag.Message{Role: m.Role, Text: m.Text})
	}
	out := askOutput{Searched: []string{}, Issues: []string{}, Sources: []askSource{}, Notes: a.Notes()}
	report := newProgress(req)
	err := s.view.Load().Ask(ctx, v, a, func(e rag.Event) error {
		switch e := e.(type) {
		case rag.Step:
			report.say(ctx, "Looked with "+e.Tool+".")
		case rag.Prepared:
			out.Searched = append([]string{}, e.SearchQueries...)
			report.say(ctx, "Searching for: "+strings.Join(e.SearchQueries, " | "))
		case rag.Retrieval:
			report.say(ctx, "Writing the answer.")
		case rag.Done:
			out.Answer, out.Check = e.Answer, string(e.AnswerCheck.Status)
			for _, i := range e.AnswerCheck.Issues {
				out.Issues = append(out.Issues, i.Kind+": "+i.Text)
			}
			for _, src := range e.Sources {
				out.Sources = append(out.Sources, askSource{N: src.N, Passage: src.Chunk, Document: src.Document, Title: src.Title, Path: src.Path})
			}
			report.say(ctx, "Done.")
		}
		return nil
	})
	return out, err
}

// progress tells an assistant that asked for it how far its call is.
type progress struct {
	session *mcp.ServerSession
	token   any
	done    float64
}

func newProgress(req *mcp.CallToolRequest) *progress {
	return &progress{session: req.Session, token: req.Params.GetProgressToken()}
}

func (p *progress) say(ctx context.Context, text string) {
	if p.token == nil || p.session == nil {
		return
	}
	p.done++
	_ = p.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: p.token, Progress: p.done, Message: text}) // the result tells what matters
}
