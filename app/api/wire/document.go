package wire

import (
	"bytes"
	_ "embed" // the description
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// OpenAPI is the description as it is served.
//
//go:embed openapi.json
var OpenAPI []byte

// Document is the parsed description. It is immutable; all methods may be
// called from any goroutine.
type Document struct {
	schemas    map[string]*Schema
	operations map[string]*Operation // by "GET /path"
}

// Operation is one route of the description.
type Operation struct {
	ID         string
	Method     string // upper case
	Path       string // with {names}
	Open       bool   // needs no token
	Body       *Schema
	Parameters []Parameter
	Replies    map[string]*Schema // of application/json, by status
	Events     *Schema            // one event of the stream; nil: it streams nothing
}

// Parameter is a value of the path or of the query.
type Parameter struct {
	Name   string  `json:"name"`
	In     string  `json:"in"` // path | query
	Schema *Schema `json:"schema"`
}

// Described is the description that the program serves.
var Described = mustParse(OpenAPI)

func mustParse(raw []byte) *Document {
	d, err := Parse(raw)
	if err != nil {
		panic(fmt.Sprintf("wire: openapi.json: %v", err)) // a fault of the build; every test meets it
	}
	return d
}

type content map[string]struct {
	Schema *Schema `json:"schema"`
}

// Parse reads a description. Only the parts of OpenAPI 3.1 that openapi.json
// uses are known; another keyword of a schema is an error.
func Parse(raw []byte) (*Document, error) {
	var file struct {
		Paths map[string]map[string]struct {
			ID         string      `json:"operationId"`
			Security   *[]any      `json:"security"`
			Parameters []Parameter `json:"parameters"`
			Body       *struct {
				Content content `json:"content"`
			} `json:"requestBody"`
			Responses map[string]struct {
				Content content `json:"content"`
			} `json:"responses"`
		} `json:"paths"`
		Components struct {
			Schemas map[string]*Schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, err
	}
	d := &Document{schemas: file.Components.Schemas, operations: map[string]*Operation{}}
	for path, methods := range file.Paths {
		for method, in := range methods {
			o := &Operation{ID: in.ID, Method: strings.ToUpper(method), Path: path, Open: in.Security != nil && len(*in.Security) == 0,
				Parameters: in.Parameters, Replies: map[string]*Schema{}}
			if in.Body != nil {
				o.Body = in.Body.Content["application/json"].Schema
			}
			for status, reply := range in.Responses {
				if s := reply.Content["application/json"].Schema; s != nil {
					o.Replies[status] = s
				}
				if s := reply.Content["text/event-stream"].Schema; s != nil {
					o.Events = s
				}
			}
			d.operations[o.Method+" "+path] = o
		}
	}
	return d, nil
}

// Operations lists the routes by path and method.
func (d *Document) Operations() []*Operation {
	var out []*Operation
	for _, key := range slices.Sorted(maps.Keys(d.operations)) {
		out = append(out, d.operations[key])
	}
	return out
}

// Operation finds a route by its method and path, or nil.
func (d *Document) Operation(method, path string) *Operation { return d.operations[method+" "+path] }

// Schema finds a named schema, or nil.
func (d *Document) Schema(name string) *Schema { return d.schemas[name] }

// Schemas lists the names of the schemas.
func (d *Document) Schemas() []string { return slices.Sorted(maps.Keys(d.schemas)) }

// Decode reads JSON so that the check can tell whole numbers from others. The
// error says what is wrong with it as JSON.
func Decode(raw []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("more than one value")
	}
	return v, nil
}

// CheckQuery checks the parameters of a request: those in the path by the
// function value, those behind the question mark.
func (d *Document) CheckQuery(o *Operation, value func(name string) string, query url.Values) *Failure {
	known := map[string]bool{}
	for _, p := range o.Parameters {
		known[p.Name] = true
		text := value(p.Name)
		if p.In == "query" {
			given := query[p.Name]
			if len(given) == 0 {
				continue
			}
			if len(given) > 1 {
				return Invalid("%s is given more than once.", p.Name)
			}
			text = given[0]
		}
		if f := d.Check(p.Schema, p.Name, parameter(p.Schema, text)); f != nil {
			return f
		}
	}
	for name := range query {
		if !known[name] {
			return Invalid("There is no parameter %q. %s", clip(name), choices("Parameters", slices.Sorted(maps.Keys(known))))
		}
	}
	return nil
}

// parameter reads a text as the schema wants it.
func parameter(s *Schema, text string) any {
	if s.Type.has("integer") {
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			return json.Number(text)
		}
	}
	return text
}
