package conformance

import (
	"context"
	"errors"
	"strings"

	"referent/inference"
)

func cancelledBefore(s *suite) {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	res, err := s.generator().Generate(ctx, chat(8), func(inference.Piece) error {
		s.Error("a piece came after the cancel")
		return nil
	})
	if !errors.Is(err, context.Canceled) || res.Text != "" {
		s.Errorf("got %q, %v; want nothing and context.Canceled", res.Text, err)
	}
}

// cancelInPrefill cancels at the first sign of progress of a long prompt.
func cancelInPrefill(s *suite) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	g := s.generator()
	req := inference.GenerateRequest{Completion: s.long(inference.RoleAnswer, "ship ", g.Info().Context/2), MaxTokens: 64}
	after := 0
	_, err := g.Generate(inference.WithProgress(ctx, cancel), req, func(inference.Piece) error {
		if ctx.Err() != nil {
			after++
		}
		cancel() // a host that evaluates the prompt in one step
		return nil
	})
	if !errors.Is(err, context.Canceled) || after > 1 {
		s.Errorf("got %v and %d pieces after the cancel; want context.Canceled and at most one", err, after)
	}
	s.generate(chat(4))
}

// cancelInDecode cancels at the third piece; no more than one token may follow.
func cancelInDecode(s *suite) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	seen, after := 0, 0
	var text strings.Builder
	res, err := s.generator().Generate(ctx, chat(200), func(p inference.Piece) error {
		text.WriteString(p.Text)
		if seen++; seen == 3 {
			cancel()
		} else if seen > 3 {
			after++
		}
		return nil
	})
	if seen < 3 { // everything came in fewer pieces: then nothing was cancelled
		if err != nil {
			s.Errorf("an uncancelled call failed: %v", err)
		}
		return
	}
	if err == nil && after == 0 && res.Stop == inference.StopEnd && res.Text == text.String() {
		return // a host in another process had sent the end before it heard of the cancel
	}
	if !errors.Is(err, context.Canceled) || after > 1 {
		s.Errorf("got %v and %d pieces after the cancel; want context.Canceled and at most one", err, after)
	}
	if res.Text != text.String() || res.Stop != inference.StopCancelled {
		s.Errorf("the result holds %q (%s), delivered was %q", res.Text, res.Stop, text.String())
	}
	s.generate(chat(4))
}

var errEnough = errors.New("enough")

func stoppedByCaller(s *suite) {
	seen := 0
	res, err := s.generator().Generate(s.ctx, chat(200), func(inference.Piece) error {
		seen++
		return errEnough
	})
	if !errors.Is(err, errEnough) || seen != 1 || res.Text == "" {
		s.Errorf("got %v after %d pieces with %q; want the caller's error after one", err, seen, res.Text)
	}
	s.generate(chat(4))
}
