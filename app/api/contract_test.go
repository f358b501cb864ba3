package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"referent/app"
	"referent/app/api/wire"
)

// valid is a body that each route with one takes.
var valid = map[string]map[string]any{
	"POST /api/v1/ask":                {"question": howLong},
	"POST /api/v1/ask/stream":         {"question": howLong},
	"POST /api/v1/prepare":            {"question": howLong},
	"POST /api/v1/search":             {"question": howLong},
	"POST /v1/chat/completions":       {"model": "referent", "messages": []any{map[string]any{"role": "user", "content": howLong}}},
	"POST /v1/embeddings":             {"model": "referent", "input": "a bridge"},
	"POST /api/v1/evaluations":        {"suites": []any{"S1"}},
	"PUT /api/v1/documents/{id}/tags": {"tags": []any{"town"}},
	"POST /v1/rerank":                 {"query": howLong, "documents": []any{"The Harlow Bridge is 320 metres long.", "A boiler."}},
}

// refusals are routes whose valid call is refused where no question sets lie and
// nothing was measured.
var refusals = map[string]int{"POST /api/v1/evaluations": 501, "GET /api/v1/evaluations/{id}": 404, "POST /api/v1/evaluations/{id}/cancel": 404}

func (d *desk) validBody(o *wire.Operation) map[string]any {
	key := o.Method + " " + o.Path
	if key == "POST /api/v1/documents" {
		return map[string]any{"paths": []any{d.docs + "/public/bridge.md"}}
	}
	body := maps.Clone(valid[key])
	if o.Body != nil && body == nil {
		d.t.Fatalf("%s has no valid body in the test", key)
	}
	return body
}

// path fills the names of a path with numbers that are there.
func (d *desk) path(o *wire.Operation) string {
	bridge := d.file("bridge.md").ID
	p := strings.ReplaceAll(o.Path, "/documents/{id}", fmt.Sprintf("/documents/%d", bridge))
	if strings.Contains(p, "{chunk}") {
		found, err := d.app.Search(d.t.Context(), app.AskRequest{Question: howLong})
		if err != nil || len(found.Hits) == 0 {
			d.t.Fatalf("%v %+v", err, found)
		}
		p = strings.ReplaceAll(p, "{chunk}", strconv.FormatInt(found.Hits[0].Chunk, 10))
	}
	p = strings.ReplaceAll(p, "/evaluations/{id}", "/evaluations/2026-01-01T000000.000")
	return strings.ReplaceAll(p, "/conversations/{id}", "/conversations/1")
}

func TestContract_EveryRouteIsDescribedAndEveryDescriptionIsARoute(t *testing.T) {
	d := newDesk(t, nil)
	routes := d.server.routes()
	for _, o := range wire.Described.Operations() {
		if routes[o.Method+" "+o.Path] == nil {
			t.Errorf("%s %s is described and is no route", o.Method, o.Path)
		}
		delete(routes, o.Method+" "+o.Path)
	}
	for pattern := range routes {
		t.Errorf("%s is not described", pattern)
	}
	served := d.expect(200, "GET", "/openapi.json", nil, "Authorization", "")
	if served.text() != strings.TrimSpace(string(wire.OpenAPI)) {
		t.Error("the served description is another one")
	}
}

func TestContract_AValidCallGetsWhatIsDescribed(t *testing.T) {
	d := newDesk(t, nil)
	d.expect(200, "POST", "/api/v1/ask", map[string]any{"question": howLong, "store": true}) // makes conversation 1
	for _, o := range wire.Described.Operations() {
		t.Run(o.Method+" "+o.Path, func(t *testing.T) {
			d.t = t
			want := refusals[o.Method+" "+o.Path]
			if want == 0 {
				want = 200
			}
			var body any
			if o.Body != nil {
				body = d.validBody(o)
			}
			r := d.expect(want, o.Method, d.path(o), body)
			if schema := o.Replies[strconv.Itoa(want)]; schema != nil {
				described(t, schema, o.ID, r.body)
				return
			}
			if o.Events == nil {
				t.Fatal("a reply without a description")
			}
			for _, m := range r.messages() {
				described(t, o.Events, "event "+m.name, []byte(m.data))
			}
		})
	}
}

