package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"referent/app"
)

// assistant is an MCP client that keeps what it was told.
type assistant struct {
	t       testing.TB
	session *mcp.ClientSession
	mu      sync.Mutex
	told    []string
}

// progress is what the assistant was told so far.
func (a *assistant) progress() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.told)
}

func connect(t testing.TB, transport mcp.Transport) *assistant {
	t.Helper()
	a := &assistant{t: t}
	client := mcp.NewClient(&mcp.Implementation{Name: "test assistant", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.told = append(a.told, r.Params.Message)
		}})
	session, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	a.session = session
	return a
}

// bearer adds the token to every request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return browserless.Transport.RoundTrip(r)
}

// overHTTP connects by streamable HTTP, overStdio by two pipes as a child would.
func (d *desk) overHTTP() *assistant {
	d.t.Helper()
	a := connect(d.t, &mcp.StreamableClientTransport{Endpoint: d.url + "/mcp", HTTPClient: &http.Client{Transport: bearer{d.token}}})
	d.t.Cleanup(func() { _ = a.session.Close() })
	return a
}

func (d *desk) overStdio() *assistant {
	d.t.Helper()
	in, fromClient := io.Pipe()
	toClient, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- RunMCP(context.Background(), Config{Use: d.app, Dir: d.dir, Version: "1.2.3", Log: d.note}, in, out, nil)
		_ = out.Close()
	}()
	a := connect(d.t, &mcp.IOTransport{Reader: toClient, Writer: fromClient})
	d.t.Cleanup(func() {
		_ = a.session.Close() // the assistant ends its side, and so the server ends
		if err := <-ended; err != nil {
			d.t.Errorf("the server ended with %v", err)
		}
	})
	return a
}

// use calls a tool and returns its structured result.
func (a *assistant) use(tool string, arguments map[string]any) (map[string]any, *mcp.CallToolResult) {
	a.t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken("p-" + tool)
	r, err := a.session.CallTool(a.t.Context(), params)
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	out, _ := r.StructuredContent.(map[string]any)
	return out, r
}

func sentenceOf(r *mcp.CallToolResult) string {
	if len(r.Content) == 0 {
		return ""
	}
	text, _ := r.Content[0].(*mcp.TextContent)
	if text == nil {
		return ""
	}
	return text.Text
}

func TestMCP_AnAssistantUsesTheLibrary(t *testing.T) {
	for _, way := range []string{"http", "stdio"} {
		t.Run(way, func(t *testing.T) {
			d := newDesk(t, nil)
			a := d.overStdio
			if way == "http" {
				a = d.overHTTP
			}
			c := a()
			tools, err := c.session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range tools.Tools {
				names = append(names, tool.Name)
				in, _ := json.Marshal(tool.InputSchema)
				out, _ := json.Marshal(tool.OutputSchema)
				if !strings.Contains(string(in), `"additionalProperties":false`) || !strings.Contains(string(out), `"properties"`) || !tool.Annotations.ReadOnlyHint {
					t.Errorf("%s: %s %s %+v", tool.Name, in, out, tool.Annotations)
				}
			}
			if want := []string{"ask", "list_documents", "open_passage", "search"}; !slices.Equal(names, want) {
				t.Errorf("tools %v, want %v", names, want)
			}
			found, _ := c.use("search", map[string]any{"query": howLong, "limit": 3})
			hits := found["passages"].([]any)
			if len(hits) == 0 || len(hits) > 3 {
				t.Fatalf("%v", found)
			}
			first := hits[0].(map[string]any)
			opened, _ := c.use("open_passage", map[string]any{"passage": first["passage"]})
			if !strings.Contains(opened["text"].(string), "320 metres") || !strings.Contains(opened["after"].(string), "1932") {
				t.Errorf("%v", opened)
			}
			listed, _ := c.use("list_documents", map[string]any{"search": "boiler"})
			files := listed["documents"].([]any)
			if listed["total"] != 1.0 || len(files) != 1 {
				t.Fatalf("%v", listed)
			}
			uri := files[0].(map[string]any)["uri"].(string)
			read, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if err != nil || len(read.Contents) != 1 || !strings.Contains(read.Contents[0].Text, "1.5 bar") {
				t.Errorf("%s: %v %+v", uri, err, read)
			}
			answered, _ := c.use("ask", map[string]any{"question": howLong})
			if !strings.Contains(answered["answer"].(string), "320 metres") || answered["check"] != "supported" || len(answered["sources"].([]any)) != 1 {
				t.Errorf("%v", answered)
			}
			if way == "stdio" { // over HTTP they come on another stream, in their own time
				if told := c.progress(); !slices.ContainsFunc(told, func(s string) bool { return s == "Searching for: "+howLong }) {
					t.Errorf("progress %q", told)
				}
			}
			calls, err := d.app.Calls(t.Context())
			if err != nil || len(calls) < 4 || calls[0].Client != "test assistant" || calls[0].Via != "mcp" || calls[0].Route != "mcp ask" || len(calls[0].Documents) == 0 {
				t.Errorf("%v %+v", err, calls)
			}
		})
	}
}

