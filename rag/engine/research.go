package engine

import (
	"context"
	"slices"

	"referent/inference"
	"referent/rag"
	"referent/rag/language"
)

// The limits of research where the options say nothing.
const (
	defaultPatience = 3
	defaultRounds   = 24
)

// research lets the answer model call tools over several rounds. The words of
// the person are searched first, a comparison of two things once for each, and
// for a follow-up with the words that expand adds, so that what the model writes
// can only add to what is found without one.
// Several rounds without a new passage, or the most rounds, end the loop; what
// was found until then is the evidence. The loop may read the conversation as a
// rewrite does; nothing of it becomes evidence.
type research struct{ tools []tool }

func (research) Name() string { return "research" }

func (research) Sentence() string {
	return "Lets the answer model search in several rounds, open passages and look at the list of documents."
}

func (e research) Prepare(ctx context.Context, req Request, tools Tools) (rag.Prepared, error) {
	if !req.Options.CondenseEnabled {
		return verbatim(req, rag.StatusDisabled), nil
	}
	req.History = window(req.History, req.Options.CondenseHistory)
	if tools.Answer == nil || tools.Library == nil {
		return failed(req, tools, rag.Prepared{Reason: rag.ReasonCallError, Detail: "No model is loaded that can research."}), nil
	}
	lp := &loop{req: req, tools: tools, l: speech(req), table: e.tools, native: native(tools.Answer.Info()), ran: map[string]int{}, numbers: map[int64]int{}}
	if err := lp.begin(ctx); err != nil {
		return rag.Prepared{}, err
	}
	end, why, err := lp.run(ctx)
	if err != nil {
		return rag.Prepared{}, err
	}
	return lp.result(end, why), nil
}

// loop is one run of research.
type loop struct {
	req   Request
	tools Tools
	l     *language.Language
	table []tool
	// native: calls are those of the model's template; else they are lines.
	native bool

	entries  []entry        // what the model has been shown, in order
	steps    []rag.Step     // every call
	ran      map[string]int // reads by tool and arguments: the step that ran them
	passages []rag.Hit      // those above the floor, each once; (1) is the first
	numbers  map[int64]int  // of the passages, by chunk
	queries  []string       // as searched
	filters  []rag.Filter   // guessed
	asked    string
	used     int // messages of the conversation in the prompt
	calls    int // of the model
	chosen   int // calls of tools that the model wrote
}

// entry is a call with its result, as the prompt shows them.
type entry struct{ call, result string }

// begin searches the person's own words, without asking the model. Those of a
// question that leans on the conversation would find chance hits alone: they are
// searched as expand does.
func (lp *loop) begin(ctx context.Context) error {
	text := lp.req.Question
	if len(lp.req.History) > 0 {
		if p := expanded(lp.req, lp.tools.Corpus); p.Status == rag.StatusExpanded {
			text = p.SearchQuery
		}
	}
	_, err := lp.perform(ctx, call{tool: lp.toolNamed(searchName), text: text})
	return err
}

// run lets the model call tools until something ends the loop. why is set for a
// model that failed or could not be read.
func (lp *loop) run(ctx context.Context) (end rag.ResearchEnd, why trouble, err error) {
	patience, most := lp.req.Options.ResearchPatience, lp.req.Options.ResearchMaxRounds
	if patience == 0 {
		patience = defaultPatience
	}
	if most == 0 {
		most = defaultRounds
	}
	idle := 0
	for range most {
		c, end, why, err := lp.next(ctx)
		if err != nil || end != "" {
			return end, why, err
		}
		fresh, err := lp.perform(ctx, c)
		if err != nil {
			return "", why, err
		}
		lp.chosen++
		if lp.asked != "" {
			return rag.EndedAsked, why, nil
		}
		if fresh > 0 {
			idle = 0
		} else if idle++; idle == patience {
			return rag.EndedPatience, why, nil
		}
	}
	return rag.EndedMaxRounds, why, nil
}

