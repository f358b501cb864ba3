package engine

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/rag"
)

func ptr(x float64) *float64 { return &x }

// exchangeText is the history of follow() as blend embeds it by default.
const exchangeText = "How long is the Harlow Bridge?\nIt is 320 metres long and was built by Ruth Calloway."

func axes() *vectors {
	return &vectors{dims: 2, by: map[string][]float32{"How tall is it?": {2, 0}, exchangeText: {0, 5}}}
}

func TestP23_WeightedSumOfUnitVectors(t *testing.T) {
	for _, c := range []struct {
		alpha  *float64
		x, y   float64
		stated float64
	}{
		{nil, 0.7 / math.Sqrt(0.58), 0.3 / math.Sqrt(0.58), 0.7}, // |0.7, 0.3| = √0.58
		{ptr(0.5), math.Sqrt2 / 2, math.Sqrt2 / 2, 0.5},
		{ptr(0), 0, 1, 0},
		{ptr(-3), 0, 1, 0},
	} {
		req := follow("How tall is it?")
		req.Options.BlendAlpha = c.alpha
		p := prepare(t, "blend", req, Tools{Embed: axes()})
		v := p.QueryVector
		if p.Status != rag.StatusBlended || len(v) != 2 || math.Abs(float64(v[0])-c.x) > 1e-6 || math.Abs(float64(v[1])-c.y) > 1e-6 {
			t.Errorf("α=%v: %v, want %v %v", c.alpha, v, c.x, c.y)
		}
		if p.Alpha == nil || *p.Alpha != c.stated {
			t.Errorf("α=%v is told as %v", c.alpha, p.Alpha)
		}
	}
}

func TestP23_AlphaOneIsTheQuestionAlone(t *testing.T) {
	embed := axes()
	for _, alpha := range []float64{1, 1.7, 40} { // above 1 is 1
		req := follow("How tall is it?")
		req.Options.BlendAlpha = ptr(alpha)
		p := prepare(t, "blend", req, Tools{Embed: embed})
		s := prepare(t, "simple", req, Tools{})
		if p.QueryVector != nil || !slices.Equal(p.SearchQueries, s.SearchQueries) || p.RerankQuery != s.RerankQuery || p.SearchQuery != s.SearchQuery || len(embed.calls) != 0 {
			t.Errorf("α=%v: %+v", alpha, p)
		}
	}
}

func TestP24_OneBatchOfTwoQueries(t *testing.T) {
	embed := axes()
	prepare(t, "blend", follow("How tall is it?"), Tools{Embed: embed})
	if len(embed.calls) != 1 || !slices.Equal(embed.calls[0], []string{"How tall is it?", exchangeText}) || embed.kinds[0] != inference.KindQuery {
		t.Errorf("%q %v", embed.calls, embed.kinds)
	}
}

func TestP25_OnlyTheDenseLegIsBlended(t *testing.T) {
	p := prepare(t, "blend", follow("How tall is it?"), Tools{Embed: axes()})
	if p.SearchQuery != "" || !slices.Equal(p.SearchQueries, []string{"How tall is it?"}) || p.RerankQuery != "How tall is it?" {
		t.Errorf("%+v", p)
	}
}

