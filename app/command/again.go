package command

import (
	"github.com/spf13/cobra"

	"referent/app"
)

// againFlags are the flags of ask that repeat a stored turn, or say what is
// searched in place of what the engine would choose.
type againFlags struct {
	again        int64
	sameEvidence bool
	searchFor    string
	ownWords     bool
}

func (f *againFlags) register(c *cobra.Command) {
	fs := c.Flags()
	fs.Int64Var(&f.again, "again", 0, "ask the question of the `TURN` with this number once more; conversations show lists them")
	fs.BoolVar(&f.sameEvidence, "same-evidence", false, "with --again: answer from the same passages, search nothing")
	fs.StringVar(&f.searchFor, "search-for", "", "search for this text in place of the question")
	fs.BoolVar(&f.ownWords, "own-words", false, "search for the question itself, whatever the engine")
}

// request completes a request; words are the question on the command line.
func (f *againFlags) request(cmd *cobra.Command, words []string, req *app.AskRequest) error {
	changed := cmd.Flags().Changed
	if changed("again") {
		req.Again = &f.again
	}
	if f.sameEvidence && req.Again == nil {
		return wrongUsage("--same-evidence needs --again with the number of a turn.")
	}
	if f.sameEvidence && (changed("search-for") || f.ownWords) {
		return wrongUsage("--same-evidence searches nothing: leave out --search-for and --own-words.")
	}
	if changed("search-for") && f.ownWords {
		return wrongUsage("--search-for and --own-words exclude each other.")
	}
	req.SameEvidence, req.EditedQuery, req.OwnWords = f.sameEvidence, f.searchFor, f.ownWords
	if req.Again != nil && len(words) == 0 {
		return nil // the question of the turn
	}
	q, err := question(words)
	req.Question = q
	return err
}

// atLeastUnlessAgain asks for a question, unless a turn names it.
func atLeastUnlessAgain(cmd *cobra.Command, args []string) error {
	if cmd.Flags().Changed("again") {
		return nil
	}
	return atLeast(1, "a question in quotes")(cmd, args)
}
