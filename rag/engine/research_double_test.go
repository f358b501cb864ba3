package engine

import (
	"context"
	"slices"
	"strings"
	"sync"

	"referent/inference"
	"referent/rag"
	"referent/rag/language"
)

// lines is a model that writes one line a call, the last one for ever, and keeps
// the prompts. then runs before a line is written, with its number from 1.
type lines struct {
	mu    sync.Mutex
	text  []string
	info  inference.ModelInfo
	asked []inference.GenerateRequest
	then  func(n int) error
}

func (m *lines) Info() inference.ModelInfo { return m.info }

func (m *lines) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	m.mu.Lock()
	m.asked = append(m.asked, req)
	n := len(m.asked)
	m.mu.Unlock()
	if m.then != nil {
		if err := m.then(n); err != nil {
			return inference.GenerateResult{}, err
		}
	}
	text := m.text[min(n, len(m.text))-1] + "\n"
	for _, part := range strings.SplitAfter(text, " ") {
		if err := ctx.Err(); err != nil {
			return inference.GenerateResult{}, err
		}
		if err := each(inference.Piece{Text: part}); err != nil {
			return inference.GenerateResult{}, err
		}
	}
	return inference.GenerateResult{Text: text, Stop: inference.StopEnd}, nil
}

// prompts are the texts that the model was asked to continue, from the question on.
func (m *lines) prompts() []string {
	var out []string
	for _, r := range m.asked {
		text := r.Completion
		if len(r.Messages) > 0 {
			text = flat(r.Messages)
		}
		out = append(out, text[strings.LastIndex(text, questionHead):])
	}
	return out
}

// shelf is a library in memory. A passage is found, and is above the floor, when
// it holds half of the content words of the search; the tag of a document is
// what the filter type compares.
type shelf struct {
	mu       sync.Mutex
	passages []rag.Hit
	searches []Search
	lists    [][]rag.Filter
	opened   []int64
	err      error
}

func passage(id int64, title, kind, text string) rag.Hit {
	return rag.Hit{Chunk: id, Document: id, Title: title, Class: rag.Class(kind), Text: text}
}

func pumps() *shelf {
	return &shelf{passages: []rag.Hit{
		passage(31, "Pump A", "pdf", "The warranty of pump A is five years."),
		passage(32, "Pump B", "text", "The warranty of pump B is two years."),
		passage(33, "Bridge", "text", "The Harlow Bridge is 320 metres long."),
		passage(34, "Toll", "text", "The toll office of the Harlow Bridge is closed on Monday."),
	}}
}

func (s *shelf) Search(_ context.Context, q Search) (Found, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.searches = append(s.searches, q)
	if s.err != nil {
		return Found{}, s.err
	}
	l := language.For("en")
	var found Found
	var extras []rag.Hit
	for _, h := range s.passages {
		wanted, held, n := l.Keys(q.Text), l.Keys(h.Text+" "+h.Title), 0
		for k := range wanted {
			if held[k] {
				n++
			}
		}
		h.PassedFloor = 2*n >= len(wanted) && n > 0
		if n == 0 {
			continue
		}
		h.Owner = rag.OwnerMatch
		for _, f := range q.Guesses {
			if f.Field == "type" && !slices.Contains(f.Values, string(h.Class)) {
				h.Owner = rag.OwnerHintExtra
				found.Dropped = q.Guesses
			}
		}
		if h.Owner == rag.OwnerMatch {
			found.Hits = append(found.Hits, h)
		} else {
			extras = append(extras, h)
		}
	}
	slices.SortStableFunc(found.Hits, func(a, b rag.Hit) int {
		switch {
		case a.PassedFloor == b.PassedFloor:
			return 0
		case a.PassedFloor:
			return -1
		}
		return 1
	})
	page := q.Limit
	if page == 0 {
		page = 8
	}
	found.Hits = found.Hits[min(q.Offset, len(found.Hits)):]
	found.Hits = found.Hits[:min(page, len(found.Hits))]
	found.More = len(found.Hits) == page
	found.Hits = append(found.Hits, extras...)
	return found, nil
}

func (s *shelf) Open(_ context.Context, chunk int64) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = append(s.opened, chunk)
	for _, h := range s.passages {
		if h.Chunk == chunk {
			return "Before it. " + h.Text + " After it.", nil
		}
	}
	return "", nil
}

func (s *shelf) List(_ context.Context, guesses []rag.Filter) (Listing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists = append(s.lists, guesses)
	var out Listing
	for _, h := range s.passages {
		out.Documents = append(out.Documents, Listed{ID: h.Document, Name: h.Title + "." + string(h.Class), Type: string(h.Class)})
	}
	out.Total = len(out.Documents)
	return out, nil
}

// texts are the searches as words.
func (s *shelf) texts() []string {
	var out []string
	for _, q := range s.searches {
		out = append(out, q.Text)
	}
	return out
}
