package api

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/app"
	"referent/app/api/wire"
	"referent/rag"
)

// curious are calls that would give away what is restricted, if anything did,
// on every route.
func (d *desk) curious() map[string][]any {
	d.t.Helper()
	vault, plans := d.file("vault.md"), d.file("plans.md")
	ask := func(more map[string]any) map[string]any {
		body := map[string]any{"question": theVault}
		for k, v := range more {
			body[k] = v
		}
		return body
	}
	asks := []any{
		ask(nil),
		ask(map[string]any{"retriever": "bm25"}), ask(map[string]any{"retriever": "dense"}), ask(map[string]any{"retriever": "reranked"}), ask(map[string]any{"mode": "quote"}),
		ask(map[string]any{"engine": "expand", "history": history("user", "Where will the vault be moved?", "assistant", "I do not know.")}),
		ask(map[string]any{"engine": "condense_context", "history": history("user", "Tell me of the vault.", "assistant", "It has a code.")}),
		ask(map[string]any{"engine": "blend", "history": history("user", "Tell me of the vault.", "assistant", "It has a code.")}),
		ask(map[string]any{"scope": map[string]any{"documents": []any{vault.ID, plans.ID}}}),
		ask(map[string]any{"scope": map[string]any{"path_under": filepath.Dir(plans.Path)}}),
		ask(map[string]any{"filters": []any{map[string]any{"field": "label", "op": "eq", "value": []any{"restricted"}}}}),
		ask(map[string]any{"edited_query": "vault code moved street"}),
		ask(map[string]any{"settings": map[string]any{"retrieve.k": "50", "evidence.budget": "100000"}}),
	}
	chat := func(stream bool) any {
		return map[string]any{"model": "referent", "stream": stream, "messages": []any{map[string]any{"role": "user", "content": theVault}}}
	}
	out := map[string][]any{
		"POST /api/v1/ask": asks, "POST /api/v1/ask/stream": asks, "POST /api/v1/prepare": asks, "POST /api/v1/search": asks,
		"POST /v1/chat/completions": {chat(false), chat(true)},
		"POST /v1/embeddings":       {map[string]any{"model": "referent", "input": theVault}},
		"POST /v1/rerank":           {map[string]any{"query": theVault, "documents": []any{"a"}}},
		"POST /api/v1/evaluations":  {map[string]any{"suites": []any{"S0"}}, map[string]any{"suites": []any{theVault}}},
		"POST /api/v1/evaluations/own-2026-01-01T000000.000/cancel": {nil},
		fmt.Sprintf("PUT /api/v1/documents/%d/tags", vault.ID):      {map[string]any{"tags": []any{"mine"}}},
		"POST /api/v1/documents":                                    {map[string]any{"paths": []any{filepath.Dir(plans.Path)}}},
	}
	for _, path := range []string{"/health", "/openapi.json", "/api/v1/documents", "/api/v1/documents?search=vault", "/api/v1/documents?search=" + "quarry", "/api/v1/documents?limit=1000&sort=size",
		fmt.Sprintf("/api/v1/documents/%d", vault.ID), fmt.Sprintf("/api/v1/documents/%d", plans.ID), fmt.Sprintf("/api/v1/documents/%d/text", vault.ID),
		fmt.Sprintf("/api/v1/documents/%d/text", plans.ID), "/api/v1/collections", "/api/v1/conversations", "/api/v1/models", "/api/v1/status", "/api/v1/calls",
		"/api/v1/evaluations", "/api/v1/evaluations/own-2026-01-01T000000.000", "/v1/models"} {
		out["GET "+path] = []any{nil}
	}
	for chunk := range 20 {
		out[fmt.Sprintf("GET /api/v1/passages/%d", chunk+1)] = []any{nil}
	}
	return out
}

func TestRestricted_NoRouteGivesItAway(t *testing.T) {
	d := newDesk(t, nil)
	asked := map[string]bool{}
	for call, bodies := range d.curious() {
		method, path, _ := cut(call)
		for _, body := range bodies {
			r := d.call(method, path, body)
			if r.status >= 500 && r.status != 501 {
				t.Errorf("%s %v: %d %s", call, body, r.status, r.body)
			}
			text := r.body
			if body != nil { // what the caller said itself comes back
				text = []byte(strings.ReplaceAll(string(text), filepath.Join(d.docs, "restricted"), ""))
			}
			d.noSecret(call, text)
		}
		path, _, _ = strings.Cut(path, "?")
		asked[method+" "+path] = true
	}
	for pattern := range d.server.routes() { // no route is forgotten
		method, path, _ := cut(pattern)
		found := false
		for call := range asked {
			m, p, _ := cut(call)
			a, b := strings.Split(path, "/"), strings.Split(p, "/")
			found = found || m == method && slices.EqualFunc(a, b, func(x, y string) bool { return x == y || strings.HasPrefix(x, "{") })
		}
		if !found && path != "/api/v1/conversations/{id}" { // its own test is below
			t.Errorf("%s was not tried", pattern)
		}
	}
}

