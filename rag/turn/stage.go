package turn

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"referent/rag"
)

// The stages of a turn, in order.
const (
	StagePrepare  = "prepare"
	StageRetrieve = "retrieve"
	StageRerank   = "rerank"
	StagePack     = "pack"
	StageGenerate = "generate"
	StageCheck    = "check"
	StagePersist  = "persist"
)

// Stages lists them.
func Stages() []string {
	return []string{StagePrepare, StageRetrieve, StageRerank, StagePack, StageGenerate, StageCheck, StagePersist}
}

// What a span says about its stage.
const (
	SpanOK         = "ok"
	SpanSkipped    = "skipped" // there was nothing to do
	SpanError      = "error"
	SpanCancelled  = "cancelled"
	SpanNotReached = "not_reached"
)

// Span is the record of a stage. Attributes hold ids, names, scores and counts
// under the names of OpenTelemetry (gen_ai.*) and our own (referent.*).
type Span struct {
	Name       string         `json:"name"`
	Started    time.Time      `json:"started"`
	DurationMS float64        `json:"duration_ms"`
	Attributes map[string]any `json:"attributes"`
	Status     string         `json:"status"`
}

func (s *Span) set(key string, value any) { s.Attributes[key] = value }

// stage runs one stage and records it. A panic in it becomes an internal error,
// so that a fault costs only this turn.
func (t *turn) stage(name string, run func(s *Span) error) (err error) {
	s := Span{Name: name, Started: t.r.now(), Attributes: map[string]any{}, Status: SpanOK}
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			err = &rag.Error{Code: rag.CodeInternal, Message: "The turn stopped at the stage " + name + ".",
				Hint: "Ask again; if it happens again, report it.", Cause: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
		}
		if s.DurationMS == 0 && s.Status != SpanSkipped {
			s.DurationMS = milliseconds(time.Since(start))
		}
		if err != nil {
			s.Status = SpanError
			e := typed(t.ctx, err)
			if e.Code == rag.CodeCancelled {
				s.Status = SpanCancelled
			}
			s.set("error.type", string(e.Code))
			err = e
		}
		t.out.Spans = append(t.out.Spans, s)
	}()
	if err := t.ctx.Err(); err != nil {
		return err
	}
	return run(&s)
}

// complete adds the stages that were not reached.
func (t *turn) complete() {
	for _, name := range Stages()[min(len(t.out.Spans), len(Stages())):] {
		t.out.Spans = append(t.out.Spans, Span{Name: name, Started: t.r.now(), Attributes: map[string]any{}, Status: SpanNotReached})
	}
}

func (t *turn) latency() rag.Latency {
	of := map[string]float64{}
	for _, s := range t.out.Spans {
		of[s.Name] = s.DurationMS
	}
	return rag.Latency{Prepare: of[StagePrepare], Retrieve: of[StageRetrieve], Rerank: of[StageRerank], Pack: of[StagePack],
		Generate: of[StageGenerate], Check: of[StageCheck], Total: milliseconds(time.Since(t.start))}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// typed gives every error its code and its sentence.
func typed(ctx context.Context, err error) *rag.Error {
	var known *rag.Error
	switch {
	case ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return &rag.Error{Code: rag.CodeCancelled, Reason: rag.ReasonCancelled, Message: "The turn was stopped. Nothing was stored.", Cause: err}
	case errors.As(err, &known):
		return known
	}
	return &rag.Error{Code: rag.CodeInternal, Message: "The question could not be answered.", Hint: "Ask again; if it happens again, report it.", Cause: err}
}
