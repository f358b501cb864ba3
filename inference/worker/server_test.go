package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/fake"
	"referent/inference/process"
)

// served is a server in this process and the parent's end of its pipe.
type served struct {
	*process.Pipe
	t     *testing.T
	close func() error
	ends  chan lastFrame
	code  chan int
}

// lastFrame ends one request.
type lastFrame struct {
	id uint64
	done
}

func serve(t *testing.T, host inference.Host) *served {
	t.Helper()
	childIn, toChild := io.Pipe()
	fromChild, childOut := io.Pipe()
	s := &served{process.NewPipe(fromChild, toChild), t, toChild.Close, make(chan lastFrame, 100), make(chan int, 1)}
	go func() { s.code <- Serve(host, childIn, childOut); _ = childOut.Close() }()
	kind, _, err := s.Receive()
	if err != nil || kind != frameHello {
		t.Fatalf("the first frame is %q, %v", kind, err)
	}
	read := make(chan struct{})
	go func() { defer close(read); s.read() }()
	t.Cleanup(func() { _ = toChild.Close(); _ = fromChild.Close(); <-read })
	return s
}

// read takes frames as they come, as a parent must, and keeps the last ones.
func (s *served) read() {
	defer close(s.ends)
	for {
		kind, payload, err := s.Receive()
		if err != nil {
			return
		}
		if kind != frameDone {
			continue
		}
		id, body, err := splitID(payload)
		end := lastFrame{id: id}
		if err == nil {
			err = json.Unmarshal(body, &end.done)
		}
		if err != nil {
			s.t.Error(err)
			return
		}
		s.ends <- end
	}
}

func (s *served) ask(kind byte, id uint64, body any) {
	s.t.Helper()
	if err := s.Send(kind, encode(id, body)); err != nil {
		s.t.Fatal(err)
	}
}

// next returns the last frame of the request that ends next.
func (s *served) next() (uint64, done) {
	s.t.Helper()
	end, ok := <-s.ends
	if !ok {
		s.t.Fatal("the server ended")
	}
	return end.id, end.done
}

func TestTheServerDoesNotQueue(t *testing.T) {
	release := make(chan struct{})
	host := fake.New(fake.Config{Step: func(ctx context.Context, s fake.Step) error {
		if s.Phase != fake.PhaseDecode || s.Role != inference.RoleAnswer {
			return nil
		}
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}})
	s := serve(t, host)
	s.ask(frameLoad, 1, fake.Spec(inference.Roles()...))
	s.next()
	hello := inference.GenerateRequest{Completion: "hello"}
	s.ask(frameGenerate, 2, generateRequest{inference.RoleAnswer, hello})
	s.ask(frameGenerate, 3, generateRequest{inference.RoleCondense, hello})
	if id, d := s.next(); id != 3 || d.Result == nil || d.Result.Text == "" {
		t.Errorf("the second request waits for the first: %d %+v", id, d)
	}
	close(release)
	if id, d := s.next(); id != 2 || d.Error != nil {
		t.Errorf("got %d %+v", id, d)
	}
}

