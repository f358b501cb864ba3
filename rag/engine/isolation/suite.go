package isolation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"referent/rag"
	"referent/rag/engine"
)

// Retrieval is the bytes of what a prepared query lets retrieval see.
func Retrieval(p rag.Prepared) ([]byte, error) {
	return json.Marshal(struct {
		Texts   []string
		Rerank  string
		Vector  []float32
		Filters []rag.Filter
		Original,
		Search string
	}{p.SearchQueries, p.RerankQuery, p.QueryVector, p.Filters, p.OriginalQuery, p.SearchQuery})
}

// Engine puts an engine that promises isolation through rounds of histories for
// each question. It returns the first leak.
func Engine(ctx context.Context, e engine.Engine, tools engine.Tools, questions []string, seed uint64, rounds int) error {
	for _, q := range questions {
		base, err := prepared(ctx, e, tools, q, nil)
		if err != nil {
			return err
		}
		for i, h := range append(Histories(seed, rounds), Poison(q)) {
			got, err := prepared(ctx, e, tools, q, h)
			if err != nil {
				return err
			}
			if !bytes.Equal(got, base) {
				return fmt.Errorf("the engine %s searches something else under history %d: %s instead of %s", e.Name(), i, clip(got), clip(base))
			}
		}
	}
	return nil
}

func prepared(ctx context.Context, e engine.Engine, tools engine.Tools, question string, history []rag.Message) ([]byte, error) {
	p, err := e.Prepare(ctx, engine.Request{Question: question, History: history, Options: engine.Defaults()}, tools)
	if err != nil {
		return nil, err
	}
	if p.ModelCalls != 0 {
		return nil, fmt.Errorf("the engine %s called a model", e.Name())
	}
	return Retrieval(p)
}

// Observed is what one turn did.
type Observed struct {
	Request  []byte // of retrieval
	Evidence []byte // hits with their decisions
	Answer   string
	Shown    string // all text that was streamed
	Sources  []string
}

// Turn asks each question without and with histories. What is searched and what
// is evidence must be the same bytes, and no planted value may be shown. ask
// must use an engine that promises isolation.
func Turn(ask func(question string, history []rag.Message) (Observed, error), questions []string, seed uint64, rounds int) error {
	for _, q := range questions {
		base, err := ask(q, nil)
		if err != nil {
			return err
		}
		for i, h := range append(Histories(seed, rounds), Poison(q)) {
			got, err := ask(q, h)
			if err != nil {
				return fmt.Errorf("history %d: %w", i, err)
			}
			switch {
			case !bytes.Equal(got.Request, base.Request):
				return fmt.Errorf("history %d changes what is searched: %s instead of %s", i, clip(got.Request), clip(base.Request))
			case !bytes.Equal(got.Evidence, base.Evidence):
				return fmt.Errorf("history %d changes the evidence: %s instead of %s", i, clip(got.Evidence), clip(base.Evidence))
			}
			if err := Clean(got); err != nil {
				return fmt.Errorf("history %d: %w", i, err)
			}
		}
	}
	return nil
}

// Clean looks for planted values in what a turn showed.
func Clean(o Observed) error {
	for _, v := range Planted {
		for place, text := range map[string]string{"answer": o.Answer, "stream": o.Shown, "sources": strings.Join(o.Sources, "\n"), "evidence": string(o.Evidence)} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(v)) {
				return fmt.Errorf("the planted value %s is in the %s", v, place)
			}
		}
	}
	return nil
}

func clip(b []byte) string { return string(b[:min(len(b), 300)]) }
