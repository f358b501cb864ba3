package turn

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/engine"
	"referent/rag/engine/isolation"
	"referent/rag/language"
	"referent/rag/retrieve"
	"referent/storage/index"
)

var ctx = context.Background()

// shelf is a retriever in memory: it ranks texts by the share of the query's
// content words that they hold; the floor is 60 % of them. It keeps its queries.
type shelf struct {
	mu         sync.Mutex
	texts      []rag.Hit
	queries    []retrieve.Query
	restricted int
	err        error
	rerank     float64 // what reranking is said to have taken, in ms
	panics     bool
}

func (s *shelf) Name() string { return "shelf" }

func (s *shelf) Lookup(name string) (retrieve.Retriever, error) {
	if name != "" && name != "shelf" {
		return nil, &rag.Error{Code: rag.CodeUnknownRetriever, Message: fmt.Sprintf("There is no retriever %q.", name), Hint: "Retrievers: shelf."}
	}
	return s, nil
}

func (s *shelf) Retrieve(ctx context.Context, q retrieve.Query) (retrieve.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queries = append(s.queries, q)
	if s.panics {
		panic("a fault")
	}
	if s.err != nil {
		return retrieve.Result{}, s.err
	}
	if err := ctx.Err(); err != nil {
		return retrieve.Result{}, err
	}
	r := retrieve.Result{Retriever: "shelf", Floor: 0.5, RestrictedCount: s.restricted, RerankMS: s.rerank, SearchMS: 0.1}
	best := map[int64]rag.Hit{}
	for _, text := range q.Texts {
		code, _ := language.Detect(text)
		l := language.For(code)
		wanted := l.Keys(text)
		for _, h := range s.texts {
			if len(q.Scope.Collections) > 0 && !slices.Contains(q.Scope.Collections, h.Heading) {
				continue
			}
			n := 0
			held := l.Keys(h.Text + " " + h.Title)
			for k := range wanted {
				if held[k] {
					n++
				}
			}
			h.TermShare = float64(n) / float64(max(1, len(wanted)))
			h.Score, h.PassedFloor, h.Owner = h.TermShare, h.TermShare >= 0.6, rag.OwnerMatch
			h.Trace = rag.Trace{BM25: &rag.Leg{Rank: 1, Score: h.Score}}
			if old, ok := best[h.Chunk]; n > 0 && (!ok || old.Score < h.Score) {
				best[h.Chunk] = h
			}
		}
	}
	for _, h := range best {
		r.Hits = append(r.Hits, h)
	}
	slices.SortFunc(r.Hits, func(a, b rag.Hit) int {
		if a.Score != b.Score {
			if a.Score > b.Score {
				return -1
			}
			return 1
		}
		return int(a.Chunk - b.Chunk)
	})
	if len(r.Hits) > 8 {
		r.Hits = r.Hits[:8]
	}
	for i := range r.Hits {
		r.Hits[i].Rank = i + 1
	}
	return r, nil
}

func (s *shelf) last() retrieve.Query { return s.queries[len(s.queries)-1] }

// desk is a runner with everything around it, and the verbs of the tests.
type desk struct {
	t       *testing.T
	shelf   *shelf
	host    *fake.Host
	runner  *Runner
	deps    Deps
	events  []rag.Event
	saved   []*Outcome
	saveErr error
	clock   time.Time
}

func hit(id int64, title, text string) rag.Hit {
	return rag.Hit{Chunk: id, Document: id, Title: title, Path: "/library/" + title + ".md", Text: text, Language: "en",
		ContentHash: fmt.Sprint("hash", id), Locator: rag.Locator{Page: int(id)}, Class: rag.ClassFact}
}

func library() []rag.Hit {
	return []rag.Hit{
		hit(1, "Bridge", "The Harlow Bridge is 320 metres long. It was opened in 1932 by Ruth Calloway."),
		hit(2, "Boiler", "The boiler pressure is 1.5 bar. The boiler is serviced every two years."),
		hit(3, "Pump A", "The warranty of pump A is five years."),
		hit(4, "Pump B", "The warranty of pump B is two years."),
		hit(5, "Leave", "The parental leave policy grants sixteen weeks of leave."),
	}
}

