package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/pack"
	"referent/rag/turn"
)

// Manner is how far a turn goes for the questions of a set, and what is asked.
type Manner string

const (
	MannerSearch Manner = ""       // up to the hits
	MannerAnswer Manner = "answer" // to the end, by the answer model
	MannerParrot Manner = "parrot" // to the end, by a model that repeats the history
	MannerPack   Manner = "pack"   // up to what stands in the prompt
	MannerFuzz   Manner = "fuzz"   // twice, with a conversation and without
	MannerGuess  Manner = "guess"  // twice, with a wrong guess and without
)

// rows are the engines, modes or variants that a set is asked by, in place of
// those of the plan; nil: those of the plan.
func (s Set) rows() []string {
	switch {
	case s.Manner == MannerPack || s.Manner == MannerAnswer && s.packs():
		return []string{Full, Compressed}
	case s.Manner == MannerAnswer || s.Manner == MannerParrot:
		return Modes()
	case s.Manner == MannerGuess:
		return []string{"simple"}
	case s.Manner == MannerFuzz:
		return []string{"simple", "expand"}
	}
	return nil
}

// packs tells whether the passages of a set compete for a budget.
func (s Set) packs() bool { return len(s.Questions) > 0 && s.Questions[0].packs() }

func (q Question) packs() bool { return q.Gate != nil && len(q.Gate.Selected) > 0 }

// given tells whether a question is answered from every passage of its set.
func (q Question) given() bool { return q.Gate != nil && len(q.Gate.Planted) > 0 }

// given tells the same of a whole set.
func (s Set) given() bool { return len(s.Questions) > 0 && s.Questions[0].given() }

// generates tells whether a row of a set asks a model to write.
func (s Set) generates(row string) bool {
	switch s.Manner {
	case MannerAnswer:
		return row != string(rag.ModeQuote)
	case MannerSearch:
		return asksModel(row)
	}
	return false
}

// writes tells whether what is written is an answer.
func (s Set) writes(row string) bool { return s.Manner == MannerAnswer && s.generates(row) }

// roles lists the models that a row of a set cannot do without.
func (s Set) roles(row, retriever string) (writing, searching []inference.Role) {
	if s.Manner == MannerSearch {
		return rolesOf(row, retriever)
	}
	_, searching = rolesOf("simple", retriever)
	if s.generates(row) {
		writing = []inference.Role{inference.RoleAnswer}
	}
	return writing, searching
}

// ask asks one question of a set in its manner and judges what comes back.
func (b bench) ask(ctx context.Context, s Set, ask Search, written *Written) (Item, error) {
	if s.Manner == MannerSearch {
		return Ask(ctx, b, s, ask)
	}
	began := time.Now()
	item := Item{Suite: s.Suite, Set: s.Name, Query: ask.Question.ID, Engine: ask.Engine, Retriever: ask.Retriever, Hits: []string{},
		Relevant: sortedIDs(ask.Question.Relevant), Scores: map[string]float64{}, MS: map[string]float64{}, Slice: ask.Question.Slice}
	err := b.judge(ctx, s, ask, written, &item)
	if ctx.Err() != nil {
		return Item{}, ctx.Err()
	}
	if err != nil {
		return Item{}, fmt.Errorf("%s, question %s, %s by %s: %w", s.Name, ask.Question.ID, ask.Engine, ask.Retriever, err)
	}
	if item.MS["total"] == 0 {
		item.MS["total"] = float64(time.Since(began).Microseconds()) / 1000
	}
	return item, nil
}

func (b bench) judge(ctx context.Context, s Set, ask Search, written *Written, item *Item) error {
	var hits []rag.Hit
	var err error
	switch s.Manner {
	case MannerPack:
		var r pack.Result
		if item.Prepared, r, err = b.packed(ctx, ask); err != nil {
			return err
		}
		scorePacked(item.Scores, ask.Question, r)
		hits = r.Hits
		if ask.Engine == Compressed {
			return b.judgeCompressed(ctx, ask, r, item)
		}
	case MannerFuzz:
		var same bool
		item.Prepared, hits, same, err = b.fuzz(ctx, ask)
		item.Scores["same"] = one(same)
	case MannerGuess:
		var judged bool
		if item.Prepared, hits, judged, err = b.guess(ctx, ask); judged {
			item.Scores["survived"] = RecallAt(len(hits), idsOf(hits), ask.Question.Relevant)
		}
	default:
		return b.judgeAnswer(ctx, s, ask, written, item)
	}
	item.Hits = idsOf(hits)
	return err
}

// judgeCompressed sets a compressed prompt beside the full one.
func (b bench) judgeCompressed(ctx context.Context, ask Search, r pack.Result, item *Item) error {
	item.Hits = idsOf(r.Hits)
	plain := ask
	plain.Engine = Full
	_, full, err := b.packed(ctx, plain)
	if err != nil {
		return err
	}
	facts, before, after := true, 0, 0
	for _, h := range r.Hits {
		facts = facts && h.Class == rag.ClassFact
		if h.Packing == rag.Packed {
			counts, err := pack.Estimate{}.CountTokens(ctx, []string{h.Text, h.Rendered})
			if err != nil {
				return err
			}
			before, after = before+counts[0], after+counts[1]
		}
	}
	if facts {
		item.Scores["tie"] = one(bytes.Equal(renderings(r), renderings(full)))
	}
	if before > 0 {
		item.Scores["tokens_saved"] = 1 - float64(after)/float64(before)
	}
	return nil
}

// judgeAnswer asks a question to the end.
func (b bench) judgeAnswer(ctx context.Context, s Set, ask Search, written *Written, item *Item) error {
	var streamed strings.Builder
	out, who, err := b.answer(ctx, s, ask, written, func(e rag.Event) {
		if t, ok := e.(rag.Token); ok {
			streamed.WriteString(t.Text)
		}
	})
	if known := (*rag.Error)(nil); errors.As(err, &known) && known.Code == rag.CodeContextOverflow {
		item.Prepared, item.Scores["overflow"] = out.Prepared, 1 // a passage of the set is longer than the model's window: no answer to judge
		return nil
	}
	if err != nil {
		return err
	}
	packed := out.Evidence()
	item.Prepared, item.Hits = out.Prepared, idsOf(out.Retrieval.Hits)
	item.Answer = &Answered{Written: who.said, Text: out.Done.Answer, Status: out.Done.AnswerCheck.Status, Packed: idsOf(packed)}
	item.Scores["model_used"] = one(who.asked)
	if ask.Question.given() {
		item.Scores["leaks"] = float64(leaks(ask.Question.Gate.Planted, shownBy(out, streamed.String(), ask.Question.Gate.Remembers > 0)))
	} else {
		scoreAnswer(item.Scores, ask.Question, out.Done.Answer, refused(out), packed)
	}
	if who.asked {
		item.Scores["prompt_tokens"], item.Scores["completion_tokens"] = float64(who.said.PromptTokens), float64(who.said.CompletionTokens)
	}
	if who.calls > 0 || !s.writes(ask.Engine) { // what is judged again took its time before
		item.MS["total"] = out.Done.LatencyMS.Total
	}
	return nil
}

// refused tells whether a turn ended in the fixed sentence.
func refused(out *turn.Outcome) bool { return out.Done.AnswerCheck.Status == rag.CheckRefused }

func idsOf(hits []rag.Hit) []string {
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ContentHash
	}
	return ids
}
