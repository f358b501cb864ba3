package llama

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// What a token is drawn from when the temperature is above zero. top-k comes
// first: without it the others sort a whole vocabulary for every token.
const (
	topK = 40
	topP = 0.95
	minP = 0.05
)

// randomSeed asks for a seed that is drawn and then reported.
const randomSeed = math.MaxUint32

var errNotANumber = errors.New("the model computed values that are no numbers")

// sampler chooses the next token. It belongs to one reply.
type sampler struct {
	chain   llama.Sampler // 0: greedy
	grammar *grammar      // nil: any text
	seed    uint32
}

func newSampler(temperature float32, seed uint32) sampler {
	if seed == randomSeed {
		seed = rand.Uint32N(randomSeed)
	}
	if !(temperature > 0) {
		return sampler{seed: seed}
	}
	chain := llama.SamplerChainInit(llama.SamplerChainDefaultParams())
	for _, s := range []llama.Sampler{
		llama.SamplerInitTopK(topK),
		llama.SamplerInitTopP(topP, 1),
		llama.SamplerInitMinP(minP, 1),
		llama.SamplerInitTemp(temperature),
		llama.SamplerInitDist(seed),
	} {
		llama.SamplerChainAdd(chain, s)
	}
	return sampler{chain: chain, seed: seed}
}

func (s sampler) free() {
	if s.chain != 0 {
		llama.SamplerFree(s.chain)
	}
	if s.grammar != nil {
		s.grammar.free()
	}
}

// next chooses from the logits of the last evaluation. Inside a think block no
// grammar counts. A choice that the grammar does not allow gives way to the most
// likely one that it does.
func (s sampler) next(e *evaluator, thinking bool) (llama.Token, error) {
	t, err := s.choose(e)
	if err != nil || s.grammar == nil || thinking {
		return t, err
	}
	if !s.grammar.allows(t) {
		logits, err := e.logits()
		if err != nil {
			return 0, err
		}
		allowed, ok := s.grammar.best(logits)
		if !ok {
			return 0, failf(inference.ErrGrammar, nil, "The model has no word that the grammar of the reply allows.")
		}
		t = allowed
	}
	s.grammar.accept(t)
	return t, nil
}

// choose is next without a grammar.
func (s sampler) choose(e *evaluator) (llama.Token, error) {
	logits, err := e.logits()
	if err != nil {
		return 0, err
	}
	best, ok := argmax(logits)
	if !ok {
		return 0, errNotANumber
	}
	if s.chain == 0 {
		return llama.Token(best), nil
	}
	t := llama.SamplerSample(s.chain, e.ctx, -1)
	if t < 0 || int(t) >= len(logits) {
		return 0, errNotANumber
	}
	return t, nil
}

// argmax is the place of the largest value, the first of equals. ok is false
// if there is none, or a value is no number: a fault of a driver shows so.
func argmax(v []float32) (best int, ok bool) {
	top := float32(math.Inf(-1))
	best = -1
	for i, x := range v {
		if x > top {
			top, best = x, i
		} else if x != x {
			return -1, false
		}
	}
	return best, best >= 0
}
