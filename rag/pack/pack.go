package pack

import (
	"context"
	"fmt"

	"referent/rag"
	"referent/rag/answer/neutral"
	"referent/rag/compress"
)

// Parent is the section or page around a child.
type Parent struct {
	Text   string
	Tokens int // estimate, used to leave out what cannot fit
}

// Input is what is packed. Only Hits and Count are needed.
type Input struct {
	Hits             []rag.Hit // ranked, judged by the floor
	Considered       []rag.Hit // duplicates of hits
	Count            Counter
	Setting          int     // most evidence tokens; 0: DefaultBudget
	PrefillPerSecond float64 // of the answer model; 0: does not bound
	TargetSeconds    float64 // until the first token; 0: does not bound
	Room             int     // tokens that the window leaves; 0: does not bound
	Compress         bool
	// KeepTop is how many of the best hits Compress offers in full, as without
	// it; those of them that do not fit are offered as headlines in what is left.
	// With all hits in it, compression only adds to what is packed. The others
	// are shortened at once.
	KeepTop int
	// Parents returns the parents of hits by their ids; nil: no widening.
	Parents func(ctx context.Context, ids []int64) (map[int64]Parent, error)
}

// Result is the packed list: every hit with its decision, ranked hits first,
// then duplicates. Packed ≤ Budget always.
type Result struct {
	Hits     []rag.Hit
	Budget   int
	Packed   int
	Warnings []string // sentences for people
}

// item is a hit on its way into the prompt.
type item struct {
	at       int // index in Result.Hits
	label    string
	text     string // neutral, as it would be shown in full
	shown    string // as it is offered
	strategy rag.Strategy
	headline string // offered where shown does not fit; empty: nothing is
	chosen   bool
}

// packer holds one packing.
type packer struct {
	in     Input
	out    Result
	prices prices
	items  []item
}

// Pack decides about every hit. Its errors are the counter's and the context's.
func Pack(ctx context.Context, in Input) (Result, error) {
	p := &packer{in: in, prices: prices{in.Count, map[string]int{}}}
	p.out.Hits = append(append([]rag.Hit{}, in.Hits...), in.Considered...)
	for i := range in.Considered {
		p.out.Hits[len(in.Hits)+i].Packing = rag.PackedDuplicateOf
		p.out.Hits[len(in.Hits)+i].Rank = len(in.Hits) + i + 1 // they come after what they repeat
	}
	if err := p.render(ctx); err != nil {
		return Result{}, err
	}
	p.out.Budget = Budget(in.Setting, in.PrefillPerSecond, in.TargetSeconds, p.twoBest(), in.Room)
	p.pins()
	p.fill(rag.OwnerMatch, p.out.Budget)
	p.fill(rag.OwnerHintExtra, p.out.Budget/4)
	p.headlines()
	p.number()
	if err := p.widen(ctx); err != nil {
		return Result{}, err
	}
	return p.out, nil
}

// render prepares both forms of every hit above the floor and counts what is
// not counted yet in one call.
func (p *packer) render(ctx context.Context) error {
	var ask []string
	for i := range p.in.Hits {
		h := &p.out.Hits[i]
		if !h.PassedFloor {
			h.Packing = rag.PackedFloor
			continue
		}
		h.Packing = rag.PackedBudget // until it is chosen
		it := item{at: i, label: Label(len(p.items)+1, *h) + "\n\n\n", text: neutral.Text(h.Text), strategy: rag.StrategyVerbatim}
		it.shown = it.text
		if h.TextTokens > 0 && it.text == h.Text {
			p.prices.known[it.text] = h.TextTokens
		}
		if p.in.Compress {
			it.shown, it.strategy = compress.Shorten(p.passage(*h, it.text), h.Pinned)
		}
		ask = append(ask, it.label, it.text, it.shown)
		p.items = append(p.items, it)
	}
	if err := p.prices.learn(ctx, ask...); err != nil {
		return err
	}
	for i := range p.items { // the final word on each form belongs to compress.Render
		it := &p.items[i]
		h := p.out.Hits[it.at]
		if it.strategy == rag.StrategyVerbatim {
			continue
		}
		r := compress.Render(p.passage(h, it.text), h.Pinned, p.prices.of)
		it.shown, it.strategy = r.Text, r.Strategy
		if i < p.in.KeepTop {
			if it.strategy == rag.StrategyHeadline {
				it.headline = it.shown
			}
			it.shown, it.strategy = it.text, rag.StrategyVerbatim
		}
	}
	return nil
}

