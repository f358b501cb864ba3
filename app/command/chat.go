package command

import (
	"bufio"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
	"referent/rag"
)

func (t *terminal) chat() *cobra.Command {
	var flags turnFlags
	c := &cobra.Command{Use: "chat", Short: "Talk in the terminal until :quit or Ctrl-D", Args: exactly(0, "no words; type the questions"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			req, err := flags.request(cmd, "")
			if err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			return t.talk(cmd.Context(), use, req)
		}}
	flags.register(c.Flags())
	return c
}

// talk runs the loop. Without --conversation the history lives here and is gone
// at the end.
func (t *terminal) talk(ctx context.Context, use app.UseCases, base app.AskRequest) error {
	history := base.History
	lines := bufio.NewScanner(t.Stdin)
	lines.Buffer(nil, 1<<20)
	for {
		if !t.quiet && !t.json {
			t.note("Ask, or :quit")
		}
		if !lines.Scan() {
			return lines.Err()
		}
		q := lines.Text()
		switch strings.TrimSpace(q) {
		case "":
			continue
		case ":quit", ":q", ":exit":
			return nil
		}
		req := base
		req.Question = q
		if req.Conversation == nil {
			req.History, req.GivenHistory, req.NoStore = history, true, true
		}
		done, err := t.turn(ctx, use, req)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, errRefused) {
			t.note("%s", Sentence(err)) // the talk goes on after a failed turn
			continue
		}
		history = append(history, rag.Message{Role: "user", Text: q}, rag.Message{Role: "assistant", Text: done.Answer})
		if !t.json {
			t.print("\n")
		}
	}
}
