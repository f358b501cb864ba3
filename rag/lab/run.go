package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"referent/inference"
	"referent/rag"
)

// Progress says where a run stands. RemainingSeconds is 0 while unknown.
type Progress struct {
	Suite            string  `json:"suite"`
	Set              string  `json:"set"`
	Engine           string  `json:"engine"`
	Retriever        string  `json:"retriever"`
	Done             int     `json:"done"`
	Total            int     `json:"total"`
	PerSecond        float64 `json:"per_second"` // questions
	RemainingSeconds float64 `json:"remaining_seconds"`
	Sentence         string  `json:"sentence"` // what is done beside asking; empty: nothing
}

// Runner carries out a plan.
type Runner struct {
	Plan   Plan
	Places Places
	Models Models
	// Need loads a model, and says why it cannot.
	Need     func(ctx context.Context, role inference.Role) error
	Vectors  string         // folder of the cache of embeddings
	Progress func(Progress) // may be nil
	Note     func(string)   // hears what is skipped, in sentences; may be nil
	// Replay is a run whose rewrites and answers are judged anew. What a model
	// would have to write beside them is left out. nil: models write.
	Replay *Record

	record *Record
	done   map[string]bool         // items by key
	stored map[string]rag.Prepared // rewrites by set, question and engine
	// Answers of the model by set, question and retriever: they are judged in
	// every mode. nil where there was nothing to answer from.
	written map[string]*Written
	meter   meter
	// What the meter was told: by cell, and the rewrites that an earlier cell
	// will have written.
	expected map[string]map[bool]int
	promised map[string]bool
	writes   map[string]bool // by item: a model is expected to write
	shelved  string          // the hash of the passages on the shelves
	// The passages twice: vectors tell near duplicates apart, so a search by words
	// must not have them or its result would depend on what was measured before.
	words, meaning *Shelf
	queries        *queryVectors
	now            Progress
}

