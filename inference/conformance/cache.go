package conformance

import (
	"referent/inference"
)

func seed(s *suite) {
	req := chat(8)
	req.Temperature, req.Seed, req.Cache = 0.9, 7, inference.CacheFixedCut
	first, _ := s.generate(req)
	second, _ := s.generate(req)
	if first.Text != second.Text {
		s.Errorf("one seed wrote %q and %q", first.Text, second.Text)
	}
	if first.Seed != 7 {
		s.Errorf("the seed is reported as %d, want 7", first.Seed)
	}
}

const rules = "You rewrite questions. Keep every number, every name and every quoted word. Write one line. " +
	"A question that stands alone is repeated as it is.\n\n"

// fixedCut interleaves other requests: the same one must write the same.
func fixedCut(s *suite, m Models) {
	ask := func(question string) inference.GenerateResult {
		res, _ := s.generate(inference.GenerateRequest{
			Messages:  []inference.Message{{Role: "user", Text: rules + "Question: " + question}},
			MaxTokens: 8, Cache: inference.CacheFixedCut, StableBytes: len(rules), Priority: inference.PriorityCondense,
		})
		return res
	}
	first := ask("How tall is the old lighthouse?")
	ask("Who repairs the boiler in winter, and what does it cost us every year?")
	again := ask("How tall is the old lighthouse?")
	s.generate(chat(4))
	last := ask("How tall is the old lighthouse?")
	if first.Text != again.Text || first.Text != last.Text {
		s.Errorf("the same request wrote %q, %q and %q", first.Text, again.Text, last.Text)
	}
	if again.CachedTokens == 0 && !m.Elsewhere {
		s.Error("the constant part was evaluated again")
	}
}

// prefixReuse sends a prompt and then a longer one that begins with it.
func prefixReuse(s *suite, m Models) {
	begin := s.long(inference.RoleAnswer, "The harbour opens at six and closes at ten. ", 128)
	first, _ := s.generate(inference.GenerateRequest{Completion: begin, MaxTokens: 1})
	second, _ := s.generate(inference.GenerateRequest{Completion: begin + "On Sunday it stays closed.", MaxTokens: 1})
	added := second.PromptTokens - first.PromptTokens
	if evaluated := second.PromptTokens - second.CachedTokens; evaluated > added+8 && !m.Elsewhere {
		s.Errorf("%d of %d tokens were evaluated for %d new ones", evaluated, second.PromptTokens, added)
	}
}
