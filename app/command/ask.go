package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
	"referent/rag"
)

func (t *terminal) ask() *cobra.Command {
	var flags turnFlags
	var again againFlags
	var add []string
	c := &cobra.Command{Use: "ask QUESTION", Short: "Ask one question; the answer streams to the terminal", Args: atLeastUnlessAgain,
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := flags.request(cmd, "")
			if err != nil {
				return err
			}
			if err := again.request(cmd, args, &req); err != nil {
				return err
			}
			if err := mustExist(add); err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			if len(add) > 0 {
				if err := t.addAndSync(cmd.Context(), use, app.AddRequest{Paths: add}); err != nil {
					return err
				}
			}
			_, err = t.turn(cmd.Context(), use, req)
			return err
		}}
	flags.register(c.Flags())
	again.register(c)
	c.Flags().StringArrayVar(&add, "add", nil, "add this folder or file and read it first")
	return c
}

// turn runs one turn and prints it. It returns the stored form of the answer,
// and errRefused when the documents do not answer.
func (t *terminal) turn(ctx context.Context, use app.UseCases, req app.AskRequest) (rag.Done, error) {
	var done rag.Done
	var failed error
	var found rag.Retrieval
	var shown strings.Builder // of the answer, as it streamed
	err := use.Ask(ctx, req, func(e rag.Event) {
		if t.json {
			if line, err := rag.MarshalEvent(e); err == nil {
				t.print("%s\n", line)
			}
		}
		switch e := e.(type) {
		case rag.Step:
			t.showStep(e)
		case rag.Prepared:
			t.showPrepared(e)
		case rag.Retrieval:
			found = e
			t.showRetrieval(e)
		case rag.Token:
			if !t.json {
				t.print("%s", printable(e.Text))
				shown.WriteString(e.Text)
			}
		case rag.Done:
			done = e
		case rag.Failed:
			failed = e.Err
		}
	})
	if err != nil {
		if shown.Len() > 0 {
			t.print("\n")
		}
		return done, err
	}
	if failed != nil {
		return done, failed
	}
	if !t.json {
		t.print("%s\n", printable(unshown(shown.String(), done.Answer)))
		t.showAnswer(done)
	}
	if done.AnswerCheck.Status == rag.CheckRefused {
		t.showNearest(ctx, use, req, done, found)
		return done, errRefused
	}
	return done, nil
}

// showNearest says of a refusal where was searched, and what came nearest.
func (t *terminal) showNearest(ctx context.Context, use app.UseCases, req app.AskRequest, done rag.Done, found rag.Retrieval) {
	if t.json || t.quiet {
		return
	}
	scope := scopeText(req.Scope)
	if scope == wholeLibrary && done.Conversation != nil { // the conversation may have one of its own
		if c, err := use.Conversation(ctx, *done.Conversation); err == nil {
			scope = scopeText(c.Conversation.Options.Scope)
		}
	}
	t.print("%s\n", t.dim("Searched in: "+scope+"."))
	for _, h := range found.Hits {
		if h.Packing == rag.PackedFloor {
			t.print("%s\n", t.dim("Nearest, and too far from the question: "+printable(strings.Join(nonEmpty(h.Title, place(h.Locator)), ", "))+": "+excerpt(h.Text, 90)))
			return
		}
	}
}

// showStep tells of a call of research, under --verbose.
func (t *terminal) showStep(s rag.Step) {
	if t.verbose {
		t.note("%s", stepText(s))
	}
}

func (t *terminal) showPrepared(p rag.Prepared) {
	if t.verbose {
		t.note("prepared: engine %s, status %s, %s", p.Engine, p.Status, duration(p.LatencyMS))
	}
	if t.json || t.quiet {
		return
	}
	t.print("%s\n", t.dim(printable(searched(p))))
	for _, w := range p.Warnings {
		t.note("%s", w)
	}
}

func (t *terminal) showRetrieval(r rag.Retrieval) {
	if t.verbose {
		t.note("retrieval: %d of %d tokens packed, %d hits considered", r.PackedTokens, r.BudgetTokens, len(r.Hits))
	}
	if t.json || t.quiet {
		return
	}
	for _, n := range r.Notes {
		t.note("%s", n)
	}
	for _, h := range r.Hits {
		if h.Packing == rag.Packed {
			t.print("%s\n", t.dim("  ["+itoa(h.N)+"] "+printable(strings.Join(nonEmpty(h.Title, place(h.Locator)), ", "))+": "+excerpt(h.Text, 90)))
		}
	}
	t.print("\n")
}

// unshown is what is left to print of an answer whose stream was shown. Where the
// check has changed what was shown, such as a citation, that is the whole answer.
func unshown(shown, answer string) string {
	if rest, ok := strings.CutPrefix(answer, shown); ok {
		return rest
	}
	if strings.TrimSpace(shown) == strings.TrimSpace(answer) {
		return ""
	}
	return "\n\nAs checked:\n" + answer
}

// showAnswer prints what belongs to an answer: the check and the sources.
func (t *terminal) showAnswer(d rag.Done) {
	if t.quiet {
		return
	}
	t.print("\n%s\n", t.dim(checkSentence(d.AnswerCheck)))
	for _, i := range d.AnswerCheck.Issues {
		text := excerpt(i.Text, 90)
		if i.Found != "" {
			text += " ≠ " + excerpt(i.Found, 90)
		}
		t.print("%s\n", t.dim("  "+i.Kind+": "+text))
	}
	if d.Quotes != nil {
		t.print("%s\n%s\n", t.dim("In the documents' own words:"), printable(*d.Quotes))
	}
	for _, s := range d.Sources {
		t.print("%s\n", t.dim("  ["+itoa(s.N)+"] "+printable(s.Title)+", "+place(s.Locator)+" ("+printable(s.Path)+")"))
	}
	if d.TokensPerSecond != nil && t.verbose {
		t.note("generate: %.1f tokens/s, %d of %d prompt tokens from the cache", *d.TokensPerSecond, d.Usage.CachedTokens, d.Usage.PromptTokens)
	}
}

func checkSentence(c rag.AnswerCheck) string {
	switch c.Status {
	case rag.CheckSupported:
		holds, values := "citations hold", "numbers, dates and names"
		if c.Citations == 1 {
			holds = "citation holds"
		}
		if c.Values == 1 {
			values = "number, date or name"
		}
		return fmt.Sprintf("Supported. %d %s, %d %s found in the evidence.", c.Citations, holds, c.Values, values)
	case rag.CheckFlagged:
		return "Flagged."
	case rag.CheckRefused:
		return "The documents do not answer this."
	case rag.CheckQuoted:
		return "Quoted. These are the best sentences found."
	case rag.CheckWithheld:
		return "Withheld. A part of the answer is not in the evidence."
	}
	return "Not checked."
}
