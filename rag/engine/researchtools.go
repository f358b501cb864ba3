package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"referent/rag"
	"referent/rag/language"
)

// Library is what research looks at. The scope of the question, the person's
// filters and every restriction hold in all of it, whatever is asked. Errors
// with rag.CodeInvalidFilter are told to the model; any other ends the turn.
type Library interface {
	// Search finds passages. Guessed filters are hints.
	Search(ctx context.Context, q Search) (Found, error)
	// Open returns what stands around a passage that Search has found in this
	// turn; empty where there is no more than its own text.
	Open(ctx context.Context, chunk int64) (string, error)
	// List names documents.
	List(ctx context.Context, guesses []rag.Filter) (Listing, error)
}

// Search is one search of a research loop.
type Search struct {
	Text          string
	Guesses       []rag.Filter // owner: guess
	Limit, Offset int          // Limit 0: the turn's own
}

// Found is what a search gave.
type Found struct {
	Hits    []rag.Hit    // matches by rank, then hint extras
	Dropped []rag.Filter // guesses that the extras do not keep
	More    bool         // the page of matches is full
}

// Listing is a list of documents. Without the guessed filters Others more
// would be on it.
type Listing struct {
	Documents     []Listed
	Total, Others int
}

// Listed is one document: its number, its file name, and what filters know.
type Listed struct {
	ID                   int64
	Name, Type, Language string
	Date                 string // of the last change, 2024-03-01
}

// access says what a tool does, and so whether a repeated call runs again.
type access int

const (
	accessRead  access = iota // the same read is run once
	accessWrite               // always runs; what was read before may have changed
	accessAsk                 // always runs, and ends the loop
)

// The names of the tools in a step.
const (
	searchName = "search"
	openName   = "open_passage"
	listName   = "list_documents"
)

// AskName is the tool that puts a question to the person, as a step names it.
const AskName = "ask_user"

// tool is something that the model may call.
type tool struct {
	name   string
	word   string // begins the model's line
	access access
	says   string // what it does, for a model that is shown tools
	// parameters is the JSON Schema of its arguments in a native call.
	parameters string
	read       func(rest string, lp *loop) (call, error)
	// run returns what the model is shown, how much was found, and how many
	// passages are new.
	run func(ctx context.Context, lp *loop, c call) (shown string, hits, fresh int, err error)
}

// researchTools are the tools of the engine.
func researchTools() []tool {
	return []tool{
		{searchName, "search", accessRead, "Finds passages, for one thing at a time, in the words of a document.",
			`{"type":"object","properties":{"query":{"type":"string"},` + filtersSchema + `,"limit":{"type":"integer"},"offset":{"type":"integer"}},"required":["query"]}`,
			readSearch, runSearch},
		{openName, "open", accessRead, "Shows a passage that was found whole, by its number.",
			`{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}`, readOpen, runOpen},
		{listName, "list", accessRead, "Names the documents.",
			`{"type":"object","properties":{` + filtersSchema + `}}`, readList, runList},
		{AskName, "ask", accessAsk, "Asks the person, only if the question cannot be understood.",
			`{"type":"object","properties":{"question":{"type":"string"}},"required":["question"]}`, readAsk, runAsk},
	}
}

// filtersSchema describes filters: fields with a value, such as type "pdf",
// language "it", date ">=2024", document "12".
const filtersSchema = `"filters":{"type":"object","description":"type, language, tag, date, document, folder or collection","additionalProperties":{"type":"string"}}`

func (lp *loop) toolNamed(name string) *tool {
	for i := range lp.table {
		if lp.table[i].name == name {
			return &lp.table[i]
		}
	}
	return nil
}

// perform runs a call, a search of a comparison once for each side, and returns
// how many passages are new.
func (lp *loop) perform(ctx context.Context, c call) (fresh int, err error) {
	if c.tool.name == searchName {
		if things := Split(lp.l, c.text); len(things) > 0 {
			for _, text := range things {
				c.text = text
				n, err := lp.step(ctx, c)
				if err != nil {
					return fresh, err
				}
				fresh += n
			}
			return fresh, nil
		}
	}
	return lp.step(ctx, c)
}

// step runs one call and tells of it. A read that has run already is not run
// again: its result stands above. After a write every read may run again.
func (lp *loop) step(ctx context.Context, c call) (fresh int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	s := rag.Step{N: len(lp.steps) + 1, Tool: c.tool.name, Arguments: c.arguments(lp)}
	shown := ""
	if n := lp.ran[c.key(lp)]; c.tool.access == accessRead && n > 0 {
		s.RepeatedOf = &n
		shown = fmt.Sprintf("This already ran as call %d, its result is above. Nothing new; write another call, or done.", n)
	} else {
		shown, s.Hits, fresh, err = c.tool.run(ctx, lp, c)
		if err != nil {
			return 0, err
		}
		switch c.tool.access {
		case accessRead:
			lp.ran[c.key(lp)] = s.N
		case accessWrite:
			clear(lp.ran)
		}
	}
	lp.steps = append(lp.steps, s)
	lp.entries = append(lp.entries, entry{lp.form(c), shown})
	if lp.tools.Emit != nil {
		lp.tools.Emit(s)
	}
	return fresh, nil
}

