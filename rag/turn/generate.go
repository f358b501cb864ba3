package turn

import (
	"math"
	"strings"

	"referent/inference"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/check"
	"referent/rag/pack"
)

// generate writes the answer: the refusal without evidence, quotations, or the
// model's text. Only here a model writes to the person.
func (t *turn) generate(s *Span) error {
	s.set("referent.mode", string(t.mode))
	if t.asked = t.asks(); t.asked != "" {
		s.Status = SpanSkipped
		t.text = t.asked
		return nil
	}
	if len(t.out.Evidence()) == 0 { // no model is asked what no document says
		s.Status = SpanSkipped
		t.text = t.refusal()
		return nil
	}
	if t.model == nil {
		t.text = t.quote()
		s.set("referent.quoted", true)
		return nil
	}
	info := t.model.Info()
	s.set("gen_ai.operation.name", "chat")
	s.set("gen_ai.request.model", info.ID)
	s.set("gen_ai.request.max_tokens", t.maxTokens())
	s.set("referent.generation_history", len(t.past))
	if t.whole != nil {
		return t.generateWhole(s)
	}
	return t.write(s, t.prompt().Messages())
}

// write streams the model's reply to a prompt as the answer.
func (t *turn) write(s *Span, messages []inference.Message) error {
	out := t.stream()
	res, err := t.model.Generate(t.ctx, inference.GenerateRequest{Messages: messages, MaxTokens: t.maxTokens(),
		Seed: t.req.Options.Seed, Cache: inference.CacheReuse, Priority: inference.PriorityInteractive}, out.piece)
	if err != nil {
		return failure(err)
	}
	out.end(res)
	res.PromptTokens, res.CachedTokens, res.CompletionTokens = res.PromptTokens+t.usage.PromptTokens, res.CachedTokens+t.usage.CachedTokens, res.CompletionTokens+t.usage.CompletionTokens
	t.usage = res
	t.text = strings.TrimSpace(out.text.String())
	t.out.Reasoning = out.reasoning.String()
	s.set("gen_ai.usage.input_tokens", res.PromptTokens)
	s.set("gen_ai.usage.output_tokens", res.CompletionTokens)
	s.set("gen_ai.response.finish_reasons", []string{string(res.Stop)})
	s.set("referent.cached_tokens", res.CachedTokens)
	s.set("referent.decode_per_second", res.DecodePerSecond)
	return nil
}

// judge checks the answer and replaces what may not stand.
func (t *turn) judge(s *Span) error {
	in := t.checkInput()
	switch {
	case t.asked != "": // a question states nothing
		t.check = check.Result{Answer: t.text, Check: rag.AnswerCheck{Status: rag.CheckUnchecked}}
		s.Status = SpanSkipped
	case len(in.Passages) == 0:
		t.check = check.Result{Answer: t.text, Check: rag.AnswerCheck{Status: rag.CheckRefused}}
		s.Status = SpanSkipped
	case t.model == nil:
		t.check = t.quoted(in, t.text)
	case t.text == "": // the model only thought: its evidence speaks instead
		t.check = t.quoted(in, t.quote())
	case t.overview() && answer.Refuses(t.text, t.l.Code): // every document is about something
		t.check = t.quoted(in, t.quote())
	case answer.Refuses(t.text, t.l.Code):
		t.check = check.Result{Answer: t.refusal(), Check: rag.AnswerCheck{Status: rag.CheckRefused}}
	default:
		t.check = t.checking().Answer(t.text)
		if t.check.Answer == "" {
			t.check = check.Result{Answer: t.refusal(), Check: rag.AnswerCheck{Status: rag.CheckWithheld, Issues: t.check.Check.Issues}}
		}
		if t.mode == rag.ModeStrict && t.check.Check.Status != rag.CheckSupported {
			t.check = t.strict(in)
		}
	}
	t.quotes()
	if !t.streamed { // quotations, the refusal, a strict answer: they come whole
		t.token(t.check.Answer)
	}
	s.set("referent.check.status", string(t.check.Check.Status))
	s.set("referent.check.issues", len(t.check.Check.Issues))
	s.set("referent.check.citations", len(t.check.Citations))
	return nil
}