func newDesk(t *testing.T, cfg fake.Config) *desk {
	d := &desk{t: t, shelf: &shelf{texts: library()}, host: fake.NewLoaded(cfg), clock: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	d.deps = Deps{Engines: engine.Default(), Retrievers: d.shelf,
		Answer:         func() (inference.Generator, error) { return d.host.Generator(inference.RoleAnswer) },
		Condense:       func() (inference.Generator, error) { return d.host.Generator(inference.RoleCondense) },
		Tokens:         func() (inference.Tokenizer, error) { return d.host.Tokenizer(inference.RoleAnswer) },
		CondenseTokens: func() (inference.Tokenizer, error) { return d.host.Tokenizer(inference.RoleCondense) },
		Embed:          d.host.Embedder,
		Clock:          func() time.Time { return d.clock },
		Save: func(_ context.Context, o *Outcome) error {
			if d.saveErr != nil {
				return d.saveErr
			}
			id := int64(len(d.saved) + 1)
			o.Done.Turn = &id
			d.saved = append(d.saved, o)
			return nil
		}}
	d.runner = New(d.deps)
	return d
}

// rebuild takes over changed deps.
func (d *desk) rebuild() { d.runner = New(d.deps) }

// ask runs a turn with the default options and keeps its events.
func (d *desk) ask(req Request) (*Outcome, error) {
	d.t.Helper()
	return d.askIn(ctx, req)
}

func (d *desk) askIn(ctx context.Context, req Request) (*Outcome, error) {
	d.t.Helper()
	if req.Options == (Options{}) {
		req.Options = Defaults()
	}
	d.events = nil
	out, err := d.runner.Ask(ctx, req, func(e rag.Event) { d.events = append(d.events, e) })
	d.checkOrder()
	return out, err
}

// answered runs a turn that must succeed.
func (d *desk) answered(req Request) *Outcome {
	d.t.Helper()
	out, err := d.ask(req)
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

// checkOrder holds every turn of every test to the fixed order of events.
func (d *desk) checkOrder() {
	d.t.Helper()
	place := map[string]int{"step": 0, "prepared": 1, "retrieval": 2, "reasoning": 3, "token": 3, "stats": 3, "done": 4, "error": 4}
	at, ends := 0, 0
	for i, e := range d.events {
		p := place[e.EventName()]
		if p < at {
			d.t.Errorf("event %d (%s) is out of order in %v", i, e.EventName(), d.names())
		}
		at = p
		if p == 4 {
			ends++
		}
	}
	if ends != 1 || place[d.events[len(d.events)-1].EventName()] != 4 {
		d.t.Errorf("the last of %v must be the only end", d.names())
	}
}

func (d *desk) names() []string {
	var out []string
	for _, e := range d.events {
		if n := e.EventName(); len(out) == 0 || out[len(out)-1] != n {
			out = append(out, n)
		}
	}
	return out
}

// shown is the text of all token events.
func (d *desk) shown() string {
	var b strings.Builder
	for _, e := range d.events {
		if t, ok := e.(rag.Token); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// answerCalls are the requests to the answer model.
func (d *desk) answerCalls() []inference.GenerateRequest {
	var out []inference.GenerateRequest
	for _, c := range d.host.Calls() {
		if c.Kind == "generate" && c.Role == inference.RoleAnswer {
			out = append(out, c.Request)
		}
	}
	return out
}

func (d *desk) observe(out *Outcome) isolation.Observed {
	request, err := json.Marshal(d.shelf.last())
	if err != nil {
		d.t.Fatal(err)
	}
	evidence, err := json.Marshal(out.Retrieval)
	if err != nil {
		d.t.Fatal(err)
	}
	o := isolation.Observed{Request: request, Evidence: evidence, Answer: out.Done.Answer, Shown: d.shown()}
	for _, s := range out.Done.Sources {
		o.Sources = append(o.Sources, s.Path)
	}
	return o
}

func said(text ...string) []rag.Message {
	var out []rag.Message
	for i, s := range text {
		out = append(out, rag.Message{Role: []string{"user", "assistant"}[i%2], Text: s})
	}
	return out
}

// writes makes the answer model write a text and leaves rewrites to the fake.
func writes(text string) fake.Config {
	return fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Text: text}, role == inference.RoleAnswer
	}}
}

// rewrites makes the condense model write a text.
func rewrites(text string) fake.Config {
	return fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Text: text}, role == inference.RoleCondense
	}}
}

func parentsOf(text string) func(context.Context, []int64) (map[int64]index.StoredParent, error) {
	return func(_ context.Context, ids []int64) (map[int64]index.StoredParent, error) {
		out := map[int64]index.StoredParent{}
		for _, id := range ids {
			out[id] = index.StoredParent{Text: text, Tokens: len(text) / 4}
		}
		return out, nil
	}
}