func runSearch(ctx context.Context, lp *loop, c call) (string, int, int, error) {
	found, err := lp.tools.Library.Search(ctx, Search{Text: c.text, Guesses: c.filters, Limit: c.limit, Offset: c.offset})
	if told, err := toldToModel(err); told != "" || err != nil {
		return told, 0, 0, err
	}
	if !slices.Contains(lp.queries, c.text) { // the same words under other filters, or their next page
		lp.queries = append(lp.queries, c.text)
	}
	for _, f := range c.filters {
		lp.guess(f)
	}
	var matches, extras []rag.Hit
	for _, h := range found.Hits {
		switch {
		case !h.PassedFloor:
		case h.Owner == rag.OwnerHintExtra:
			extras = append(extras, h)
		default:
			matches = append(matches, h)
		}
	}
	total := len(matches) + len(extras)
	if total == 0 {
		return foundWord + " nothing.", 0, 0, nil
	}
	before := len(lp.passages)
	var b strings.Builder
	lp.show(&b, matches)
	if found.More && len(matches) > 0 {
		fmt.Fprintf(&b, "\nMore with offset=%d.", c.offset+len(matches))
	}
	if len(extras) > 0 {
		b.WriteString("\nNot marked as " + filterText(found.Dropped) + ":")
		lp.show(&b, extras)
	}
	fresh := len(lp.passages) - before
	return fmt.Sprintf("%s %d, %d of them new.%s", foundWord, total, fresh, b.String()), total, fresh, nil
}

func (lp *loop) guess(f rag.Filter) {
	for _, have := range lp.filters {
		if filterText([]rag.Filter{have}) == filterText([]rag.Filter{f}) {
			return
		}
	}
	lp.filters = append(lp.filters, f)
}

func runOpen(ctx context.Context, lp *loop, c call) (string, int, int, error) {
	h := lp.passages[c.number-1]
	around, err := lp.tools.Library.Open(ctx, h.Chunk)
	if told, err := toldToModel(err); told != "" || err != nil {
		return told, 0, 0, err
	}
	if around == "" {
		around = h.Text
	}
	return passageLine(c.number, h, around, openedRunes), 1, 0, nil
}

func runList(ctx context.Context, lp *loop, c call) (string, int, int, error) {
	list, err := lp.tools.Library.List(ctx, c.filters)
	if told, err := toldToModel(err); told != "" || err != nil {
		return told, 0, 0, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents.", list.Total)
	for _, d := range list.Documents {
		b.WriteString("\n" + documentLine(d))
	}
	if n := list.Total - len(list.Documents); n > 0 {
		fmt.Fprintf(&b, "\nAnd %d more.", n)
	}
	if list.Others > 0 {
		fmt.Fprintf(&b, "\n%d others are not marked as %s.", list.Others, filterText(c.filters))
	}
	return b.String(), list.Total, 0, nil
}

func runAsk(_ context.Context, lp *loop, c call) (string, int, int, error) {
	if lp.echoes(c.text) {
		return "The person asks just that. Search for it, or write done.", 0, 0, nil
	}
	lp.asked = c.text
	return "", 0, 0, nil
}

// echoes tells whether a question to the person only says again what was said: it
// has no word of its own, and it is a part of their question, or all of it in
// other words, or no question. Small models write so instead of searching.
func (lp *loop) echoes(text string) bool {
	known := language.NewKnown(lp.l)
	known.Add(lp.req.Question)
	for _, m := range lp.req.History {
		known.Add(m.Text)
	}
	for _, w := range lp.l.ContentWords(text) {
		if !known.Word(w) && !lp.l.Is("question", w.Lower) {
			return false
		}
	}
	words := language.Words(text)
	if len(words) == 0 || !lp.l.Is("question", words[0].Lower) || strings.Contains(normal(lp.req.Question), normal(text)) {
		return true
	}
	asked, keys := lp.l.ContentWords(lp.req.Question), lp.l.Keys(text)
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(w language.Word) bool { return !lp.l.Holds(keys, w) })
}

// toldToModel turns a filter that means nothing into a result.
func toldToModel(err error) (told string, rest error) {
	if e := asFilterError(err); e != nil {
		return e.Error(), nil
	}
	return "", err
}