func (t *turn) checkInput() check.Input {
	return check.Input{Answer: t.text, Question: t.req.Question, Language: t.l.Code, Passages: t.out.Evidence(),
		Labels: t.labels(), History: t.req.History, Similar: t.similar()}
}

// checking is the one checker of the turn, of the stream and of the whole text.
func (t *turn) checking() *check.Checker {
	if t.checker == nil {
		t.checker = check.New(t.checkInput())
	}
	return t.checker
}

// strict keeps the sentences that pass, and tells why each of the others is
// withheld. Where none passes, the evidence is quoted.
func (t *turn) strict(in check.Input) check.Result {
	r := t.checking().Strict(t.text)
	if r.Answer != "" {
		return r
	}
	issues := r.Check.Issues
	r = t.quoted(in, t.quote())
	r.Check.Issues = append(r.Check.Issues, issues...)
	return r
}

// quoted judges quotations; where there was nothing to quote, it is the refusal.
func (t *turn) quoted(in check.Input, text string) check.Result {
	if text == t.refusal() {
		return check.Result{Answer: text, Check: rag.AnswerCheck{Status: rag.CheckRefused}}
	}
	in.Answer = text
	return check.Quoted(in)
}

// quote answers in the words of the evidence.
func (t *turn) quote() string {
	if t.whole != nil {
		return t.outline()
	}
	search := t.out.Prepared.Searched()
	if search != t.req.Question {
		search = t.req.Question + "\n" + search
	}
	q := answer.Quoter{Language: t.l.Code, Meaning: t.meaning(t.out.Prepared.Searched())}
	if c := t.r.deps.Corpus; c != nil {
		q.Rarity = func(word string) float64 {
			df := 0
			for _, term := range c.Analyze(word) {
				df = max(df, c.DocumentFrequency(term))
			}
			return 1 / math.Sqrt(float64(1+df))
		}
	}
	return q.Quote(search, t.out.Retrieval.Hits)
}

// quotes puts the best sentences beside what a small model has written, so that a
// person can compare.
func (t *turn) quotes() {
	if t.model == nil || t.model.Info().Parameters <= 0 || t.model.Info().Parameters >= helpedModel {
		return
	}
	switch t.check.Check.Status {
	case rag.CheckSupported, rag.CheckFlagged, rag.CheckWithheld:
	default: // nothing was written, or it is a quotation already
		return
	}
	if quotes := t.quote(); quotes != t.refusal() {
		t.out.Done.Quotes = &quotes
	}
}

// meaning compares sentences with the search text; nil without a model.
func (t *turn) meaning(search string) func([]string) ([]float64, error) {
	model := try(t.r.deps.Embed)
	if model == nil {
		return nil
	}
	return func(sentences []string) ([]float64, error) {
		q, err := model.Embed(t.ctx, inference.KindQuery, []string{search}, inference.PriorityInteractive)
		if err != nil {
			return nil, err
		}
		v, err := model.Embed(t.ctx, inference.KindPassage, sentences, inference.PriorityInteractive)
		if err != nil {
			return nil, err
		}
		out := make([]float64, len(v))
		for i := range v {
			out[i] = dot(q[0], v[i])
		}
		return out, nil
	}
}

// similar compares a sentence with a passage in another language; nil without a
// model. A failure judges nothing.
func (t *turn) similar() func(sentence, passage string) (cosine, floor float64) {
	model := try(t.r.deps.Embed)
	if model == nil {
		return nil
	}
	return func(sentence, passage string) (float64, float64) {
		v, err := model.Embed(t.ctx, inference.KindPassage, []string{sentence, passage}, inference.PriorityInteractive)
		if err != nil || len(v) != 2 {
			return 0, 0
		}
		return dot(v[0], v[1]), model.Info().FloorCosine
	}
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// labels is what the model saw of the passages besides their text.
func (t *turn) labels() string {
	var b strings.Builder
	for _, h := range t.out.Evidence() {
		b.WriteString(pack.Label(h.N, h) + "\n")
	}
	return b.String()
}

// token shows text of the answer.
func (t *turn) token(text string) {
	t.streamed = true
	t.emit(rag.Token{Text: text})
}

// held tells whether text waits for a check before it is released.
func (t *turn) held() bool { return t.mode == rag.ModeStrict || len(t.past) > 0 }