func TestI09_AFilterOfAnAssistantIsHard(t *testing.T) {
	d := newDesk(t, nil)
	c := d.overStdio()
	for _, narrow := range []map[string]any{
		{"types": []any{"pdf"}},
		{"documents": []any{d.file("boiler.md").ID}},
		{"path_under": d.docs + "/nowhere"},
		{"filters": []any{map[string]any{"field": "date", "op": "lt", "value": []any{"1990-01-01"}}}},
		{"filters": []any{map[string]any{"field": "language", "op": "eq", "value": []any{"it"}}}},
	} {
		for _, tool := range []string{"search", "ask"} {
			args := map[string]any{"query": howLong}
			if tool == "ask" {
				args = map[string]any{"question": howLong}
			}
			for k, v := range narrow {
				args[k] = v
			}
			out, r := c.use(tool, args)
			if raw, _ := json.Marshal(out); strings.Contains(string(raw), "320 metres") || r.IsError {
				t.Errorf("%s with %v: %s %s", tool, narrow, raw, sentenceOf(r))
			}
		}
	}
}

func TestMCP_WrongArgumentsAreSentences(t *testing.T) {
	d := newDesk(t, nil)
	c := d.overStdio()
	for _, w := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"search", map[string]any{"query": howLong, "colour": "red"}, "colour"},
		{"search", map[string]any{}, "query"},
		{"search", map[string]any{"query": 7}, "query"},
		{"search", map[string]any{"query": howLong, "limit": 1000}, "retrieve.k cannot be"},
		{"search", map[string]any{"query": howLong, "filters": []any{map[string]any{"field": "colour", "op": "eq", "value": []any{"red"}}}}, "There is no filter field"},
		{"search", map[string]any{"query": howLong, "collections": []any{"Strongroom"}}, "There is no collection"},
		{"open_passage", map[string]any{"passage": 99999}, "There is no such document."},
		{"list_documents", map[string]any{"limit": 1000}, "limit takes 1 to 200"},
		{"ask", map[string]any{"question": howLong, "engine": "oracle"}, "There is no chat engine"},
		{"ask", map[string]any{"question": "  "}, "question is empty."},
	} {
		_, r := c.use(w.tool, w.args)
		if !r.IsError || !strings.Contains(sentenceOf(r), w.want) {
			t.Errorf("%s %v: error %v, %q", w.tool, w.args, r.IsError, sentenceOf(r))
		}
	}
}

func TestRestricted_NoToolAndNoResourceGivesItAway(t *testing.T) {
	d := newDesk(t, nil)
	c := d.overStdio()
	vault, plans := d.file("vault.md").ID, d.file("plans.md").ID
	keep := func(what string, v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		d.noSecret(what, raw)
	}
	past := []any{map[string]any{"role": "user", "text": "Tell me of the vault."}, map[string]any{"role": "assistant", "text": "It moves soon."}}
	for tool, all := range map[string][]map[string]any{
		"search":         {{"query": theVault, "limit": 50}, {"query": theVault, "documents": []any{vault, plans}}, {"query": "moved", "path_under": d.docs}},
		"ask":            {{"question": theVault}, {"question": "And the code?", "history": past, "engine": "condense_context"}, {"question": theVault, "documents": []any{vault}}},
		"list_documents": {{}, {"search": "vault"}, {"search": "plan"}},
	} {
		for _, args := range all {
			out, r := c.use(tool, args)
			keep(tool, out)
			keep(tool, r.Content)
		}
	}
	for chunk := range 20 {
		out, r := c.use("open_passage", map[string]any{"passage": chunk + 1})
		keep("open_passage", out)
		keep("open_passage", r.Content)
		if read, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: fmt.Sprintf("referent://passage/%d", chunk+1)}); err == nil {
			keep("passage resource", read)
		}
	}
	listed, err := c.session.ListResources(t.Context(), nil)
	if err != nil || len(listed.Resources) != 2 {
		t.Errorf("%v %+v", err, listed)
	}
	keep("resources", listed)
	for _, uri := range []string{fmt.Sprintf("referent://document/%d", vault), fmt.Sprintf("referent://document/%d", plans), "referent://document/99999",
		"referent://document/../../etc/passwd", "file:///etc/passwd", "referent://document/1%2f..", "referent://secrets"} {
		if read, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, read)
		} else {
			d.noSecret(uri, []byte(err.Error()))
		}
	}
}

func TestMCP_ACancelStopsTheAnswer(t *testing.T) {
	d := newDesk(t, nil)
	c := d.overStdio()
	g := d.gate()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: "ask", Arguments: map[string]any{"question": howLong}})
		done <- err
	}()
	<-g.reached
	cancel()
	<-g.ended
	if err := <-done; err == nil {
		t.Error("the call went on")
	}
	if all, err := d.app.Conversations(t.Context(), 0); err != nil || len(all) != 0 {
		t.Errorf("%v %+v", err, all)
	}
	d.set(func(d *desk) { d.step = nil })
	if out, _ := c.use("ask", map[string]any{"question": howLong}); !strings.Contains(out["answer"].(string), "320") {
		t.Errorf("the next question: %v", out)
	}
}

func TestMCP_TheListOfResourcesIsReadPageByPage(t *testing.T) {
	d := newProgram(t)
	for i := range 205 {
		d.write(fmt.Sprintf("many/note-%03d.md", i), fmt.Sprintf("# Note %d\n\nNote number %d is about lamps.\n", i, i))
	}
	d.add(app.AddRequest{Paths: []string{d.docs + "/many"}})
	d.serve(Config{Use: d.app, Dir: d.dir, PerSecond: 1e6, Burst: 1e6})
	c := d.overHTTP()
	seen := map[string]bool{}
	for r, err := range c.session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[r.URI] {
			t.Errorf("%s is listed twice", r.URI)
		}
		seen[r.URI] = true
	}
	if len(seen) != 207 { // with the bridge and the boiler
		t.Errorf("%d resources", len(seen))
	}
}