func TestACancelFrameStopsItsRequestOnly(t *testing.T) {
	block := func(ctx context.Context, s fake.Step) error {
		if s.Phase == fake.PhaseDecode {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
	s := serve(t, fake.New(fake.Config{Step: block}))
	s.ask(frameLoad, 1, fake.Spec(inference.Roles()...))
	s.next()
	s.ask(frameGenerate, 2, generateRequest{inference.RoleAnswer, inference.GenerateRequest{Completion: "a"}})
	s.ask(frameGenerate, 3, generateRequest{inference.RoleAnswer, inference.GenerateRequest{Completion: "b"}})
	for _, id := range []uint64{3, 2, 99} {
		if err := s.Send(frameCancel, withID(id, nil)); err != nil {
			t.Fatal(err)
		}
		if id == 99 {
			break // nothing has this id, and nothing happens
		}
		if got, d := s.next(); got != id || !errors.Is(d.Error.err(), context.Canceled) {
			t.Errorf("got %d %+v, want the cancelled %d", got, d, id)
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if code := <-s.code; code != exitOK {
		t.Errorf("code %d after a regular end", code)
	}
}

func TestClosingTheInputStopsWorkInProgress(t *testing.T) {
	started := make(chan struct{})
	host := fake.New(fake.Config{Step: func(ctx context.Context, s fake.Step) error {
		if s.Phase == fake.PhaseDecode {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}})
	s := serve(t, host)
	s.ask(frameLoad, 1, fake.Spec(inference.RoleAnswer))
	s.next()
	s.ask(frameGenerate, 2, generateRequest{inference.RoleAnswer, inference.GenerateRequest{Completion: "a"}})
	<-started
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if code := <-s.code; code != exitOK || len(host.Loaded()) != 0 {
		t.Errorf("code %d, %d models left", code, len(host.Loaded()))
	}
}

func TestGarbageEndsTheServer(t *testing.T) {
	for _, c := range []struct {
		name string
		send func(*process.Pipe) error
	}{
		{"unknown type", func(p *process.Pipe) error { return p.Send('?', withID(1, []byte("{}"))) }},
		{"no id", func(p *process.Pipe) error { return p.Send(frameLoad, []byte("abc")) }},
		{"bad body", func(p *process.Pipe) error { return p.Send(frameLoad, withID(1, []byte("{"))) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, fake.New(fake.Config{}))
			if err := c.send(s.Pipe); err != nil {
				t.Fatal(err)
			}
			if code := <-s.code; code != exitGarbage {
				t.Errorf("code %d, want %d", code, exitGarbage)
			}
		})
	}
}

func TestErrorsKeepBothFaces(t *testing.T) {
	s := serve(t, fake.New(fake.Config{LoadError: func(inference.LoadSpec) error {
		return &inference.Error{Kind: inference.ErrModelFile, Message: "The file is cut off. Download it again.", Cause: errors.New("tensor 7 ends behind the file")}
	}}))
	s.ask(frameLoad, 1, fake.Spec(inference.RoleAnswer))
	_, d := s.next()
	err := d.Error.err()
	var e *inference.Error
	if !errors.Is(err, inference.ErrModelFile) || !errors.As(err, &e) || e.Message != "The file is cut off. Download it again." || e.Cause.Error() != "tensor 7 ends behind the file" {
		t.Errorf("got %#v", err)
	}
	for _, kind := range []error{inference.ErrNoModel, inference.ErrNoRuntime, inference.ErrOutOfMemory, inference.ErrContextOverflow, inference.ErrWorkerDied, context.Canceled, context.DeadlineExceeded} {
		if got := toWire(kind).err(); !errors.Is(got, kind) {
			t.Errorf("%v became %v", kind, got)
		}
	}
	if got := toWire(errors.New("odd")).err(); got.Error() != "odd" {
		t.Errorf("an unknown error became %v", got)
	}
}

func TestBatcher(t *testing.T) {
	now := time.Unix(100, 0)
	var due func()
	var wait time.Duration
	var sent []string
	b := newBatcher(func(p pieces) {
		var parts []string
		for _, piece := range p.Pieces {
			parts = append(parts, piece.Text)
		}
		sent = append(sent, strings.Join(parts, "|"))
	})
	b.now = func() time.Time { return now }
	b.after = func(d time.Duration, f func()) { wait, due = d, f }
	expect := func(want ...string) {
		t.Helper()
		if strings.Join(sent, "/") != strings.Join(want, "/") {
			t.Errorf("sent %q, want %q", sent, want)
		}
	}
	b.add(inference.Piece{Text: "a"})
	expect("a") // the first goes at once
	now = now.Add(5 * time.Millisecond)
	b.add(inference.Piece{Text: "b"})
	b.add(inference.Piece{Text: "c"})
	b.add(inference.Piece{Text: "d", Reasoning: true})
	expect("a")
	if wait != 11*time.Millisecond {
		t.Errorf("waits %v, want the rest of 16 ms", wait)
	}
	now = now.Add(wait)
	due()
	expect("a", "bc|d")
	now = now.Add(20 * time.Millisecond)
	b.add(inference.Piece{Text: "e"})
	expect("a", "bc|d", "e") // long silence: at once
	b.add(inference.Piece{Text: "f"})
	b.close()
	due()
	expect("a", "bc|d", "e", "f") // nothing after the end
}