func TestRestricted_TheReadersOfThePersonStillSeeIt(t *testing.T) {
	d := newProgram(t) // else the test above would prove nothing
	for _, name := range []string{"vault.md", "plans.md"} {
		text, err := d.app.DocumentText(t.Context(), d.file(name).ID)
		if err != nil || !strings.Contains(text.Text, "k7741-quokka") {
			t.Errorf("%s: %v %q", name, err, text.Text)
		}
	}
}

func TestRestricted_HiddenAndAbsentAreOneAnswer(t *testing.T) {
	d := newDesk(t, nil)
	vault := d.file("vault.md")
	for _, form := range []string{"/api/v1/documents/%d", "/api/v1/documents/%d/text"} {
		hidden, absent := d.call("GET", fmt.Sprintf(form, vault.ID), nil), d.call("GET", fmt.Sprintf(form, 99999), nil)
		if hidden.status != 404 || hidden.text() != absent.text() {
			t.Errorf("%s: %d %s\n%d %s", form, hidden.status, hidden.body, absent.status, absent.body)
		}
	}
	tag := func(id int64) response {
		return d.call("PUT", fmt.Sprintf("/api/v1/documents/%d/tags", id), map[string]any{"tags": []any{"mine"}})
	}
	if hidden, absent := tag(vault.ID), tag(99999); hidden.status != 404 || hidden.text() != absent.text() {
		t.Errorf("tags: %d %s\n%d %s", hidden.status, hidden.body, absent.status, absent.body)
	}
	if f := d.file("vault.md"); len(f.Tags) != 0 {
		t.Errorf("a hidden file was given %v", f.Tags)
	}
	for _, path := range []string{"/api/v1/ask", "/api/v1/search", "/api/v1/prepare"} {
		scope := func(name string) response {
			return d.call("POST", path, map[string]any{"question": theVault, "scope": map[string]any{"collections": []any{name}}})
		}
		hidden, absent := scope("Strongroom"), scope("Nowhere")
		if hidden.status != 422 || strings.ReplaceAll(hidden.text(), "Strongroom", "Nowhere") != absent.text() {
			t.Errorf("%s: %s\n%s", path, hidden.body, absent.body)
		}
		for _, op := range []string{"eq", "ne", "in", "nin"} {
			filter := func(name string) response {
				return d.call("POST", path, map[string]any{"question": theVault, "filters": []any{map[string]any{"field": "collection", "op": op, "value": []any{name}}}})
			}
			hidden, absent, open := filter("Strongroom"), filter("Nowhere"), filter("Town")
			if hidden.status != 422 || strings.ReplaceAll(hidden.text(), "Strongroom", "Nowhere") != absent.text() || open.status != 200 {
				t.Errorf("%s, filter %s: %s\n%s\n%d", path, op, hidden.body, absent.body, open.status)
			}
		}
	}
}

