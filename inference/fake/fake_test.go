package fake_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/conformance"
	"referent/inference/fake"
)

func TestConformance(t *testing.T) {
	models, replies := conformance.Fake()
	conformance.Run(t, func(*testing.T) inference.Host {
		return fake.New(fake.Config{Match: replies})
	}, models)
}

func answer(t *testing.T, h *fake.Host, req inference.GenerateRequest) (inference.GenerateResult, error) {
	t.Helper()
	g, err := h.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	return g.Generate(t.Context(), req, nil)
}

func TestRepliesAreTakenInOrder(t *testing.T) {
	h := fake.NewLoaded(fake.Config{
		Replies: []fake.Reply{{Text: "one"}, {Text: "two"}},
		Match: func(_ inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
			return fake.Reply{Text: "matched"}, req.Completion == "match me"
		},
	})
	h.Script(fake.Reply{Text: "three"})
	for _, c := range []struct{ ask, want string }{{"a", "one"}, {"match me", "matched"}, {"b", "two"}, {"c", "three"}, {"d", "I read: d"}} {
		if res, err := answer(t, h, inference.GenerateRequest{Completion: c.ask}); err != nil || res.Text != c.want {
			t.Errorf("%q gave %q, %v; want %q", c.ask, res.Text, err, c.want)
		}
	}
	if n := h.Count("generate"); n != 5 {
		t.Errorf("%d calls are noted, want 5", n)
	}
	if first := h.Calls()[4]; first.Kind != "generate" || first.Request.Completion != "a" || first.Role != inference.RoleAnswer {
		t.Errorf("behind the four loads the log holds %+v", first)
	}
}

func TestAPrefillIsContinued(t *testing.T) {
	h := fake.NewLoaded(fake.Config{Replies: []fake.Reply{{Text: "The boiler is old."}, {Text: "The boiler is old."}}})
	res, err := answer(t, h, inference.GenerateRequest{Completion: "x", Prefill: "The boi"})
	if err != nil || res.Text != "ler is old." {
		t.Errorf("got %q, %v", res.Text, err)
	}
	res, err = answer(t, h, inference.GenerateRequest{Completion: "x", Prefill: "Something else"})
	if err != nil || res.Text != "The boiler is old." {
		t.Errorf("another beginning: got %q, %v", res.Text, err)
	}
}

func TestScriptedFaults(t *testing.T) {
	broken := errors.New("broken")
	died := false
	for _, c := range []struct {
		name  string
		reply fake.Reply
		die   func()
		kind  error
		text  string
	}{
		{"an error at once", fake.Reply{Text: "one two", Err: broken}, nil, broken, ""},
		{"an error behind two tokens", fake.Reply{Text: "one two six", Err: broken, After: 2}, nil, broken, "one two"},
		{"a death without a process", fake.Reply{Text: "one two", Die: true, After: 1}, nil, inference.ErrWorkerDied, "one"},
		{"a death with one", fake.Reply{Text: "one two", Die: true, After: 1}, func() { died = true }, inference.ErrWorkerDied, "one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fake.NewLoaded(fake.Config{Replies: []fake.Reply{c.reply}, Die: c.die})
			res, err := answer(t, h, inference.GenerateRequest{Completion: "x"})
			if !errors.Is(err, c.kind) || res.Text != c.text {
				t.Errorf("got %q, %v; want %q, %v", res.Text, err, c.text, c.kind)
			}
		})
	}
	if !died {
		t.Error("the process was not ended")
	}
}

func TestAHangEndsWithItsContext(t *testing.T) {
	h := fake.NewLoaded(fake.Config{Replies: []fake.Reply{{Text: "one two", Hang: true, After: 1}}})
	g, err := h.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	res, err := g.Generate(ctx, inference.GenerateRequest{Completion: "x"}, func(inference.Piece) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || res.Text != "one" || res.Stop != inference.StopCancelled {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestStepsAreAnnounced(t *testing.T) {
	count := map[fake.Phase]int{}
	h := fake.New(fake.Config{Step: func(_ context.Context, s fake.Step) error { count[s.Phase]++; return nil }})
	if _, err := h.Load(t.Context(), fake.Spec(inference.Roles()...), nil); err != nil {
		t.Fatal(err)
	}
	// 100 words of four letters are 100 tokens, two steps of a prompt; the reply
	// "ok" is one token and the look for a next one.
	h.Script(fake.Reply{Text: "ok"})
	if _, err := answer(t, h, inference.GenerateRequest{Completion: strings.TrimSpace(strings.Repeat("word ", 100))}); err != nil {
		t.Fatal(err)
	}
	e, err := h.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), inference.KindQuery, []string{"a", "b", "c"}, inference.PriorityInteractive); err != nil {
		t.Fatal(err)
	}
	want := map[fake.Phase]int{fake.PhaseLoad: 10, fake.PhasePrefill: 2, fake.PhaseDecode: 2, fake.PhaseEmbed: 3}
	if !maps.Equal(count, want) {
		t.Errorf("counted %v, want %v", count, want)
	}
}

func TestAnUnloadWaitsForWork(t *testing.T) {
	inDecode, goOn := make(chan struct{}), make(chan struct{})
	h := fake.New(fake.Config{Step: func(_ context.Context, s fake.Step) error {
		if s.Phase == fake.PhaseDecode && s.N == 0 {
			close(inDecode)
			<-goOn
		}
		return nil
	}})
	if _, err := h.Load(t.Context(), fake.Spec(inference.RoleAnswer), nil); err != nil {
		t.Fatal(err)
	}
	text := make(chan string)
	go func() {
		res, err := answer(t, h, inference.GenerateRequest{Completion: "hi"})
		if err != nil {
			t.Error(err)
		}
		text <- res.Text
	}()
	<-inDecode
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Unload(ctx, inference.RoleAnswer); !errors.Is(err, context.Canceled) {
		t.Errorf("an unload under a running call gave %v", err)
	}
	close(goOn)
	if got := <-text; got != "I read: hi" {
		t.Errorf("the call under way gave %q", got)
	}
}
