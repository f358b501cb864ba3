package conformance

import (
	"errors"
	"regexp"

	"referent/inference"
)

// held: a model whose host says so writes what a grammar allows, whatever it
// would have said; any other host refuses the request before a word is written.
func held(s *suite) {
	req := chat(24)
	req.Grammar = "root ::= \"ship\" (\" ship\"){2,4}\n"
	if !s.generator().Info().Grammar {
		s.refused(req)
		return
	}
	follows := func(want string) {
		s.Helper()
		for _, temperature := range []float32{0, 1.5} {
			req.Temperature, req.Seed = temperature, 7
			res, _ := s.generate(req)
			if !regexp.MustCompile(want).MatchString(res.Text) || res.Stop != inference.StopEnd {
				s.Errorf("temperature %g: %q, stop %q, does not follow %s", temperature, res.Text, res.Stop, want)
			}
		}
	}
	follows(`^ship( ship){2,4}$`)
	req.Prefill = "ship ship"
	follows(`^( ship){1,3}$`)
	req.Prefill = "boat"
	s.refused(req)
	req.Prefill = ""
	for _, bad := range []string{"root ::= (", "start ::= \"a\"", "root ::= \"a\x00\"", " "} {
		req.Grammar = bad
		s.refused(req)
	}
}

// refused expects ErrGrammar and no text, and that the next call works.
func (s *suite) refused(req inference.GenerateRequest) {
	s.Helper()
	wrote := false
	_, err := s.generator().Generate(s.ctx, req, func(inference.Piece) error { wrote = true; return nil })
	var e *inference.Error
	if !errors.Is(err, inference.ErrGrammar) || !errors.As(err, &e) || e.Message == "" || wrote {
		s.Errorf("the grammar %q behind %q gave %v (text: %v), want ErrGrammar", req.Grammar, req.Prefill, err, wrote)
	}
	s.generate(chat(2))
}
