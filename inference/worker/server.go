package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"referent/inference"
	"referent/inference/process"
)

// farewell is how long work may take to stop when the parent is gone.
const farewell = 2 * time.Second

// server answers the requests of one parent.
type server struct {
	host inference.Host
	pipe *process.Pipe

	mu      sync.Mutex
	cancels map[uint64]context.CancelFunc
	work    sync.WaitGroup
}

// Serve answers requests from in until it closes, each in its own goroutine;
// the host decides whose turn it is. It closes the host and returns an exit
// code: 0 after a regular end. Work that does not stop within two seconds is
// left to the end of the process.
func Serve(host inference.Host, in io.Reader, out io.Writer) int {
	s := &server{host: host, pipe: process.NewPipe(in, out), cancels: map[uint64]context.CancelFunc{}}
	if sendHello(s.pipe, introduce(host)) != nil {
		return exitOK // the parent went away
	}
	ctx, stop := context.WithCancel(context.Background())
	err := s.read(ctx)
	stop()
	ended := make(chan struct{})
	go func() {
		s.work.Wait()
		_ = host.Close() // the process ends either way
		close(ended)
	}()
	timer := time.NewTimer(farewell)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
	if errors.Is(err, process.ErrGarbage) {
		fmt.Fprintln(os.Stderr, "referent: the model role got something that is no request")
		return exitGarbage
	}
	return exitOK
}

func (s *server) read(ctx context.Context) error {
	for {
		kind, payload, err := s.pipe.Receive()
		if err != nil {
			return err
		}
		id, body, err := splitID(payload)
		if err != nil {
			return err
		}
		if kind == frameCancel {
			s.cancel(id)
			continue
		}
		run, err := s.parse(kind, id, body)
		if err != nil {
			return err
		}
		s.begin(ctx, id, run)
	}
}

// parse turns a frame into work that returns its last frame.
func (s *server) parse(kind byte, id uint64, body []byte) (func(context.Context) done, error) {
	switch kind {
	case frameLoad:
		var spec inference.LoadSpec
		return func(ctx context.Context) done { return s.load(ctx, id, spec) }, decode(body, &spec)
	case frameUnload:
		var req roleRequest
		return func(ctx context.Context) done { return done{Error: toWire(s.host.Unload(ctx, req.Role))} }, decode(body, &req)
	case frameGenerate:
		var req generateRequest
		return func(ctx context.Context) done { return s.generate(ctx, id, req) }, decode(body, &req)
	case frameEmbed:
		var req embedRequest
		return func(ctx context.Context) done { return s.embed(ctx, id, req) }, decode(body, &req)
	case frameRerank:
		var req rerankRequest
		return func(ctx context.Context) done { return s.rerank(ctx, id, req) }, decode(body, &req)
	case frameCount:
		var req countRequest
		return func(ctx context.Context) done { return s.count(ctx, req) }, decode(body, &req)
	}
	return nil, fmt.Errorf("%w: type %q", process.ErrGarbage, kind)
}

func (s *server) begin(ctx context.Context, id uint64, run func(context.Context) done) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.cancels[id] = cancel
	s.mu.Unlock()
	s.work.Go(func() {
		d := run(inference.WithProgress(ctx, s.pulse(id)))
		s.cancel(id)
		s.reply(frameDone, encode(id, d))
	})
}

func (s *server) cancel(id uint64) {
	s.mu.Lock()
	cancel := s.cancels[id]
	delete(s.cancels, id)
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// reply sends a frame. A parent that is gone is noticed by the reader.
func (s *server) reply(kind byte, payload []byte) {
	err := s.pipe.Send(kind, payload)
	if errors.Is(err, process.ErrFrameTooLarge) {
		id, _, _ := splitID(payload)
		_ = s.pipe.Send(frameDone, encode(id, done{Error: toWire(err)}))
	}
}

func (s *server) progress(id uint64, part float64) {
	s.reply(frameProgress, withID(id, binary.LittleEndian.AppendUint64(nil, math.Float64bits(part))))
}

// pulseInterval bounds the frames that only say that work goes on.
const pulseInterval = 50 * time.Millisecond

// pulse returns what a host calls after each step without a result.
func (s *server) pulse(id uint64) func() {
	var mu sync.Mutex
	var last time.Time
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Sub(last) >= pulseInterval {
			last = now
			s.progress(id, alive)
		}
	}
}

func (s *server) load(ctx context.Context, id uint64, spec inference.LoadSpec) done {
	info, err := s.host.Load(ctx, spec, func(part float64) { s.progress(id, max(0, part)) })
	return done{Error: toWire(err), Info: &info}
}

func (s *server) generate(ctx context.Context, id uint64, req generateRequest) done {
	g, err := s.host.Generator(req.Role)
	if err != nil {
		return done{Error: toWire(err)}
	}
	b := newBatcher(func(p pieces) { s.reply(framePieces, encode(id, p)) })
	res, err := g.Generate(ctx, req.Request, func(p inference.Piece) error {
		b.add(p)
		return nil
	})
	b.close()
	info := g.Info()
	return done{Error: toWire(err), Result: &res, Info: &info}
}

func (s *server) embed(ctx context.Context, id uint64, req embedRequest) done {
	e, err := s.host.Embedder()
	if err != nil {
		return done{Error: toWire(err)}
	}
	vectors, err := e.Embed(ctx, req.Kind, req.Texts, req.Priority)
	return s.vectors(id, vectors, err)
}

func (s *server) rerank(ctx context.Context, id uint64, req rerankRequest) done {
	r, err := s.host.Reranker()
	if err != nil {
		return done{Error: toWire(err)}
	}
	scores, err := r.Rerank(ctx, req.Query, req.Passages)
	return s.vectors(id, [][]float32{scores}, err)
}

// vectors sends the values ahead of the last frame.
func (s *server) vectors(id uint64, vectors [][]float32, err error) done {
	if err != nil {
		return done{Error: toWire(err)}
	}
	body, err := vectorBody(vectors)
	if err != nil {
		return done{Error: toWire(err)}
	}
	s.reply(frameVectors, withID(id, body))
	return done{}
}

func (s *server) count(ctx context.Context, req countRequest) done {
	t, err := s.host.Tokenizer(req.Role)
	if err != nil {
		return done{Error: toWire(err)}
	}
	counts, err := t.CountTokens(ctx, req.Texts)
	return done{Error: toWire(err), Counts: counts}
}
