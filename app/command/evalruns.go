package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
)

// evalRuns are the commands about runs that are kept. A run is named by its id,
// or by its file.
func (t *terminal) evalRuns() []*cobra.Command {
	list := &cobra.Command{Use: "list", Short: "List the runs, newest first", Args: exactly(0, "no arguments"), RunE: t.with(func(ctx context.Context,
		use app.UseCases, _ []string) error {
		state, err := use.LabState(ctx)
		if err != nil {
			return err
		}
		for _, run := range state.Runs {
			if t.json {
				if err := t.line(run); err != nil {
					return err
				}
				continue
			}
			t.print("%-26s  %-8s  %6d questions  %s by %s on %s\n", run.ID, run.State, run.Questions, strings.Join(run.Engines, ","),
				strings.Join(run.Retrievers, ","), strings.Join(run.Suites, ","))
		}
		return nil
	})}
	compare := &cobra.Command{Use: "compare BEFORE AFTER", Short: "Compare two runs question by question", Args: exactly(2,
		"two runs, the earlier one first"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
		names, err := runNames(args)
		if err != nil {
			return err
		}
		c, err := use.CompareEvaluations(ctx, app.EvalPair{Before: names[0], After: names[1]})
		if err != nil {
			return err
		}
		if t.json {
			return t.line(c)
		}
		t.showComparison(c)
		return nil
	})}
	return []*cobra.Command{list, compare, t.evalWrite("report", "html", "Write a run as one HTML page with plots"), t.evalWrite("export", "csv",
		"Write the figures of a run as CSV")}
}

// evalWrite writes a run to stdout or into a new file.
func (t *terminal) evalWrite(name, format, short string) *cobra.Command {
	var out, against string
	c := &cobra.Command{Use: name + " RUN", Short: short, Args: exactly(1, "one run (`referent eval list` shows them)"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			names, err := runNames(append(args, against))
			if err != nil {
				return err
			}
			text, err := use.ExportEvaluation(ctx, app.EvalExport{ID: names[0], Against: names[1], Format: format})
			if err != nil {
				return err
			}
			if out == "" {
				t.print("%s", text)
				return nil
			}
			if err := writeNew(out, text); err != nil {
				return err
			}
			t.note("Written to %s.", out)
			return nil
		})}
	c.Flags().StringVar(&out, "out", "", "a new file (default: stdout)")
	c.Flags().StringVar(&against, "against", "", "an earlier run to compare it with")
	return c
}

func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return wrongUsage("There is a file %s already. Name another one.", path)
	}
	if err != nil {
		return fileProblem(path, err)
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// runNames makes the names of files full, since another process may read them.
func runNames(args []string) ([]string, error) {
	out := make([]string, len(args))
	for i, name := range args {
		out[i] = name
		if !strings.HasSuffix(name, ".jsonl") && !strings.ContainsRune(name, filepath.Separator) {
			continue
		}
		if err := mustExist([]string{name}); err != nil {
			return nil, err
		}
		full, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		out[i] = full
	}
	return out, nil
}

// changedShown bounds the questions that a comparison lists for a pair.
const changedShown = 20

func (t *terminal) showComparison(c app.EvalComparison) {
	for _, p := range c.Pairs {
		t.print("%s %s, %s by %s: %d questions, %d better, %d worse, %d equal\n", p.Suite, printable(p.Set), p.Engine, p.Retriever, p.Shared, p.Better,
			p.Worse, p.Equal)
		for _, d := range p.Figures {
			t.print("  %-12s  %.3f → %.3f  %+.3f (%+.3f to %+.3f)\n", d.Metric, d.Before, d.After, d.Change, d.Low, d.High)
		}
		for i, q := range p.Changed {
			if i == changedShown {
				t.print("  … and %d more\n", len(p.Changed)-changedShown)
				break
			}
			line := fmt.Sprintf("  %s  %s %.3f → %.3f", q.Query, q.Metric, q.Before, q.After)
			if before, after := strings.Join(q.SearchedBefore, " | "), strings.Join(q.SearchedAfter, " | "); before != after {
				line += fmt.Sprintf("  searched “%s”, before “%s”", after, before)
			}
			t.print("%s\n", printable(line))
		}
		t.print("\n")
	}
	for _, m := range c.Missing {
		t.note("%s", printable(m))
	}
	if len(c.Pairs) == 0 {
		t.print("The two runs have measured nothing in common.\n")
	}
}
