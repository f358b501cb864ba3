package public

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"referent/app"
	"referent/app/api/wire"
	"referent/rag"
)

// Visit is one call of another program, from its beginning to its note.
type Visit struct {
	Client string // as it names itself
	Via    string // api | openai | mcp
	Route  string

	began     time.Time
	mu        sync.Mutex
	documents map[int64]bool
	passages  int
}

// NewVisit begins a call. The client's name is cut to what fits a list.
func NewVisit(client, via, route string) *Visit {
	return &Visit{Client: clientName(client), Via: via, Route: route, began: time.Now(), documents: map[int64]bool{}}
}

// clientLength bounds the name of a client in code points.
const clientLength = 64

func clientName(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if r := []rune(strings.TrimSpace(s)); len(r) > 0 {
		return string(r[:min(len(r), clientLength)])
	}
	return "unknown"
}

// gave notes that the text of passages or of a whole document was given.
func (v *Visit) gave(passages int, documents ...int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.passages += passages
	for _, d := range documents {
		v.documents[d] = true
	}
}

func (v *Visit) gaveHits(hits []rag.Hit) {
	for _, h := range hits {
		v.gave(1, h.Document)
	}
}

// call is what is kept of the visit.
func (v *Visit) call(status int, code rag.Code) app.Call {
	v.mu.Lock()
	defer v.mu.Unlock()
	return app.Call{At: v.began.UTC().Format(time.RFC3339), Client: v.Client, Via: v.Via, Route: v.Route, Status: status, Code: app.Optional(code),
		Documents: append([]int64{}, slices.Sorted(maps.Keys(v.documents))...), Passages: v.passages,
		DurationMS: float64(time.Since(v.began).Microseconds()) / 1000}
}

// noteTime bounds the note of a call after its caller has gone.
const noteTime = 5 * time.Second

// Note keeps the visit in the list of calls. f is nil where all went well.
func (v *View) Note(ctx context.Context, visit *Visit, f *wire.Failure) {
	status, code := 200, rag.Code("")
	if f != nil {
		status, code = f.Status(), f.Code
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	if err := v.use.NoteCall(ctx, visit.call(status, code)); err != nil {
		v.log("a call of another program was not noted: " + err.Error())
	}
}

// Calls lists the newest calls of other programs.
func (v *View) Calls(ctx context.Context) ([]app.Call, error) { return v.use.Calls(ctx) }