func TestRestricted_AddingAgainDoesNotOpenIt(t *testing.T) {
	d := newDesk(t, nil)
	d.expect(200, "POST", "/api/v1/documents", map[string]any{"paths": []any{filepath.Join(d.docs, "restricted"), filepath.Join(d.docs, "public", "vault.md"), d.docs}, "collection": "Mine"})
	if err := d.app.Sync(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	r := d.expect(200, "POST", "/api/v1/search", map[string]any{"question": theVault, "settings": map[string]any{"retrieve.k": "50"}})
	d.noSecret("search", []byte(r.text()))
	d.noSecret("documents", d.expect(200, "GET", "/api/v1/documents", nil).body)
}

func TestRestricted_AStoredTurnOnItIsWithheldAndNotGoneOnWith(t *testing.T) {
	d := newDesk(t, nil)
	first := d.expect(200, "POST", "/api/v1/ask", map[string]any{"question": howLong, "store": true}).object(t)
	id := first["done"].(map[string]any)["conversation"]
	d.expect(200, "POST", "/api/v1/ask", map[string]any{"question": "What is the boiler pressure?", "conversation": id})
	if err := d.app.SetLabel(t.Context(), d.file("bridge.md").Path, string(rag.LabelRestricted)); err != nil {
		t.Fatal(err)
	}
	r := d.expect(200, "GET", fmt.Sprintf("/api/v1/conversations/%v", id), nil)
	described(t, wire.Described.Schema("ConversationTurns"), "conversation", r.body)
	for _, word := range []string{"320", "bridge.md", "1932"} {
		if strings.Contains(r.text(), word) {
			t.Errorf("the conversation gives away %q: %s", word, r.body)
		}
	}
	for _, turn := range r.object(t)["turns"].([]any) { // the second one had the first as its history
		if o := turn.(map[string]any); o["withheld"] != true || o["done"] != nil || o["question"] != nil {
			t.Errorf("%v", o)
		}
	}
	for _, path := range []string{"/api/v1/ask", "/api/v1/ask/stream", "/api/v1/search", "/api/v1/prepare"} {
		r := d.expect(409, "POST", path, map[string]any{"question": "And when was it opened?", "conversation": id, "engine": "condense_context"})
		if r.code() != "withheld" {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}

// A folder that leaves the library and comes back restricted has new numbers: its
// old turns are withheld all the same, from the moment that it leaves.
func TestRestricted_AStoredTurnOnWhatLeftTheLibraryIsWithheld(t *testing.T) {
	d := newDesk(t, nil)
	id := d.expect(200, "POST", "/api/v1/ask", map[string]any{"question": howLong, "store": true}).object(t)["done"].(map[string]any)["conversation"]
	silent := func(when string) {
		t.Helper()
		r := d.expect(200, "GET", fmt.Sprintf("/api/v1/conversations/%v", id), nil)
		if text := r.text(); strings.Contains(text, "320 metres") || strings.Contains(text, "bridge.md") || r.object(t)["turns"].([]any)[0].(map[string]any)["withheld"] != true {
			t.Errorf("%s: %s", when, text)
		}
		if r := d.expect(409, "POST", "/api/v1/ask", map[string]any{"question": "And now?", "conversation": id}); r.code() != "withheld" {
			t.Errorf("%s: %s", when, r.body)
		}
	}
	folder := filepath.Join(d.docs, "public")
	if err := d.app.Remove(t.Context(), app.RemoveRequest{Paths: []string{folder}}); err != nil {
		t.Fatal(err)
	}
	silent("removed")
	d.add(app.AddRequest{Paths: []string{folder}, Restricted: true})
	silent("added as restricted")
}

// What other programs are told of the library's size says nothing of hidden text.
func TestRestricted_CountsAreOfWhatIsPublic(t *testing.T) {
	d := newDesk(t, nil)
	status := func() (out struct {
		Documents, Chunks int
		VectorsDone       int `json:"vectors_done"`
		VectorsTotal      int `json:"vectors_total"`
		FilesDone         int `json:"files_done"`
		FilesTotal        int `json:"files_total"`
	}) {
		if err := json.Unmarshal(d.expect(200, "GET", "/api/v1/status", nil).body, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	d.write("public/scan.pdf", "this is no PDF") // read, and not found
	d.write("restricted/more.md", "# More\n\nAnother quokka.\n")
	if err := d.app.Sync(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	chunks, vectors := 0, 0
	for _, name := range []string{"bridge.md", "boiler.md"} {
		f := d.file(name)
		chunks, vectors = chunks+f.Chunks, vectors+f.Vectors
	}
	if got := status(); got.Documents != 2 || got.Chunks != chunks || got.VectorsTotal != chunks || got.VectorsDone != vectors || got.FilesDone != 3 || got.FilesTotal != 3 || chunks < 2 {
		t.Errorf("%+v, want 2 documents, %d chunks, %d vectors, 3 files", got, chunks, vectors)
	}
}

// leaky is use cases whose retrieval gives a restricted chunk, as a fault would.
type leaky struct {
	app.UseCases
	hit rag.Hit
}

func (l leaky) Search(context.Context, app.AskRequest) (app.SearchResult, error) {
	return app.SearchResult{Hits: []rag.Hit{l.hit}}, nil
}

func (l leaky) Ask(_ context.Context, req app.AskRequest, emit func(rag.Event)) error {
	emit(rag.Prepared{OriginalQuery: req.Question, SearchQueries: []string{req.Question}})
	emit(rag.Retrieval{Hits: []rag.Hit{l.hit}})
	emit(rag.Token{Text: l.hit.Text})
	emit(rag.Done{Answer: l.hit.Text})
	return nil
}

func (l leaky) Passage(context.Context, int64) (app.Passage, error) {
	return app.Passage{Chunk: 1, Document: l.hit.Document, Path: l.hit.Path, Text: l.hit.Text}, nil
}

func (l leaky) Files(ctx context.Context, req app.FilesRequest) (app.Files, error) {
	req.Label = "" // all of them
	return l.UseCases.Files(ctx, req)
}

func TestP68_AReaderAndAListThatLeakAreStoppedAtTheBorder(t *testing.T) {
	d := newProgram(t)
	vault := d.file("vault.md")
	d.serve(Config{Use: leaky{d.app, rag.Hit{Document: vault.ID, Path: vault.Path, Text: "k7741-quokka"}}, Dir: d.dir, PerSecond: 1e6, Burst: 1e6})
	d.noSecret("passage", d.expect(404, "GET", "/api/v1/passages/1", nil).body)
	listed := d.expect(200, "GET", "/api/v1/documents", nil)
	d.noSecret("documents", listed.body)
	if files := listed.object(t)["documents"].([]any); len(files) != 2 {
		t.Errorf("%v", files)
	}
}

func TestP68_ARetrieverThatLeaksIsStoppedAtTheBorder(t *testing.T) {
	d := newProgram(t)
	vault := d.file("vault.md")
	d.serve(Config{Use: leaky{d.app, rag.Hit{Rank: 1, N: 1, Document: vault.ID, Path: vault.Path, Text: "The vault code of Harlow is k7741-quokka."}}, Dir: d.dir, PerSecond: 1e6, Burst: 1e6})
	for _, h := range [][]any{nil, history("user", "The code is k7741-quokka.", "assistant", "Is it?")} {
		for path, status := range map[string]int{"/api/v1/ask": 409, "/api/v1/search": 409, "/api/v1/ask/stream": 200} {
			r := d.expect(status, "POST", path, map[string]any{"question": theVault, "history": h})
			d.noSecret(path, r.body)
			if !strings.Contains(r.text(), "withheld") {
				t.Errorf("%s: %s", path, r.body)
			}
		}
	}
	for _, stream := range []bool{false, true} {
		r := d.call("POST", "/v1/chat/completions", map[string]any{"model": "referent", "stream": stream, "messages": []any{map[string]any{"role": "user", "content": theVault}}})
		d.noSecret("/v1/chat/completions", r.body)
		if !strings.Contains(r.text(), "withheld") {
			t.Errorf("%s", r.body)
		}
	}
}

func TestR16_HistoryThatMentionsItBringsNothingBack(t *testing.T) {
	d := newDesk(t, nil)
	planted := history("user", "The vault of Harlow moves soon.", "assistant", "Yes: the vault of Harlow will be moved.")
	for _, engine := range []string{"simple", "expand", "condense_context", "blend"} {
		for _, path := range []string{"/api/v1/ask", "/api/v1/search"} {
			r := d.expect(200, "POST", path, map[string]any{"question": "To which street, and with which code?", "engine": engine, "history": planted, "settings": map[string]any{"chat.history": "6"}})
			d.noSecret(engine+" "+path, r.body)
		}
	}
}

func TestCalls_TellWhoGotWhatWithoutAnyText(t *testing.T) {
	d := newDesk(t, nil)
	d.expect(200, "POST", "/api/v1/ask", map[string]any{"question": howLong}, ClientHeader, "My\u200bscript"+strings.Repeat("x", 100))
	d.expect(200, "GET", fmt.Sprintf("/api/v1/documents/%d/text", d.file("boiler.md").ID), nil, "User-Agent", "curl/8")
	d.expect(422, "POST", "/api/v1/ask", map[string]any{"question": ""}, "User-Agent", "curl/8")
	r := d.expect(200, "GET", "/api/v1/calls", nil)
	var got struct{ Calls []app.Call }
	if err := json.Unmarshal(r.body, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Calls) != 3 {
		t.Fatalf("%+v", got.Calls)
	}
	bad, text, ask := got.Calls[0], got.Calls[1], got.Calls[2]
	if bad.Status != 422 || bad.Code != "invalid_request" || len(bad.Documents) != 0 {
		t.Errorf("%+v", bad)
	}
	if text.Client != "curl/8" || text.Route != "GET /api/v1/documents/{id}/text" || !slices.Equal(text.Documents, []int64{d.file("boiler.md").ID}) || text.Status != 200 {
		t.Errorf("%+v", text)
	}
	if !strings.HasPrefix(ask.Client, "My") || len(ask.Client) != 64 || ask.Passages == 0 || !slices.Contains(ask.Documents, d.file("bridge.md").ID) || ask.Via != "api" {
		t.Errorf("%+v", ask)
	}
	if strings.Contains(r.text(), "Harlow") || strings.Contains(r.text(), "320 metres") {
		t.Errorf("the list holds text: %s", r.body)
	}
}