// Run measures what the record does not have yet. Sets that are not there and
// models that are not installed are skipped with a sentence; any other error
// ends the run, whose items stay.
func (r *Runner) Run(ctx context.Context, record *Record) (err error) {
	r.queries = &queryVectors{folder: r.Vectors}
	defer func() { err = errors.Join(err, r.queries.Close()) }()
	r.record, r.done, r.stored, r.written = record, map[string]bool{}, map[string]rag.Prepared{}, map[string]*Written{}
	r.meter, r.expected, r.promised, r.writes = meter{}, map[string]map[bool]int{}, map[string]bool{}, map[string]bool{}
	if r.Replay != nil {
		for _, i := range r.Replay.Items {
			r.hold(i)
		}
	}
	for _, i := range record.Items {
		r.keep(i)
	}
	sets, err := r.read(ctx)
	if err != nil {
		return err
	}
	for _, s := range sets {
		for _, c := range r.cells(s) {
			r.expect(s, c)
		}
	}
	for _, s := range sets {
		if err := r.set(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) keep(i Item) {
	r.done[i.key()] = true
	r.hold(i)
}

// hold keeps what a model has written for an item.
func (r *Runner) hold(i Item) {
	if i.Engine == condense || i.Engine == Ungated {
		r.stored[itemKey(i.Set, i.Query, i.Engine, "")] = i.Prepared
	}
	if i.Answer != nil && i.Engine != string(rag.ModeQuote) {
		r.written[writtenKey(i.Set, i.Query, i.Engine, i.Retriever)] = i.Answer.Written
	}
}

// writtenKey is the same for rows that judge one text of the model.
func writtenKey(set, query, row, retriever string) string {
	if row == string(rag.ModeStrict) {
		row = string(rag.ModeGenerate)
	}
	return itemKey(set, query, row, retriever)
}

func (r *Runner) read(ctx context.Context) ([]Set, error) {
	var sets []Set
	places := r.Places.shared()
	for _, suite := range r.Plan.Suites {
		some, err := Read(ctx, suite, places)
		if errors.Is(err, ErrAbsent) {
			r.note("%s is skipped: %s.", suite, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, s := range some {
			if !r.Plan.wanted(s) {
				continue
			}
			few := r.Plan.fewer(s)
			if len(few.Rows) < len(s.Rows) {
				r.note("Of %s, %d of %d passages are searched, the right ones among them.", s.Name, len(few.Rows), len(s.Rows))
			}
			sets = append(sets, few)
		}
	}
	return sets, nil
}

// cell is one engine under one retriever, with the questions that are left.
type cell struct {
	engine, retriever string
	pending           []Question
}

func (r *Runner) cells(s Set) []cell {
	var out []cell
	for _, e := range r.Plan.engines(s) {
		for _, retriever := range r.Plan.retrievers(s) {
			c := cell{engine: e, retriever: retriever}
			for _, q := range r.Plan.questions(s, e) {
				if !r.done[itemKey(s.Name, q.ID, e, retriever)] && (r.Replay == nil || !s.generates(e) || r.known(s, c, q)) {
					c.pending = append(c.pending, q)
				}
			}
			out = append(out, c)
		}
	}
	return out
}

func (r *Runner) set(ctx context.Context, s Set) error {
	if err := r.record.Use(s); err != nil {
		return err
	}
	up := false
	for _, c := range r.cells(s) {
		if len(c.pending) == 0 {
			continue
		}
		if !up {
			if err := r.shelve(ctx, s); err != nil {
				return err
			}
			up = true
		}
		r.now = Progress{Suite: s.Suite, Set: s.Name, Engine: c.engine, Retriever: c.retriever}
		missing, err := r.ready(ctx, s, c)
		if err != nil {
			return err
		}
		if missing != nil {
			r.note("%s by %s on %s: not available. %s", c.engine, c.retriever, s.Name, missing)
			for model, n := range r.expected[itemKey(s.Name, "", c.engine, c.retriever)] {
				r.meter.expect(model, -n)
			}
			continue
		}
		if err := r.cell(ctx, s, c); err != nil {
			return err
		}
	}
	return nil
}

// ready loads what a cell needs. missing says which model is not there.
func (r *Runner) ready(ctx context.Context, s Set, c cell) (missing, err error) {
	writing, searching := s.roles(c.engine, c.retriever)
	if !r.replayed(s, c) {
		searching = append(writing, searching...)
	}
	for _, role := range searching {
		if err := r.Need(ctx, role); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return err, nil
		}
	}
	if !byMeaning(c.retriever) {
		return nil, nil
	}
	model, err := r.Models.Embedder()
	if err != nil {
		return err, nil
	}
	if r.meaning == nil {
		if r.meaning, err = NewShelf(ctx, s.Rows); err != nil {
			return nil, err
		}
	}
	return nil, r.meaning.Embed(ctx, model, r.Vectors, func(done, total int) {
		p := r.now
		p.Done, p.Total = r.meter.done, r.meter.total()
		p.Sentence = fmt.Sprintf("Reading the passages of %s for their meaning: %d of %d.", s.Name, done, total)
		r.progress(p)
	})
}

// expect counts what is left of a cell. A rewrite is paid for once: the first
// retriever waits for it, the others search what is stored.
func (r *Runner) expect(s Set, c cell) {
	n := map[bool]int{}
	for _, q := range c.pending {
		key := itemKey(s.Name, q.ID, c.engine, "")
		if s.writes(c.engine) {
			key = writtenKey(s.Name, q.ID, c.engine, c.retriever)
		}
		model := s.generates(c.engine) && !r.known(s, c, q) && !r.promised[key]
		n[model]++
		r.writes[itemKey(s.Name, q.ID, c.engine, c.retriever)] = model
		r.promised[key] = c.engine != research // which looks for itself, by its own retriever
	}
	for model, count := range n {
		r.meter.expect(model, count)
	}
	r.expected[itemKey(s.Name, "", c.engine, c.retriever)] = n
}

// replayed tells whether everything that a model writes for a cell is stored.
func (r *Runner) replayed(s Set, c cell) bool {
	return !slices.ContainsFunc(c.pending, func(q Question) bool { return !r.known(s, c, q) })
}

// known tells whether what a model writes for a question is stored.
func (r *Runner) known(s Set, c cell, q Question) bool {
	if s.writes(c.engine) {
		_, ok := r.written[writtenKey(s.Name, q.ID, c.engine, c.retriever)]
		return ok
	}
	_, ok := r.rewrite(s, c, q)
	return ok
}

// rewrite is what a model has written for a question. Without its gate the engine
// asks the model what it asks with it, unless the gate has kept it from asking.
func (r *Runner) rewrite(s Set, c cell, q Question) (rag.Prepared, bool) {
	p, ok := r.stored[itemKey(s.Name, q.ID, c.engine, "")]
	if !ok && c.engine == Ungated {
		p, ok = r.stored[itemKey(s.Name, q.ID, condense, "")]
		ok = ok && p.Status != rag.StatusGated
	}
	return p, ok
}

// shelve puts the passages of a set up, unless they are.
func (r *Runner) shelve(ctx context.Context, s Set) error {
	hash := Set{Rows: s.Rows}.Hash()
	if r.words != nil && r.shelved == hash {
		return nil
	}
	words, err := NewShelf(ctx, s.Rows)
	if err == nil {
		r.words, r.meaning, r.shelved = words, nil, hash
	}
	return err
}

func (r *Runner) cell(ctx context.Context, s Set, c cell) error {
	shelf := r.words
	if byMeaning(c.retriever) {
		shelf = r.meaning
	}
	system := newBench(shelf, r.Models, r.queries)
	for _, q := range c.pending {
		search := Search{Question: q, Engine: c.engine, Retriever: c.retriever, K: depth(s), PerDocument: perDocument(s)}
		if p, ok := r.rewrite(s, c, q); ok {
			search.Stored = &p
		}
		began := time.Now()
		item, err := system.ask(ctx, s, search, r.written[writtenKey(s.Name, q.ID, c.engine, c.retriever)])
		if err != nil {
			return err
		}
		if err := r.record.Add(item); err != nil {
			return err
		}
		r.keep(item)
		r.meter.add(r.writes[itemKey(s.Name, q.ID, c.engine, c.retriever)], time.Since(began))
		p := r.now
		p.Done, p.Total, p.PerSecond, p.RemainingSeconds = r.meter.done, r.meter.total(), r.meter.perSecond(), r.meter.remaining()
		r.progress(p)
	}
	return nil
}

// Ask asks one question and judges what comes back.
func Ask(ctx context.Context, system System, s Set, search Search) (Item, error) {
	began := time.Now()
	prepared, hits, err := system.Search(ctx, search)
	if ctx.Err() != nil {
		return Item{}, ctx.Err() // a rewrite that was cut off is no failed rewrite
	}
	q := search.Question
	if err != nil {
		return Item{}, fmt.Errorf("%s, question %s, engine %s, retriever %s: %w", s.Name, q.ID, search.Engine, search.Retriever, err)
	}
	total := float64(time.Since(began).Microseconds()) / 1000
	retrieve := total
	if search.Stored == nil {
		retrieve = max(0, total-prepared.LatencyMS)
	}
	item := Item{Suite: s.Suite, Set: s.Name, Query: q.ID, Engine: search.Engine, Retriever: search.Retriever, Prepared: prepared, Hits: []string{},
		Relevant: sortedIDs(q.Relevant), Scores: score(s, q, prepared, hits, search.K), MS: map[string]float64{"prepare": prepared.LatencyMS, "retrieve": retrieve}, Slice: q.Slice}
	for _, h := range hits {
		item.Hits = append(item.Hits, h.ContentHash)
	}
	if m, ok := system.(metered); ok {
		spent := m.spent()
		if spent.prompt > 0 {
			item.Scores["prompt_tokens"], item.Scores["completion_tokens"] = float64(spent.prompt), float64(spent.completion)
		}
		if spent.searchMS > 0 {
			item.MS["retrieve"] = spent.searchMS
		}
		if spent.embedded {
			item.MS["embed"] = spent.embedMS
		}
	}
	return item, nil
}

func (r *Runner) progress(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}

func (r *Runner) note(format string, args ...any) {
	if r.Note != nil {
		r.Note(fmt.Sprintf(format, args...))
	}
}