// result is what the loop leaves to the turn. A model that failed before it
// called anything is a failed rewrite, under the failure policy.
func (lp *loop) result(end rag.ResearchEnd, why trouble) rag.Prepared {
	if why.reason != "" && lp.chosen == 0 {
		p := failed(lp.req, lp.tools, rag.Prepared{Reason: why.reason, Detail: why.detail, ModelCalls: lp.calls})
		if p.Status == rag.StatusFailedVerbatim {
			p = compared(lp.l, p)
		}
		p.Steps, p.Ended = lp.steps, end
		return p
	}
	p := verbatim(lp.req, rag.StatusResearched)
	if len(lp.queries) > 0 {
		p.SearchQueries, p.RerankQuery = lp.queries, lp.queries[0]
	}
	if !slices.Equal(p.SearchQueries, []string{lp.req.Question}) {
		p.SearchQuery = p.SearchQueries[0]
	}
	p.Steps, p.Ended, p.AskUser, p.Filters = lp.steps, end, lp.asked, lp.filters
	p.ModelCalls, p.HistoryMessagesUsed, p.AddedWords = lp.calls, lp.used, lp.borrowed()
	if why.reason != "" {
		p.Warnings = append(p.Warnings, why.detail+" What was found until then is used.")
	}
	return p
}

// borrowed lists the words of the searches that only the conversation holds.
func (lp *loop) borrowed() []string {
	keys := map[string]bool{}
	for _, m := range lp.req.History {
		for k := range lp.l.Keys(m.Text) {
			keys[k] = true
		}
	}
	var out []string
	seen := map[string]bool{}
	for _, q := range lp.queries {
		for _, w := range added(lp.l, lp.req.Question, q) {
			if k := lp.l.Key(w); !seen[k] && keys[k] {
				seen[k] = true
				out = append(out, w)
			}
		}
	}
	return out
}

// trouble is why a model gave no call; its zero value is none.
type trouble struct {
	reason rag.Reason
	detail string
}

// next asks the model for one call. A line that cannot be read gets one more
// try, in which the model is told why.
func (lp *loop) next(ctx context.Context) (c call, end rag.ResearchEnd, why trouble, err error) {
	wrong := entry{}
	for range 2 {
		ask, fits, err := lp.prompt(ctx, wrong)
		if err != nil {
			return call{}, "", why, err
		}
		if !fits {
			return call{}, rag.EndedFull, lp.tooLong(), nil
		}
		var done bool
		var unread error
		line, whole, why, err := lp.write(ctx, ask)
		if err != nil {
			return call{}, "", why, err
		}
		if why.reason != "" {
			return call{}, rag.EndedFailed, why, nil
		}
		if lp.native && whole {
			line, unread = fromNative(line)
		}
		if unread == nil {
			c, done, unread = lp.read(line)
		}
		switch {
		case !whole:
			unread = unreadable("It is too long.")
		case unread == nil && done:
			return call{}, rag.EndedEnough, trouble{}, nil
		case unread == nil:
			return c, "", trouble{}, nil
		}
		wrong = entry{call: shownLine(line), result: "This line cannot be read. " + unread.Error()}
	}
	return call{}, rag.EndedUnreadable, trouble{rag.ReasonBadBody, "The model wrote no call that can be read."}, nil
}

// tooLong is the trouble with a question that leaves the model no room for a
// single call; later in a loop a full window is none.
func (lp *loop) tooLong() trouble {
	if lp.chosen > 0 {
		return trouble{}
	}
	return trouble{rag.ReasonContextOverflow, "The question does not fit the model that searches."}
}

// write asks the model for one line, or one call; whole is false where it did
// not end. What a grammar holds needs no other bound than the most tokens.
func (lp *loop) write(ctx context.Context, ask inference.GenerateRequest) (line string, whole bool, why trouble, err error) {
	take := &taker{call: lp.native, held: ask.Grammar != ""}
	lp.calls++
	res, err := lp.tools.Answer.Generate(ctx, ask, take.piece)
	if ctx.Err() != nil {
		return "", false, why, ctx.Err()
	}
	if err != nil && !take.done {
		reason, _ := classify(err)
		return "", false, trouble{reason, "The model that searches failed."}, nil
	}
	text, _ := stripThinking(take.text.String())
	return text, !take.long && (take.done || res.Stop != inference.StopLength), why, nil
}
