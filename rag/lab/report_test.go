package lab

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"referent/rag"
)

// measuredItems are items of S4, S5 and S6 for two engines and the reference.
func measuredItems() []Item {
	var out []Item
	for _, suite := range []string{"S4", "S5", "S6"} {
		for q := range 8 {
			for engine, value := range map[string]float64{"simple": 0.2, "expand": 0.8, ReferenceRewrite: 1} {
				i := Item{Suite: suite, Set: "set_" + suite, Query: fmt.Sprint("q", q), Engine: engine, Retriever: "bm25", Slice: "turn_2",
					Scores: map[string]float64{"ndcg@5": value, "recall@5": value, "mrr@10": value, "unchanged": 1}, MS: map[string]float64{"prepare": 2, "retrieve": 3}}
				if suite == "S6" {
					i.Scores["recall@5"] = 1
				}
				if engine == "expand" && q == 0 {
					i.Prepared = rag.Prepared{ModelCalls: 1, Reason: rag.ReasonTimeout}
					i.Scores["fallback"] = 1
				}
				out = append(out, i)
			}
		}
	}
	return out
}

func page(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReport_HoldsPlotsTablesAndTheVerdict(t *testing.T) {
	head := Head{Version: "1", Started: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Plan: Plan{Suites: []string{"S4", "S5", "S6"},
		Engines: []string{"simple", "expand"}, Retrievers: []string{"bm25"}},
		Models: map[string]string{"condense": "small <b>model</b> abc"}, Settings: settings(), Machine: "linux/amd64, 2 processors"}
	items := measuredItems()
	text := page(t, Report{Head: head, Items: items, Against: &Record{Head: head, Items: items}})
	for _, want := range []string{"2 March 2026, 09:00 UTC", "small &lt;b&gt;model&lt;/b&gt; abc", "0 better, 0 worse, 8 equal of 8",
		"prefers-color-scheme: dark", "timeout", "veto: 100.0 %"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	// A plot for the figure and one for the time of each set, each with a name for
	// screen readers, and a table of all figures beside them.
	if n := strings.Count(text, `role="img" aria-label="`); n != 6 {
		t.Errorf("%d plots", n)
	}
	if n := strings.Count(text, `<th scope="row">expand</th><td>bm25</td><td>all</td>`); n != 3 {
		t.Errorf("expand has %d rows", n)
	}
	if !strings.Contains(text, "0.800 (0.800 to 0.800)") && !strings.Contains(text, `<td class="n">0.800</td>`) {
		t.Error("a figure of the table is missing")
	}
}

// The answer mode is judged on the page as it is in the window: with its figures,
// what is out and why. A run without whole answers says nothing of it.
func TestReport_HoldsTheAnswerModeAndWhy(t *testing.T) {
	const heading = "The answer mode that the numbers choose"
	if text := page(t, Report{Items: measuredItems()}); strings.Contains(text, heading) {
		t.Error("a run without answers judges an answer mode")
	}
	items := measuredItems()
	for q := range 25 {
		for _, mode := range []string{"generate", "strict", "quote"} {
			grounded := 1.0
			if mode == "generate" && q < 5 {
				grounded = 0
			}
			items = append(items, Item{Suite: "S8", Set: "clapnq_answerable", Query: fmt.Sprint("a", q), Engine: mode, Retriever: "bm25", Answer: &Answered{},
				Scores: map[string]float64{"numbers_grounded": grounded, "supported": 1, "refused": 0, "coverage": 0.25}})
			items = append(items, Item{Suite: "S9", Set: "clapnq_unanswerable", Query: fmt.Sprint("u", q), Engine: mode, Retriever: "bm25", Answer: &Answered{},
				Scores: map[string]float64{"refused": 1}})
		}
	}
	text := page(t, Report{Items: items})
	for _, want := range []string{heading, "strict is chosen", "By bm25, on the questions of S8 and S9",
		`<tr class="chosen"><th scope="row">strict</th><td class="n">1.000</td><td class="n">25</td><td class="n">1.000</td><td class="n">0.250</td>`,
		`<tr><th scope="row">generate</th><td class="n">0.800</td>`, "veto: all numbers stand in the passages in 80 % of 25 answers with a number"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestReport_NeedsNothingElse(t *testing.T) {
	text := page(t, Report{Head: Head{Started: time.Now()}, Items: measuredItems()})
	for _, bad := range []string{"<script", "http:", "https:", "url(", "<img", "<link", " on"} {
		if bad == " on" { // no handler of an event
			if m := regexp.MustCompile(`<[^>]+\son\w+=`).FindString(text); m != "" {
				t.Errorf("it holds %q", m)
			}
			continue
		}
		if strings.Contains(text, bad) {
			t.Errorf("it holds %q", bad)
		}
	}
	// Every element is closed, so that any browser shows the same page.
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "<!doctype html>")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestPlot_ADotLiesBetweenTheEndsOfItsLine(t *testing.T) {
	p := newPlot("recall@5", []plotValue{{label: "all", heading: true}, {label: "simple", value: 0.51, low: 0.48, high: 0.54}, {label: "expand",
		value: 0.6, low: 0.57, high: 0.64}}, number)
	for _, r := range p.Rows[1:] {
		if r.Low >= r.X || r.X >= r.Hi || r.Low < float64(p.Left) || r.Hi > float64(p.Right) {
			t.Errorf("%+v", r)
		}
	}
	if p.Rows[2].X <= p.Rows[1].X || p.Rows[2].Y <= p.Rows[1].Y {
		t.Errorf("%+v", p.Rows)
	}
	if len(p.Ticks) < 3 || p.Ticks[0].Text != "0.450" || p.Ticks[0].X != float64(p.Left) {
		t.Errorf("%+v", p.Ticks)
	}
	if p.Sentence != "recall@5. Highest: expand, 0.600. The table below has every figure." {
		t.Errorf("%q", p.Sentence)
	}
	for span, want := range map[float64]float64{0: 0.1, 1: 0.2, 0.16: 0.05, 2000: 500} {
		if got := niceStep(span); got < want*0.999 || got > want*1.001 {
			t.Errorf("%v is cut into %v, not %v", span, got, want)
		}
	}
}

// The page of another language says every text of its own in it; what the run
// brings (names, figures, settings) stays.
func TestReport_SpeaksTheLanguageOfTheWindow(t *testing.T) {
	head := Head{Version: "1", Plan: Plan{Suites: []string{"S5"}, Engines: []string{"simple"}, Retrievers: []string{"bm25"}}, Models: map[string]string{"condense": "small"}}
	said := map[string]bool{}
	text := page(t, Report{Head: head, Items: measuredItems(), Language: "it", Say: func(s string) string {
		said[s] = true
		return "‹" + s + "›"
	}})
	for _, want := range []string{`<html lang="it">`, "‹The default that the numbers choose›", "‹veto: 100.0 %", "<td class=\"words\">small</td>", "›</h2>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if len(said) < 20 {
		t.Errorf("only %d texts were said", len(said))
	}
	if english := page(t, Report{Head: head, Items: measuredItems()}); strings.Contains(english, "‹") || !strings.Contains(english, `<html lang="en">`) {
		t.Error("the next page speaks the language of the one before")
	}
}
