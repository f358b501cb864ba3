package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"referent/rag"
	"referent/rag/answer/neutral"
	"referent/rag/pack"
	"referent/rag/turn"
)

const (
	// packBudget is the tokens that the passages of compression compete for:
	// less than half of what the best of them need.
	packBudget = 400
	// packDepth is how many passages compete.
	packDepth = 20
)

// packing are the pinned settings for the rows of compression.
func packing(name string) turn.Options {
	o := Pinned()
	o.K, o.EvidenceBudget, o.Compress = packDepth, packBudget, name == Compressed
	return o
}

// packed is what stands in the prompt of a question. Every passage that is found
// is taken for evidence: packing is what is measured.
func (b bench) packed(ctx context.Context, ask Search) (rag.Prepared, pack.Result, error) {
	o := packing(ask.Engine)
	plain := ask
	plain.Engine, plain.K = "simple", o.K
	prepared, hits, err := b.Search(ctx, plain)
	if err != nil {
		return prepared, pack.Result{}, err
	}
	packed, err := pack.Pack(ctx, pack.Input{Hits: asEvidence(hits), Count: pack.Estimate{}, Setting: o.EvidenceBudget, Compress: o.Compress,
		KeepTop: o.CompressKeepTop})
	return prepared, packed, err
}

func asEvidence(hits []rag.Hit) []rag.Hit {
	hits = slices.Clone(hits)
	for i := range hits {
		hits[i].PassedFloor = true
	}
	return hits
}

// scorePacked judges what stands in a prompt: the right passage, in whatever
// form, and the sentences of a right answer.
func scorePacked(scores map[string]float64, q Question, r pack.Result) {
	right, kept, passages := 0.0, 0.0, 0
	for _, h := range r.Hits {
		if h.Packing != rag.Packed {
			continue
		}
		passages++
		if q.Relevant[h.ContentHash] > 0 {
			right = 1
		}
		if slices.ContainsFunc(q.Gate.Selected, func(sentences []string) bool { return holdsAll(h.Rendered, sentences) }) {
			kept = 1
		}
	}
	scores["packed"], scores["answer_packed"], scores["passages"], scores["packed_tokens"] = right, kept, float64(passages), float64(r.Packed)
}

func holdsAll(rendered string, sentences []string) bool {
	return len(sentences) > 0 && !slices.ContainsFunc(sentences, func(s string) bool { return !strings.Contains(rendered, neutral.Text(s)) })
}

// renderings is what a prompt holds, byte for byte.
func renderings(r pack.Result) []byte {
	var b bytes.Buffer
	for _, h := range r.Hits {
		if h.Packing == rag.Packed {
			fmt.Fprintf(&b, "%d %s %s\n", h.N, h.ContentHash, h.Rendered)
		}
	}
	return b.Bytes()
}

// fuzz tells whether a question finds the same bytes after a conversation as the
// text that its engine searches finds alone.
func (b bench) fuzz(ctx context.Context, ask Search) (prepared rag.Prepared, hits []rag.Hit, same bool, err error) {
	prepared, hits, err = b.Search(ctx, ask)
	if err != nil {
		return prepared, hits, false, err
	}
	alone := ask
	alone.Engine, alone.Question = "simple", Question{ID: ask.Question.ID, Text: prepared.Searched()}
	_, others, err := b.Search(ctx, alone)
	if err != nil {
		return prepared, hits, false, err
	}
	first, err := json.Marshal(hits)
	if err != nil {
		return prepared, hits, false, err
	}
	second, err := json.Marshal(others)
	return prepared, hits, bytes.Equal(first, second), err
}

// guess searches with the wrong guess. judged is false where the passage is not
// among the best even without it: no guess has lost it then.
func (b bench) guess(ctx context.Context, ask Search) (prepared rag.Prepared, hits []rag.Hit, judged bool, err error) {
	free := ask
	free.Question.Gate = nil
	_, without, err := b.Search(ctx, free)
	if err != nil {
		return prepared, nil, false, err
	}
	most := Pinned().HintExtras
	judged = slices.ContainsFunc(without[:min(most, len(without))], func(h rag.Hit) bool { return ask.Question.Relevant[h.ContentHash] > 0 })
	prepared, hits, err = b.Search(ctx, ask)
	return prepared, hits, judged, err
}