// variant is a valid body with one thing wrong.
type variant struct {
	what string
	body any
}

// variants makes every kind of wrong body that the schema tells apart, for every
// field at every depth: missing, wrong type, too long, too many, too small, not
// one of the list, unknown.
func variants(s *wire.Schema, at string, v any, put func(any) any) []variant {
	if s = wire.Described.Resolve(s); s == nil {
		return nil
	}
	for _, one := range s.AnyOf { // the alternative that is not null
		if r := wire.Described.Resolve(one); r != nil && !slices.Contains(r.Type, "null") {
			return variants(one, at, v, put)
		}
	}
	var out []variant
	add := func(what string, wrong any) { out = append(out, variant{at + ": " + what, put(wrong)}) }
	if len(s.Type) == 0 {
		return nil // ignored
	}
	for kind, wrong := range map[string]any{"string": "x", "number": 1.5, "boolean": true, "array": []any{}, "object": map[string]any{}} {
		if !slices.Contains(s.Type, kind) {
			add("a "+kind, wrong)
		}
	}
	if s.MaxLength != nil && slices.Contains(s.Type, "string") {
		add("too long", strings.Repeat("ä", *s.MaxLength+1))
	}
	if s.MinLength != nil {
		add("empty", "")
	}
	if s.Minimum != nil {
		add("too small", *s.Minimum-1)
	}
	if s.Maximum != nil {
		add("too large", *s.Maximum+1)
	}
	if len(s.Enum) > 0 {
		add("not of the list", "purple")
	}
	if s.Items != nil {
		item := sample(s.Items)
		if s.MaxItems != nil {
			add("too many", slices.Repeat([]any{item}, *s.MaxItems+1))
		}
		if s.MinItems != nil {
			add("no entry", []any{})
		}
		out = append(out, variants(s.Items, at+"[]", item, func(wrong any) any { return put([]any{wrong}) })...)
	}
	if s.Properties != nil {
		object, _ := v.(map[string]any)
		if object == nil {
			object, _ = sample(s).(map[string]any)
		}
		with := func(field string, value any) any {
			o := maps.Clone(object)
			o[field] = value
			return put(o)
		}
		if s.AdditionalProperties != nil && !s.AdditionalProperties.Allowed {
			out = append(out, variant{at + ": unknown field", with("qustion", "x")})
		}
		for _, field := range s.Required {
			o := maps.Clone(object)
			delete(o, field)
			out = append(out, variant{at + "." + field + ": missing", put(o)})
		}
		for field, inner := range s.Properties {
			out = append(out, variants(inner, at+"."+field, object[field], func(wrong any) any { return with(field, wrong) })...)
		}
	}
	return out
}

// sample is a value of a schema.
func sample(s *wire.Schema) any {
	s = wire.Described.Resolve(s)
	for _, one := range s.AnyOf {
		if r := wire.Described.Resolve(one); !slices.Contains(r.Type, "null") {
			return sample(one)
		}
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case slices.Contains(s.Type, "object"):
		o := map[string]any{}
		for _, field := range s.Required {
			o[field] = sample(s.Properties[field])
		}
		return o
	case slices.Contains(s.Type, "array") && !slices.Contains(s.Type, "string"):
		return []any{sample(s.Items)}
	case slices.Contains(s.Type, "integer"):
		return 1
	case slices.Contains(s.Type, "boolean"):
		return true
	}
	return "x"
}

func TestP64_EveryWrongFieldOfEveryRouteIs422(t *testing.T) {
	d := newDesk(t, nil)
	for _, o := range wire.Described.Operations() {
		if o.Body == nil {
			continue
		}
		all := variants(o.Body, "body", d.validBody(o), func(v any) any { return v })
		if len(all) < 10 {
			t.Fatalf("%s: only %d wrong bodies were made", o.Path, len(all))
		}
		for _, v := range all {
			r := d.call(o.Method, d.path(o), v.body)
			if r.status != 422 || r.code() != "invalid_request" {
				t.Errorf("%s, %s: status %d: %.300s", o.Path, v.what, r.status, r.body)
				continue
			}
			described(t, o.Replies["422"], o.ID, r.body)
		}
	}
}

