package engine

import (
	"context"
	"strings"

	"referent/inference"
	"referent/rag/language"
)

// script is a generator that writes a given text in small pieces and keeps the
// requests. Its zero value writes nothing.
type script struct {
	info     inference.ModelInfo
	text     string
	thought  string // sent as reasoning before the text
	err      error
	stop     inference.StopReason
	block    bool // waits for the context before it writes
	requests []inference.GenerateRequest
}

func (s *script) Info() inference.ModelInfo { return s.info }

func (s *script) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	s.requests = append(s.requests, req)
	if s.block {
		<-ctx.Done()
		return inference.GenerateResult{Stop: inference.StopCancelled}, ctx.Err()
	}
	if s.err != nil {
		return inference.GenerateResult{}, s.err
	}
	send := func(text string, reasoning bool) error {
		for _, part := range strings.SplitAfter(text, " ") {
			if each == nil {
				continue
			}
			if err := each(inference.Piece{Text: part, Reasoning: reasoning}); err != nil {
				return err
			}
		}
		return nil
	}
	res := inference.GenerateResult{Text: s.text, Stop: s.stop}
	if res.Stop == "" {
		res.Stop = inference.StopEnd
	}
	if s.thought != "" {
		if err := send(s.thought, true); err != nil {
			return res, err
		}
	}
	return res, send(s.text, false)
}

// prompts returns the text of the last request.
func (s *script) prompt() string {
	r := s.requests[len(s.requests)-1]
	if len(r.Messages) > 0 {
		return r.Messages[len(r.Messages)-1].Text
	}
	return r.Completion
}

// corpus is a set of texts, each a chunk.
type corpus []string

func (c corpus) Analyze(text string) []string {
	var out []string
	l := language.For("en")
	for _, w := range l.ContentWords(text) {
		out = append(out, l.Key(w.Lower))
	}
	return out
}

func (c corpus) DocumentFrequency(term string) int {
	n := 0
	for _, text := range c {
		if language.For("en").Keys(text)[term] {
			n++
		}
	}
	return n
}

// vectors is an embedder with one vector a text, two dimensions.
type vectors struct {
	by    map[string][]float32
	dims  int
	err   error
	calls [][]string
	kinds []inference.TextKind
}

func (v *vectors) Info() inference.ModelInfo {
	return inference.ModelInfo{Dimensions: v.dims, Context: 512}
}

func (v *vectors) Embed(_ context.Context, kind inference.TextKind, texts []string, _ inference.Priority) ([][]float32, error) {
	v.calls = append(v.calls, texts)
	v.kinds = append(v.kinds, kind)
	if v.err != nil {
		return nil, v.err
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = append([]float32(nil), v.by[t]...)
	}
	return out, nil
}
