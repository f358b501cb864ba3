package mcp

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/rag"
)

// Resources are the documents of the library by their numbers, and passages
// with the text around them.
const (
	documentPrefix = "referent://document/"
	passagePrefix  = "referent://passage/"
)

func documentURI(id int64) string { return documentPrefix + strconv.FormatInt(id, 10) }

// resourcesPage is how many documents one page of resources/list has.
const resourcesPage = 200

func (s *Server) addResources() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{Name: "document", Title: "Document", URITemplate: documentPrefix + "{id}", MIMEType: "text/plain",
		Description: "The text that was read from a file of the library."}, s.readResource)
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{Name: "passage", Title: "Passage", URITemplate: passagePrefix + "{id}", MIMEType: "text/plain",
		Description: "A passage with the text around it."}, s.readResource)
	s.mcp.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if list, ok := req.(*mcp.ListResourcesRequest); ok && method == "resources/list" {
				return s.listResources(ctx, list)
			}
			return next(ctx, method, req)
		}
	})
}

// listResources lists the documents as they are now; the cursor is the number
// of documents before the page.
func (s *Server) listResources(ctx context.Context, req *mcp.ListResourcesRequest) (*mcp.ListResourcesResult, error) {
	offset := 0
	if req.Params != nil && req.Params.Cursor != "" {
		var err error
		if offset, err = strconv.Atoi(req.Params.Cursor); err != nil || offset < 0 {
			return nil, wire.Invalid("The cursor is not one of this list.")
		}
	}
	v := visit(req.Session, "mcp resources/list")
	found, err := s.view.Load().Documents(ctx, v, public.DocumentsQuery{Offset: offset, Limit: resourcesPage})
	if err != nil {
		f := wire.FailureOf(err)
		s.view.Load().Note(ctx, v, f)
		return nil, f
	}
	s.view.Load().Note(ctx, v, nil)
	out := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
	for _, d := range found.Documents {
		out.Resources = append(out.Resources, &mcp.Resource{URI: documentURI(d.ID), Name: d.Name, Title: string(d.Title), Description: d.Path, MIMEType: "text/plain"})
	}
	if next := offset + len(found.Documents); len(found.Documents) > 0 && next < found.Total {
		out.NextCursor = strconv.Itoa(next)
	}
	return out, nil
}

func (s *Server) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	v := visit(req.Session, "mcp resources/read")
	text, err := s.resource(ctx, v, req.Params.URI)
	if err != nil {
		f := wire.FailureOf(err)
		s.view.Load().Note(ctx, v, f)
		if f.Code == rag.CodeUnknownDocument {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		return nil, f
	}
	s.view.Load().Note(ctx, v, nil)
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: text}}}, nil
}

// resource reads the text behind an address.
func (s *Server) resource(ctx context.Context, v *public.Visit, uri string) (string, error) {
	number := func(prefix string) (int64, bool) {
		rest, ok := strings.CutPrefix(uri, prefix)
		id, err := strconv.ParseInt(rest, 10, 64)
		return id, ok && err == nil && id > 0
	}
	if id, ok := number(documentPrefix); ok {
		t, err := s.view.Load().DocumentText(ctx, v, id)
		return t.Text, err
	}
	if id, ok := number(passagePrefix); ok {
		p, err := s.view.Load().Passage(ctx, v, id)
		return p.Before + p.Text + p.After, err
	}
	return "", &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf("There is no resource %q.", uri)}
}