func TestP64_EveryWrongParameterOfEveryRouteIs422(t *testing.T) {
	d := newDesk(t, nil)
	for _, o := range wire.Described.Operations() {
		base := d.path(o)
		if o.Body == nil {
			r := d.call(o.Method, base+"?purple=1", nil)
			if want := 422; r.status != want || !strings.Contains(r.text(), "purple") {
				t.Errorf("%s with an unknown parameter: %d %s", o.Path, r.status, r.body)
			}
		}
		for _, p := range o.Parameters {
			var wrong []string
			if slices.Contains(p.Schema.Type, "integer") {
				wrong = append(wrong, "x", "1.5", "-1", "", "99999999999999999999")
			}
			if len(p.Schema.Enum) > 0 {
				wrong = append(wrong, "purple")
			}
			if p.Schema.MaxLength != nil {
				wrong = append(wrong, strings.Repeat("x", *p.Schema.MaxLength+1))
			}
			for _, value := range wrong {
				target := base + "?" + p.Name + "=" + value
				if p.In == "path" {
					if value == "" {
						continue // another route
					}
					target = strings.Replace(o.Path, "{"+p.Name+"}", value, 1)
				}
				if r := d.call(o.Method, target, nil); r.status != 422 {
					t.Errorf("%s: %d %s", target, r.status, r.body)
				}
			}
			if p.In == "query" {
				if r := d.call(o.Method, base+"?"+p.Name+"=1&"+p.Name+"=1", nil); r.status != 422 {
					t.Errorf("%s given twice: %d", p.Name, r.status)
				}
			}
		}
	}
}

func TestP64_ABodyThatIsNoJSONIsRefusedByItsCode(t *testing.T) {
	d := newDesk(t, nil)
	for _, c := range []struct {
		what, body, kind string
		status           int
		code             string
	}{
		{"no JSON", "question=x", "application/json", 422, "invalid_request"},
		{"two values", `{"question":"x"} {}`, "application/json", 422, "invalid_request"},
		{"nothing", "", "application/json", 422, "invalid_request"},
		{"a form", "question=x", "application/x-www-form-urlencoded", 415, "unsupported_media_type"},
		{"no kind", `{"question":"x"}`, "", 415, "unsupported_media_type"},
		{"deep", strings.Repeat("[", 20000), "application/json", 422, "invalid_request"},
		{"large", `{"question":"` + strings.Repeat("x", wire.MaxBody) + `"}`, "application/json", 413, "request_too_large"},
	} {
		r := d.call("POST", "/api/v1/ask", []byte(c.body), "Content-Type", c.kind)
		if r.status != c.status || r.code() != c.code {
			t.Errorf("%s: %d %s", c.what, r.status, r.body)
		}
	}
}

func TestP64_AMisspelledFieldNamesTheRightOne(t *testing.T) {
	d := newDesk(t, nil)
	r := d.expect(422, "POST", "/api/v1/ask", map[string]any{"question": howLong, "retreiver": "bm25"})
	if want := `{"error":"invalid_request","reason":null,"message":"There is no field \"retreiver\". Did you mean \"retriever\"?"}`; r.text() != want {
		t.Errorf("%s\nwant %s", r.text(), want)
	}
	r = d.expect(422, "POST", "/v1/chat/completions", map[string]any{"model": "referent", "mesages": []any{}})
	var shaped struct {
		Error struct{ Message, Type string }
	}
	if err := json.Unmarshal(r.body, &shaped); err != nil || shaped.Error.Type != "invalid_request_error" || !strings.Contains(shaped.Error.Message, `"messages"`) {
		t.Errorf("%s", r.body)
	}
}
