package llama

import (
	"math"
	"runtime"
	"strings"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// grammar holds a reply to a grammar. The token that the model would write
// anyway is tried first: only where it is not allowed is the whole vocabulary
// gone through, which takes some thirty milliseconds with 150,000 tokens.
type grammar struct {
	sampler    llama.Sampler
	vocabulary vocabulary
	candidates []llama.TokenData // of the whole vocabulary, used again
}

// newGrammar reads a grammar in GBNF and takes what was already written.
func newGrammar(v vocabulary, source, written string) (*grammar, error) {
	if strings.TrimSpace(source) == "" || strings.IndexByte(source, 0) >= 0 {
		return nil, failf(inference.ErrGrammar, nil, "The grammar of the reply cannot be read.")
	}
	g := &grammar{sampler: llama.SamplerInitGrammar(v.handle, source, "root"), vocabulary: v}
	if g.sampler == 0 {
		return nil, failf(inference.ErrGrammar, nil, "The grammar of the reply cannot be read.")
	}
	for _, t := range v.data(written) {
		if !g.allows(t) {
			g.free()
			return nil, failf(inference.ErrGrammar, nil, "What is written of the reply does not follow its grammar.")
		}
		g.accept(t)
	}
	return g, nil
}

func (g *grammar) free() { llama.SamplerFree(g.sampler) }

// allows tells whether the reply may go on with a token.
func (g *grammar) allows(t llama.Token) bool {
	one := []llama.TokenData{{Id: t}}
	g.filter(one)
	return !rejected(one[0])
}

// accept takes a token that is allowed. The library ends the process over
// another one.
func (g *grammar) accept(t llama.Token) {
	if !llama.VocabIsEOG(g.vocabulary.handle, t) {
		llama.SamplerAccept(g.sampler, t)
	}
}

// best is the most likely token of those that are allowed; false: there is none.
func (g *grammar) best(logits []float32) (llama.Token, bool) {
	g.candidates = g.candidates[:0]
	for i, x := range logits {
		g.candidates = append(g.candidates, llama.TokenData{Id: llama.Token(i), Logit: x})
	}
	g.filter(g.candidates)
	at, top := -1, float32(math.Inf(-1))
	for i, c := range g.candidates {
		if c.Logit > top {
			at, top = i, c.Logit
		}
	}
	if at < 0 {
		return 0, false
	}
	return g.candidates[at].Id, true
}

// filter gives the tokens that are not allowed a logit of minus infinity. Their
// order stays.
func (g *grammar) filter(tokens []llama.TokenData) {
	list := &llama.TokenDataArray{Data: &tokens[0], Size: uint64(len(tokens)), Selected: -1}
	llama.SamplerApply(g.sampler, list)
	runtime.KeepAlive(tokens)
}

func rejected(t llama.TokenData) bool { return math.IsInf(float64(t.Logit), -1) }
