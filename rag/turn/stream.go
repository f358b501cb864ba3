package turn

import (
	"strings"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/check"
)

const (
	statsEvery = 250 * time.Millisecond
	statsFrom  = 8 // tokens
)

// stream turns pieces into events. In strict mode text is collected only; with
// generation history it is released sentence by sentence, after the check for
// planted values; else at once.
type stream struct {
	t         *turn
	text      strings.Builder // the answer as it may go on to the check
	reasoning strings.Builder
	waiting   strings.Builder // an unfinished sentence
	checker   *check.Checker  // nil: nothing is held
	silent    bool            // strict
	tokens    int
	first     time.Time
	last      time.Time
}

func (t *turn) stream() *stream {
	s := &stream{t: t, silent: t.mode == rag.ModeStrict}
	if t.held() && !s.silent {
		s.checker = t.checking()
	}
	return s
}

func (s *stream) piece(p inference.Piece) error {
	if err := s.t.ctx.Err(); err != nil {
		return err
	}
	if p.Reasoning {
		s.reasoning.WriteString(p.Text)
		if !s.silent && s.checker == nil { // a thought may repeat the history
			s.t.emit(rag.Reasoning{Text: p.Text})
		}
		return nil
	}
	s.count()
	switch {
	case s.silent:
		s.text.WriteString(p.Text)
	case s.checker == nil:
		s.text.WriteString(p.Text)
		s.t.token(p.Text)
	default:
		s.waiting.WriteString(p.Text)
		s.release(false)
	}
	return nil
}

// release lets finished sentences go. A sentence is finished when another one
// has begun behind it. Withheld ones stay in the text for the final check, which
// withholds them again and counts them.
func (s *stream) release(all bool) {
	text := s.waiting.String()
	spans := s.t.l.Sentences(text)
	n := len(spans)
	if !all {
		n--
	}
	if n <= 0 && !all {
		return
	}
	last := 0
	for _, sp := range spans[:max(n, 0)] {
		part := text[last:sp.End]
		last = sp.End
		s.text.WriteString(part)
		if shown, withheld := s.checker.Withhold(part); withheld == 0 && shown != "" {
			s.t.token(part)
		}
	}
	rest := text[last:]
	s.waiting.Reset()
	if all {
		s.text.WriteString(rest)
		return
	}
	s.waiting.WriteString(rest)
}

// end releases what is left and tells the final figures.
func (s *stream) end(res inference.GenerateResult) {
	if s.checker != nil {
		s.release(true)
	}
	if s.tokens >= statsFrom && s.t.r.now().Sub(s.last) >= statsEvery {
		s.stats(res)
	}
}

// count sends figures at most every 250 ms, none before the eighth token.
func (s *stream) count() {
	now := s.t.r.now()
	if s.tokens == 0 {
		s.first, s.last = now, now
	}
	s.tokens++
	if s.tokens >= statsFrom && now.Sub(s.last) >= statsEvery {
		s.last = now
		s.stats(inference.GenerateResult{})
	}
}

func (s *stream) stats(res inference.GenerateResult) {
	rate := res.DecodePerSecond
	if elapsed := s.t.r.now().Sub(s.first).Seconds(); rate == 0 && elapsed > 0 {
		rate = float64(s.tokens-1) / elapsed
	}
	s.t.emit(rag.Stats{TokensPerSecond: rate, PromptTokens: res.PromptTokens, CachedTokens: res.CachedTokens})
}
