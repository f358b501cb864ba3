package lab

import (
	"fmt"
	"slices"
	"strings"
)

// What the rule asks of an engine.
const (
	leastRetention = 0.95  // of recall@5 on topic shifts
	mostFallbacks  = 0.10  // of the rewrites that were tried
	mostAddedMS    = 2500  // over simple, 95th percentile
	gainFollowUps  = 0.07  // recall@5 on S5
	gainTalks      = 0.026 // nDCG@5 on S4
)

// Candidate is what the rule looks at of one engine. A nil figure was not
// measured.
type Candidate struct {
	Engine    string   `json:"engine"`
	Closed    *float64 `json:"gap_closed"`   // mean of both forms of S5
	FollowUps *float64 `json:"recall@5"`     // on S5, mean of both forms
	Talks     *float64 `json:"ndcg@5"`       // on S4, mean of the domains
	TalksHigh *float64 `json:"ndcg@5_high"`  // upper end of the gain over simple, the lowest of the domains
	Retention *float64 `json:"retention"`    // on S6
	Fallback  *float64 `json:"fallback"`     // the highest of the sets; nil: no rewrite was tried
	AddedMS   *float64 `json:"added_p95_ms"` // the highest of the sets
	Vetoes    []string `json:"vetoes"`       // why it is out, in sentences
}

// Verdict is what the numbers say about the default engine.
type Verdict struct {
	Retriever  string      `json:"retriever"`
	Questions  int         `json:"questions"` // of S5 that every engine was asked, both forms
	Engine     string      `json:"engine"`    // empty: not decided
	Sentence   string      `json:"sentence"`
	Missing    []string    `json:"missing"` // suites whose figures the rule lacks
	Candidates []Candidate `json:"candidates"`
}

// Decide applies the rule. An engine with a veto is out. The one that closes the
// largest share of the gap wins, unless a cheaper one comes within 0.07 recall@5
// on S5 and 0.026 nDCG@5 on S4 of it: then the cheapest such. Without S5 nothing
// is decided; where S4 or S6 is missing, the verdict says that it is provisional.
func Decide(retriever string, measured []Candidate) Verdict {
	v := Verdict{Retriever: retriever, Missing: []string{}, Candidates: []Candidate{}}
	for _, name := range Engines() {
		if i := slices.IndexFunc(measured, func(c Candidate) bool { return c.Engine == name }); i >= 0 {
			c := measured[i]
			c.Vetoes = vetoes(c)
			v.Candidates = append(v.Candidates, c)
		}
	}
	v.Missing = append(v.Missing, missing(v.Candidates)...)
	var best *Candidate
	var left []*Candidate
	for i := range v.Candidates {
		c := &v.Candidates[i]
		if len(c.Vetoes) > 0 || c.Closed == nil || c.FollowUps == nil {
			continue
		}
		left = append(left, c)
		if best == nil || *c.Closed > *best.Closed {
			best = c
		}
	}
	if best == nil || slices.Contains(v.Missing, "S5") {
		v.Sentence = "Nothing is decided: S5 was not measured for simple and another engine."
		return v
	}
	chosen := best
	for _, c := range left {
		if !beats(*best, *c) {
			chosen = c
			break
		}
	}
	v.Engine = chosen.Engine
	v.Sentence = sentence(*chosen, *best)
	if len(v.Missing) > 0 {
		v.Sentence += " Provisional: " + strings.Join(v.Missing, " and ") + " was not measured for all of them."
	}
	return v
}

// beats tells whether an engine is worth more than a cheaper one. It does not
// beat itself.
func beats(dear, cheap Candidate) bool {
	if *dear.FollowUps-*cheap.FollowUps >= gainFollowUps {
		return true
	}
	return dear.Talks != nil && cheap.Talks != nil && *dear.Talks-*cheap.Talks >= gainTalks
}

func sentence(chosen, best Candidate) string {
	if chosen.Engine == best.Engine {
		return fmt.Sprintf("%s is chosen: it closes %.0f %% of the gap, and no cheaper engine comes near.", best.Engine, 100**best.Closed)
	}
	return fmt.Sprintf("%s is chosen: %s closes the most of the gap (%.0f %%), but too little more to be worth its cost.", chosen.Engine, best.Engine, 100**best.Closed)
}

func vetoes(c Candidate) []string {
	out := []string{}
	if c.Engine == "simple" {
		return out // what all are compared with
	}
	if c.Retention != nil && *c.Retention < leastRetention {
		out = append(out, fmt.Sprintf("keeps %.1f %% of what simple finds after a topic shift, less than %.0f %%", 100**c.Retention, 100*leastRetention))
	}
	if c.TalksHigh != nil && *c.TalksHigh < 0 {
		out = append(out, "finds less than simple in conversations, beyond chance")
	}
	if c.Fallback != nil && *c.Fallback > mostFallbacks {
		out = append(out, fmt.Sprintf("%.1f %% of its rewrites failed, more than %.0f %%", 100**c.Fallback, 100*mostFallbacks))
	}
	if c.AddedMS != nil && *c.AddedMS > mostAddedMS {
		out = append(out, fmt.Sprintf("adds %.1f s in the slowest twentieth of questions, more than %.1f s", *c.AddedMS/1000, float64(mostAddedMS)/1000))
	}
	return out
}

// missing lists the suites that an engine but simple lacks.
func missing(candidates []Candidate) []string {
	lacks := map[string]bool{}
	others := 0
	for _, c := range candidates {
		if c.Engine == "simple" {
			lacks["S5"] = lacks["S5"] || c.FollowUps == nil
			continue
		}
		others++
		lacks["S4"] = lacks["S4"] || c.Talks == nil || c.TalksHigh == nil
		lacks["S5"] = lacks["S5"] || c.Closed == nil
		lacks["S6"] = lacks["S6"] || c.Retention == nil
	}
	lacks["S5"] = lacks["S5"] || others == 0
	var out []string
	for _, suite := range []string{"S4", "S5", "S6"} {
		if lacks[suite] {
			out = append(out, suite)
		}
	}
	return out
}
