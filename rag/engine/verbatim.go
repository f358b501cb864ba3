package engine

import (
	"referent/rag"
	"referent/rag/language"
)

const roleAssistant = "assistant"

// verbatim searches the question itself.
func verbatim(req Request, status rag.RewriteStatus) rag.Prepared {
	return rag.Prepared{Status: status, SearchQueries: []string{req.Question}, RerankQuery: req.Question}
}

// opening decides the turns that need no engine: without history there is
// nothing to refer to, and the kill switch beats the choice of an engine.
func opening(req Request) (p rag.Prepared, decided bool) {
	switch {
	case len(req.History) == 0:
		return verbatim(req, rag.StatusNoHistory), true
	case !req.Options.CondenseEnabled:
		return verbatim(req, rag.StatusDisabled), true
	}
	return rag.Prepared{}, false
}

// speech returns the language of a turn. A question too short to tell is read
// in the language of the person's earlier messages.
func speech(req Request) *language.Language {
	if req.Language != "" {
		return language.For(req.Language)
	}
	code, sure := language.Detect(req.Question)
	if !sure {
		said := req.Question
		for _, m := range newest(req.History, 8) {
			if m.Role != roleAssistant {
				said += "\n" + m.Text
			}
		}
		if earlier, ok := language.Detect(said); ok {
			code = earlier
		}
	}
	return language.For(code)
}

// newest returns the last n messages, all if there are fewer.
func newest(history []rag.Message, n int) []rag.Message {
	if n <= 0 {
		return nil
	}
	return history[max(0, len(history)-n):]
}
