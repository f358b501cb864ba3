package conformance

import (
	"context"
	"errors"
	"math"
	"strings"

	"referent/inference"
)

func (s *suite) embed(kind inference.TextKind, texts ...string) [][]float32 {
	s.Helper()
	e, err := s.host.Embedder()
	if err != nil {
		s.Fatal(err)
	}
	out, err := e.Embed(s.ctx, kind, texts, inference.PriorityIndexing)
	if err != nil {
		s.Fatalf("embed: %v", err)
	}
	if len(out) != len(texts) {
		s.Fatalf("%d vectors for %d texts", len(out), len(texts))
	}
	for i, v := range out {
		if len(v) != e.Info().Dimensions {
			s.Fatalf("vector %d has %d values, the model says %d", i, len(v), e.Info().Dimensions)
		}
		if n := math.Sqrt(dot(v, v)); math.Abs(n-1) > 1e-3 {
			s.Errorf("the vector of %.40q has length %v, want 1", texts[i], n)
		}
	}
	return out
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func vectors(s *suite) {
	v := s.embed(inference.KindPassage, "The boiler is serviced in October.", "The boiler is serviced in October.")
	if c := dot(v[0], v[1]); c < 0.999 {
		s.Errorf("one text twice has cosine %v", c)
	}
	e, err := s.host.Embedder()
	if err != nil {
		s.Fatal(err)
	}
	if none, err := e.Embed(s.ctx, inference.KindQuery, nil, inference.PriorityInteractive); err != nil || len(none) != 0 {
		s.Errorf("no texts gave %d vectors, %v", len(none), err)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	if _, err := e.Embed(ctx, inference.KindQuery, []string{"x"}, inference.PriorityInteractive); !errors.Is(err, context.Canceled) {
		s.Errorf("a cancelled call gave %v", err)
	}
}

// references compares vectors, made together, with those from elsewhere.
func references(s *suite, r References) {
	r.Spec.Roles = []inference.Role{inference.RoleEmbed}
	s.load(r.Spec)
	for i, v := range s.embed(inference.KindPassage, r.Texts...) {
		if c := dot(v, r.Vectors[i]); c < 0.999 {
			s.Errorf("%.40q has cosine %v with its reference", r.Texts[i], c)
		}
	}
}

// vectorBatch compares texts of different lengths embedded together and alone.
func vectorBatch(s *suite) {
	texts := []string{"short", "The tenant pays the rent on the third working day of the month.", "Miete", s.long(inference.RoleEmbed, "stairs and lift ", 80), "x", "Il riscaldamento si accende in ottobre.", "lift"}
	together := s.embed(inference.KindPassage, texts...)
	for i, text := range texts {
		alone := s.embed(inference.KindPassage, text)
		if c := dot(together[i], alone[0]); c < 0.999 {
			s.Errorf("%.40q has cosine %v between a batch and alone", text, c)
		}
	}
}

func vectorOrder(s *suite) {
	q := s.embed(inference.KindQuery, "When is the boiler serviced?")[0]
	p := s.embed(inference.KindPassage, "The boiler is serviced every year in October.", "Dogs may be kept with the consent of the board.")
	if near, far := dot(q, p[0]), dot(q, p[1]); near <= far {
		s.Errorf("the right passage has cosine %v, the wrong one %v", near, far)
	}
}

// window is more than an encoder reads at once, in tokens.
const window = 512

// oddTexts have ended processes: empty, longer than any window, with a NUL.
func oddTexts(s *suite) {
	s.embed(inference.KindPassage, "", " ", "\x00", "a\x00b", s.long(inference.RoleEmbed, "The archive keeps the minutes of every meeting. ", window+64), s.long(inference.RoleEmbed, "界", window+16), "<s></s>[MASK]")
}

func countTokens(s *suite) {
	for _, role := range []inference.Role{inference.RoleAnswer, inference.RoleEmbed} {
		t, err := s.host.Tokenizer(role)
		if err != nil {
			s.Fatal(err)
		}
		n, err := t.CountTokens(s.ctx, []string{"", "house", "house and garden", strings.Repeat("house and garden ", 100), "a\x00b"})
		if err != nil || len(n) != 5 {
			s.Fatalf("%s: %v, %v", role, n, err)
		}
		if n[0] != 0 || n[1] < 1 || n[2] <= n[1] || n[3] < 100*n[1] || n[4] < 1 {
			s.Errorf("%s counts %v", role, n)
		}
	}
}

func rerank(s *suite) {
	r, err := s.host.Reranker()
	if err != nil {
		s.Fatal(err)
	}
	scores, err := r.Rerank(s.ctx, "When is the boiler serviced?", []string{
		"Dogs may be kept with the consent of the board.", "The boiler is serviced every year in October.", "",
	})
	if err != nil || len(scores) != 3 {
		s.Fatalf("%v, %v", scores, err)
	}
	for _, x := range scores {
		if x < 0 || x > 1 || x != x {
			s.Errorf("a score of %v is outside 0 to 1", x)
		}
	}
	if scores[1] <= scores[0] {
		s.Errorf("the right passage has %v, the wrong one %v", scores[1], scores[0])
	}
	if none, err := r.Rerank(s.ctx, "boiler", nil); err != nil || len(none) != 0 {
		s.Errorf("no passages gave %v, %v", none, err)
	}
}
