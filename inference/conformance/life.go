package conformance

import (
	"errors"
	"slices"
	"sync"

	"referent/inference"
)

// empty asks a host with nothing loaded.
func empty(s *suite) {
	isNoModel := func(what string, err error) {
		s.Helper()
		var e *inference.Error
		if !errors.Is(err, inference.ErrNoModel) || !errors.As(err, &e) || e.Message == "" {
			s.Errorf("%s gave %v, want ErrNoModel with a sentence", what, err)
		}
	}
	for _, role := range inference.Roles() {
		_, err := s.host.Generator(role)
		isNoModel("a generator for "+string(role), err)
		_, err = s.host.Tokenizer(role)
		isNoModel("a tokenizer for "+string(role), err)
		if err := s.host.Unload(s.ctx, role); err != nil {
			s.Errorf("unloading nothing gave %v", err)
		}
	}
	_, err := s.host.Embedder()
	isNoModel("an embedder", err)
	_, err = s.host.Reranker()
	isNoModel("a reranker", err)
	if n := len(s.host.Loaded()); n != 0 {
		s.Errorf("%d models are loaded", n)
	}
}

func info(s *suite, m Models) {
	i := s.generator().Info()
	if i.Context < 512 || i.Hash == "" || i.Device == "" || i.Threads <= 0 && !m.Elsewhere {
		s.Errorf("the chat model is described as %+v", i)
	}
	if m.Chat.Context != 0 && i.Context != m.Chat.Context {
		s.Errorf("a context of %d was asked for, got %d", m.Chat.Context, i.Context)
	}
	if !slices.Equal(i.Roles, m.Chat.Roles) {
		s.Errorf("the chat model has the roles %v", i.Roles)
	}
	want := 2
	if m.Rerank.Path != "" {
		want = 3
	}
	if n := len(s.host.Loaded()); n != want {
		s.Errorf("%d models are loaded, want %d", n, want)
	}
}

// twoAtOnce runs three calls together; each must write what it writes alone.
func twoAtOnce(s *suite) {
	condense, err := s.host.Generator(inference.RoleCondense)
	if err != nil {
		s.Fatal(err)
	}
	answer := chat(16)
	answer.Cache = inference.CacheFixedCut
	rewrite := inference.GenerateRequest{Completion: "One, two, three,", MaxTokens: 12, Cache: inference.CacheFixedCut, Priority: inference.PriorityCondense}
	aloneAnswer, err := s.generator().Generate(s.ctx, answer, nil)
	if err != nil {
		s.Fatal(err)
	}
	aloneRewrite, err := condense.Generate(s.ctx, rewrite, nil)
	if err != nil {
		s.Fatal(err)
	}
	var calls sync.WaitGroup
	calls.Go(func() {
		if res, err := s.generator().Generate(s.ctx, answer, nil); err != nil || res.Text != aloneAnswer.Text {
			s.Errorf("beside others: %q, %v; alone: %q", res.Text, err, aloneAnswer.Text)
		}
	})
	calls.Go(func() {
		if res, err := condense.Generate(s.ctx, rewrite, nil); err != nil || res.Text != aloneRewrite.Text {
			s.Errorf("beside others: %q, %v; alone: %q", res.Text, err, aloneRewrite.Text)
		}
	})
	calls.Go(func() {
		e, err := s.host.Embedder()
		if err != nil {
			s.Error(err)
			return
		}
		if v, err := e.Embed(s.ctx, inference.KindPassage, []string{"one", "two", "three"}, inference.PriorityIndexing); err != nil || len(v) != 3 {
			s.Errorf("beside others: %d vectors, %v", len(v), err)
		}
	})
	calls.Wait()
}

// cycles loads and unloads; handles of an unloaded model say so.
func cycles(s *suite, m Models) {
	n := m.Cycles
	if n == 0 {
		n = 3
	}
	for _, role := range inference.Roles() {
		if err := s.host.Unload(s.ctx, role); err != nil {
			s.Fatal(err)
		}
	}
	for range n {
		var last float64
		if _, err := s.host.Load(s.ctx, m.Chat, func(part float64) {
			if part < last || part > 1 {
				s.Errorf("progress went from %v to %v", last, part)
			}
			last = part
		}); err != nil {
			s.Fatal(err)
		}
		g := s.generator()
		if _, err := g.Generate(s.ctx, chat(2), nil); err != nil {
			s.Fatal(err)
		}
		for _, role := range m.Chat.Roles {
			if err := s.host.Unload(s.ctx, role); err != nil {
				s.Fatal(err)
			}
		}
		if _, err := g.Generate(s.ctx, chat(2), nil); !errors.Is(err, inference.ErrNoModel) {
			s.Fatalf("an unloaded model answers with %v", err)
		}
		if left := s.host.Loaded(); len(left) != 0 {
			s.Fatalf("%d models stay loaded", len(left))
		}
	}
}

// replace loads the same roles again, then one of them alone.
func replace(s *suite, m Models) {
	s.load(m.Chat)
	s.load(m.Chat)
	if n := len(s.host.Loaded()); n != 1 {
		s.Errorf("%d models are loaded, want one", n)
	}
	if err := s.host.Unload(s.ctx, inference.RoleCondense); err != nil {
		s.Fatal(err)
	}
	s.generate(chat(2))
	left := s.host.Loaded()
	if len(left) != 1 || !slices.Equal(left[0].Roles, []inference.Role{inference.RoleAnswer}) {
		s.Errorf("left is %+v, want the answer role", left)
	}
	bad := m.Chat
	bad.Roles = nil
	if _, err := s.host.Load(s.ctx, bad, nil); err == nil {
		s.Error("a load without a role must fail")
	}
	s.generate(chat(2))
}
