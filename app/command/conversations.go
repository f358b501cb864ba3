package command

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"referent/app"
)

func number(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 {
		return 0, wrongUsage("%q is not a number from the list.", s)
	}
	return n, nil
}

// numbered is with for a command whose first argument is the number of
// something. A wrong number is refused before the library is opened.
func (t *terminal) numbered(run func(ctx context.Context, use app.UseCases, id int64, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		id, err := number(args[0])
		if err != nil {
			return err
		}
		return t.with(func(ctx context.Context, use app.UseCases, args []string) error { return run(ctx, use, id, args) })(cmd, args)
	}
}

func (t *terminal) conversations() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "List the conversations, newest first", Args: exactly(0, "no arguments"), RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
		all, err := use.Conversations(ctx, 1000)
		if err != nil {
			return err
		}
		for _, c := range all {
			if err := t.showConversation(c); err != nil {
				return err
			}
		}
		return nil
	})}
	show := &cobra.Command{Use: "show ID", Short: "Show one conversation", Args: exactly(1, "the number of a conversation"), RunE: t.numbered(func(ctx context.Context, use app.UseCases, id int64, _ []string) error {
		detail, err := use.Conversation(ctx, id)
		if err != nil {
			return err
		}
		if t.json {
			return t.line(detail)
		}
		t.print("%s\n", t.bold(printable(detail.Conversation.Title)))
		for _, turn := range detail.Turns {
			t.print("\n%s  %s\n", t.bold(printable(turn.Question)), t.dim("turn "+itoa(int(turn.ID))))
			t.showPrepared(turn.Prepared)
			t.print("%s\n", printable(turn.Done.Answer))
			if !turn.Withheld {
				t.showAnswer(turn.Done)
			}
		}
		return nil
	})}
	search := &cobra.Command{Use: "search TEXT", Short: "Find conversations by their words", Args: exactly(1, "a text"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
		found, err := use.SearchConversations(ctx, args[0])
		if err != nil {
			return err
		}
		for _, m := range found {
			if t.json {
				if err := t.line(m); err != nil {
					return err
				}
				continue
			}
			t.print("%5d  %s\n       %s\n", m.ID, printable(m.Title), excerpt(m.Snippet, 120))
		}
		return nil
	})}
	remove := &cobra.Command{Use: "delete ID", Short: "Delete a conversation", Args: exactly(1, "the number of a conversation"), RunE: t.numbered(func(ctx context.Context, use app.UseCases, id int64, _ []string) error {
		return use.DeleteConversation(ctx, id)
	})}
	return group("conversations", "List, show, search, branch, export, import and delete conversations",
		list, show, search, t.setConversation(), t.branchConversation(), t.exportConversation(), t.importConversation(), remove)
}

func (t *terminal) showConversation(c app.Conversation) error {
	if t.json {
		return t.line(c)
	}
	t.print("%5d  %-16s  %3d  %s\n", c.ID, day(c.Updated), c.Turns, printable(c.Title))
	return nil
}

// day shortens an RFC 3339 time to what a list needs.
func day(s string) string {
	if len(s) < 16 {
		return s
	}
	return s[:10] + " " + s[11:16]
}

func (t *terminal) runs() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "The run log: every turn, also failed and stopped ones", Args: exactly(0, "no arguments"), RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
		all, err := use.Runs(ctx, 200)
		if err != nil {
			return err
		}
		for _, r := range all {
			if err := t.showRun(r); err != nil {
				return err
			}
		}
		return nil
	})}
	show := &cobra.Command{Use: "show ID", Short: "One run with its stages", Args: exactly(1, "the number of a run"), RunE: t.numbered(func(ctx context.Context, use app.UseCases, id int64, _ []string) error {
		all, err := use.Runs(ctx, 10000)
		if err != nil {
			return err
		}
		for _, r := range all {
			if r.ID == id {
				return t.showRun(r)
			}
		}
		return wrongUsage("There is no run %d. `referent runs list` shows them.", id)
	})}
	return group("runs", "The run log: ids, codes and times, no text", list, show)
}

func (t *terminal) showRun(r app.Run) error {
	if t.json {
		return t.line(r)
	}
	code := string(r.Code)
	if code == "" {
		code = "done"
	}
	t.print("%5d  %-16s  %-17s %-16s %s  %s\n", r.ID, day(r.Started), r.Engine, r.Status, code, duration(r.StagesMS["total"]))
	return nil
}