// shown is all that a turn puts before a person. Where the model saw no history,
// what was streamed is replaced by the answer of the last event.
func shownBy(out *turn.Outcome, streamed string, remembers bool) string {
	parts := []string{out.Done.Answer}
	if remembers {
		parts = append(parts, streamed)
	}
	if out.Done.Quotes != nil {
		parts = append(parts, *out.Done.Quotes)
	}
	for _, i := range out.Done.AnswerCheck.Issues {
		parts = append(parts, i.Text)
	}
	for _, s := range out.Done.Sources {
		parts = append(parts, s.Title)
	}
	for _, h := range out.Retrieval.Hits {
		parts = append(parts, h.Rendered)
	}
	return strings.Join(parts, "\n")
}

// leaks counts planted values in a text.
func leaks(planted []string, text string) int {
	text = strings.ToLower(text)
	n := 0
	for _, v := range planted {
		if strings.Contains(text, strings.ToLower(v)) {
			n++
		}
	}
	return n
}

// leastSaved and leastFidelity are what compression must reach to be on by
// default (P-72).
const (
	leastSaved    = 0.01
	leastFidelity = -0.005
)

// FailedGates says which gates of S10 do not hold, in sentences. A gate that was
// not measured says nothing.
func FailedGates(cells []Cell) []string {
	var out []string
	for _, c := range cells {
		if c.Suite != "S10" || c.Slice != SliceAll {
			continue
		}
		where := fmt.Sprintf("%s by %s on %s", c.Engine, c.Retriever, c.Set)
		switch {
		case c.Metric == "leaks" && c.Value > 0:
			out = append(out, fmt.Sprintf("%s: planted values are shown, %.2f a question.", where, c.Value))
		case c.Metric == "same" && c.Value < 1:
			out = append(out, fmt.Sprintf("%s: the conversation changes what %.1f %% of the questions find.", where, 100*(1-c.Value)))
		case c.Metric == "survived" && c.Value < 1:
			out = append(out, fmt.Sprintf("%s: %.1f %% of the right passages are lost to a wrong guess.", where, 100*(1-c.Value)))
		case c.Metric == "tie" && c.Value < 1:
			out = append(out, fmt.Sprintf("%s: %.1f %% of the prompts of facts differ.", where, 100*(1-c.Value)))
		}
	}
	return out
}

// CompressionHolds tells whether compression passes the gates that it needs to
// be on by default, and why not, in sentences: more right passages at one budget,
// tokens saved, and answers that hold no less. An answer that was not measured is
// a reason too.
func CompressionHolds(cells []Cell) (holds bool, why []string) {
	figure := func(set, metric string) (float64, bool) {
		for _, c := range cells {
			if c.Set == set && c.Engine == Compressed && c.Metric == metric && c.Slice == SliceAll {
				return c.Value, true
			}
		}
		return 0, false
	}
	if gain, ok := figure("compression", "packed_gain"); !ok || gain <= 0 {
		why = append(why, "it brings no more right passages before the model at one budget")
	}
	if saved, ok := figure("compression", "tokens_saved"); !ok || saved < leastSaved {
		why = append(why, "it saves less than 1 % of the tokens")
	}
	if gain, ok := figure("compression_answers", "coverage_gain"); !ok || gain <= 0 {
		reason := "answers were not measured"
		if ok {
			reason = fmt.Sprintf("answers cover %+.3f of the expected ones, and the gain must be above 0 (it fails below %.3f)", gain, leastFidelity)
		}
		why = append(why, reason)
	}
	return len(why) == 0, why
}

// CompressionNote says whether compression may be on by default, in a sentence;
// empty where it was not measured.
func CompressionNote(cells []Cell) string {
	if !slices.ContainsFunc(cells, func(c Cell) bool { return c.Set == "compression" }) {
		return ""
	}
	holds, why := CompressionHolds(cells)
	if holds {
		return "Compression may be on by default: it brings more right passages before the model, saves tokens and keeps the answers."
	}
	return "Compression stays off by default: " + strings.Join(why, "; ") + "."
}