func TestP26_WhatCannotBeBlendedSaysWhy(t *testing.T) {
	short := axes()
	short.by[exchangeText] = []float32{1}
	zero := axes()
	zero.by[exchangeText] = []float32{0, 0}
	for name, c := range map[string]struct {
		tools   Tools
		history string
		status  rag.RewriteStatus
		reason  rag.Reason
	}{
		"nothing of the history": {Tools{Embed: axes()}, BlendNone, rag.StatusDisabled, ""},
		"no model":               {Tools{}, "", rag.StatusFailedVerbatim, rag.ReasonEmbedError},
		"failure":                {Tools{Embed: &vectors{dims: 2, err: errors.New("x")}}, "", rag.StatusFailedVerbatim, rag.ReasonEmbedError},
		"dimensions":             {Tools{Embed: short}, "", rag.StatusFailedVerbatim, rag.ReasonDimensionMismatch},
		"no direction":           {Tools{Embed: zero}, "", rag.StatusFailedVerbatim, rag.ReasonEmbedError},
	} {
		req := follow("How tall is it?")
		req.Options.BlendHistory = c.history
		p := prepare(t, "blend", req, c.tools)
		if p.Status != c.status || p.Reason != c.reason || p.QueryVector != nil || p.SearchQueries[0] != "How tall is it?" {
			t.Errorf("%s: %+v", name, p)
		}
		if (p.Reason == "") != (p.Detail == "") {
			t.Errorf("%s: reason %q, detail %q", name, p.Reason, p.Detail)
		}
	}
	req := follow("How tall is it?")
	req.Options.BlendAlpha = ptr(0)
	if p := prepare(t, "blend", req, Tools{Embed: axes()}); len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "ignores the question") {
		t.Errorf("α=0: %q", p.Warnings)
	}
}

func TestP27_HistoryTextIsChosenWithoutLabelsAndBounded(t *testing.T) {
	history := said("Old question?", "Old answer.", "New question?", "New\nanswer.")
	for choice, want := range map[string]string{
		BlendBoth: "New question?\nNew answer.", BlendQuestion: "New question?", BlendAnswer: "New answer.",
	} {
		embed := &vectors{dims: 2}
		req := Request{Question: "How?", History: history, Options: Defaults()}
		req.Options.BlendHistory = choice
		prepare(t, "blend", req, Tools{Embed: embed})
		if got := embed.calls[0][1]; got != want {
			t.Errorf("%s: %q, want %q", choice, got, want)
		}
	}
	embed := &vectors{dims: 2}
	req := Request{Question: "How?", History: said("Q?", strings.Repeat("long ", 5000)), Options: Defaults()}
	prepare(t, "blend", req, Tools{Embed: embed})
	if n := len(embed.calls[0][1]); n > 3*512 {
		t.Errorf("%d bytes of history", n)
	}
}

func TestP28_AlphaAndMessagesAreTold(t *testing.T) {
	p := prepare(t, "blend", follow("How tall is it?"), Tools{Embed: axes()})
	if p.Alpha == nil || *p.Alpha != 0.7 || p.HistoryMessagesUsed != 2 || p.ModelCalls != 1 {
		t.Errorf("%+v", p)
	}
}

// A topic shift: with the default weight the question still decides which of
// two documents is nearer; with a small one the old topic wins.
func TestP29_TopicShift(t *testing.T) {
	leave, greenhouse := []float32{1, 0}, []float32{0, 1}
	question := "What is the parental leave policy?"
	near := func(alpha float64) bool {
		embed := &vectors{dims: 2, by: map[string][]float32{question: leave, exchangeText: greenhouse}}
		req := follow(question)
		req.Options.BlendAlpha = &alpha
		v := prepare(t, "blend", req, Tools{Embed: embed}).QueryVector
		return v[0] > v[1]
	}
	if !near(0.7) || near(0.3) {
		t.Errorf("α=0.7: %v, α=0.3: %v", near(0.7), near(0.3))
	}
}

func TestP30_AlphaWithCondenseIsIgnoredWithOneWarning(t *testing.T) {
	for _, history := range [][]rag.Message{nil, bridge()} {
		embed := axes()
		req := Request{Question: "How tall is it?", History: history, Options: Defaults()}
		req.Options.BlendAlpha = ptr(0.5)
		p := prepare(t, "condense_context", req, Tools{Condense: &script{text: "How tall is the Harlow Bridge?"}, Embed: embed})
		if len(p.Warnings) != 1 || p.Warnings[0] != alphaIgnored || p.Alpha != nil || p.QueryVector != nil || len(embed.calls) != 0 {
			t.Errorf("%+v", p)
		}
	}
}
