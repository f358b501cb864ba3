package command

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"referent/app"
)

// errIndexWrong ends a check that found something.
var errIndexWrong = errors.New("the search index has to be built anew; `referent index repair` does it")

// index groups what keeps the search index in order.
func (t *terminal) index() *cobra.Command {
	group := &cobra.Command{Use: "index", Short: "Check, build anew and measure the search index", Args: exactly(0, "one of its commands"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	group.AddCommand(
		&cobra.Command{Use: "verify", Short: "Compare the search index with the documents", Args: exactly(0, "no arguments"),
			RunE: t.using(func(ctx context.Context, use app.UseCases) error {
				report, err := use.VerifyIndex(ctx)
				if err != nil {
					return err
				}
				if err := t.showReport(report); err != nil {
					return err
				}
				if len(report.Problems) > 0 {
					return errIndexWrong
				}
				return nil
			})},
		&cobra.Command{Use: "rebuild", Short: "Build the search index anew; always safe", Args: exactly(0, "no arguments"),
			RunE: t.using(func(ctx context.Context, use app.UseCases) error {
				if err := use.RebuildIndex(ctx, nil); err != nil {
					return err
				}
				t.note("The search index was built anew.")
				return nil
			})},
		&cobra.Command{Use: "repair", Short: "Check the search index and build it anew where it is wrong", Args: exactly(0, "no arguments"),
			RunE: t.using(func(ctx context.Context, use app.UseCases) error {
				report, err := use.RepairIndex(ctx)
				if err != nil {
					return err
				}
				if err := t.showReport(report); err != nil {
					return err
				}
				if len(report.Problems) > 0 && !report.Repaired {
					return errors.New("something is still wrong; the lines above say what")
				}
				return nil
			})},
		t.indexModel(), t.recut(),
		&cobra.Command{Use: "size", Short: "How much the data folder takes", Args: exactly(0, "no arguments"),
			RunE: t.using(func(ctx context.Context, use app.UseCases) error {
				s, err := use.IndexSize(ctx)
				if err != nil {
					return err
				}
				if t.json {
					return t.line(s)
				}
				for _, row := range []struct {
					what  string
					bytes int64
				}{{"library", s.Library}, {"search index", s.Search}, {"conversations", s.Conversations}, {"backups", s.Backups}} {
					t.print("%-14s %10.1f MB\n", row.what, float64(row.bytes)/1e6)
				}
				t.print("%d passages, %d with a vector\n", s.Chunks, s.Vectors)
				return nil
			})})
	return group
}

// using opens the data folder for a command without arguments.
func (t *terminal) using(run func(ctx context.Context, use app.UseCases) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		use, err := t.open(cmd.Context())
		if err != nil {
			return err
		}
		return run(cmd.Context(), use)
	}
}

func (t *terminal) showReport(r app.IndexReport) error {
	if t.json {
		return t.line(r)
	}
	for _, p := range r.Problems {
		t.print("%s\n", p)
	}
	switch {
	case len(r.Problems) == 0:
		t.print("The search index agrees with the documents.\n")
	case r.Repaired:
		t.print("The search index was built anew, and all is well.\n")
	}
	return nil
}

func (t *terminal) backup() *cobra.Command {
	return &cobra.Command{Use: "backup FILE", Short: "Write the library, the conversations and the runs and tests of the lab into one file", Args: exactly(1, "a file name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := filepath.Abs(args[0]) // another process may write it
			if err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			if err := use.Backup(cmd.Context(), path); err != nil {
				return err
			}
			t.note("The backup is in %s. It holds the text of your documents and conversations, so keep it private.", path)
			return nil
		}}
}

func (t *terminal) restore() *cobra.Command {
	return &cobra.Command{Use: "restore FILE", Short: "Bring a backup back; what is there now is kept aside", Args: exactly(1, "a file name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := t.folder()
			if err != nil {
				return err
			}
			restored, err := app.Restore(cmd.Context(), dir, args[0])
			if err != nil {
				return err
			}
			t.note("The backup is restored. What was there before is in %s.", restored.Before)
			if restored.Reset {
				t.note("Servers on other computers (remote.*) and the access of other programs (api.*) are at their defaults again. Set them anew if you want them.")
			}
			return nil
		}}
}