func (p *packer) passage(h rag.Hit, text string) compress.Passage {
	return compress.Passage{ID: h.Chunk, Text: text, Class: h.Class, Language: h.Language, Tokens: p.prices.known[text]}
}

// cost is what an item's block takes in the prompt.
func (p *packer) cost(it item) int { return p.prices.of(it.label) + p.prices.of(it.shown) }

func (p *packer) twoBest() int {
	sum := 0
	for _, it := range p.items[:min(2, len(p.items))] {
		sum += p.cost(it)
	}
	return sum
}

// take packs an item.
func (p *packer) take(i int) {
	it := &p.items[i]
	it.chosen = true
	h := &p.out.Hits[it.at]
	h.Packing, h.Rendered, h.Strategy, h.RenderedTokens = rag.Packed, it.shown, it.strategy, p.cost(*it)
	p.out.Packed += h.RenderedTokens
}

// pins packs pinned hits first. Together they may take half of the budget, so
// that query hits keep the other half.
func (p *packer) pins() {
	spent := 0
	for i, it := range p.items {
		h := p.out.Hits[it.at]
		if !h.Pinned {
			continue
		}
		if spent+p.cost(it) > p.out.Budget/2 {
			p.out.Warnings = append(p.out.Warnings, fmt.Sprintf("The pinned passage of “%s” takes too much room and counts as an ordinary hit in this answer.", h.Title))
			continue
		}
		spent += p.cost(it)
		p.take(i)
	}
}

// fill packs the hits of an owner in rank order into what is left, at most
// share tokens of them. A hit that does not fit makes way for the next.
func (p *packer) fill(owner rag.HitOwner, share int) {
	for i, it := range p.items {
		h := p.out.Hits[it.at]
		mine := h.Owner == owner || h.Owner == "" && owner == rag.OwnerMatch
		if it.chosen || !mine {
			continue
		}
		c := p.cost(it)
		if c > share || p.out.Packed+c > p.out.Budget {
			continue
		}
		share -= c
		p.take(i)
	}
}

// headlines offers the first sentences of what did not fit in full, best first.
// A stub of it would say nothing.
func (p *packer) headlines() {
	extras := p.out.Budget / 4
	for i := range p.items {
		it := &p.items[i]
		extra := p.out.Hits[it.at].Owner == rag.OwnerHintExtra
		if it.chosen && extra {
			extras -= p.cost(*it)
		}
		if it.chosen || it.headline == "" {
			continue
		}
		full := it.shown
		it.shown = it.headline
		if c := p.cost(*it); p.out.Packed+c > p.out.Budget || extra && c > extras {
			it.shown = full
			continue
		} else if extra {
			extras -= c
		}
		it.strategy = rag.StrategyHeadline
		p.take(i)
	}
}

// number gives citation numbers in rank order.
func (p *packer) number() {
	n := 0
	for i := range p.out.Hits {
		if p.out.Hits[i].Packing == rag.Packed {
			n++
			p.out.Hits[i].N = n
		}
	}
}

// widen replaces the text of packed children by their parents', best first,
// while budget is left. A parent of two packed children, and one of a passage
// that was compressed, is left alone.
func (p *packer) widen(ctx context.Context) error {
	if p.in.Parents == nil || p.out.Packed >= p.out.Budget {
		return nil
	}
	children := map[int64]int{}
	for _, h := range p.out.Hits {
		if h.Packing == rag.Packed {
			children[h.Parent]++
		}
	}
	var ids []int64
	for id, n := range children {
		if id != 0 && n == 1 {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	parents, err := p.in.Parents(ctx, ids)
	if err != nil {
		return err
	}
	wide := map[int64]string{}
	var ask []string
	spare := p.out.Budget - p.out.Packed
	for id, parent := range parents {
		if parent.Tokens <= 2*spare+400 {
			wide[id] = neutral.Text(parent.Text)
			ask = append(ask, wide[id])
		}
	}
	if err := p.prices.learn(ctx, ask...); err != nil {
		return err
	}
	for _, it := range p.items {
		h := &p.out.Hits[it.at]
		text := wide[h.Parent]
		if !it.chosen || it.strategy != rag.StrategyVerbatim || h.Pinned || len(text) <= len(it.text) || children[h.Parent] != 1 {
			continue
		}
		more := p.prices.of(text) - p.prices.of(it.shown)
		if more > p.out.Budget-p.out.Packed {
			continue
		}
		h.Rendered = text
		h.RenderedTokens += more
		p.out.Packed += more
	}
	return nil
}
