package command

import (
	"os"

	"github.com/spf13/cobra"

	"referent/rag"
)

func (t *terminal) extract() *cobra.Command {
	var text bool
	c := &cobra.Command{Use: "extract FILE", Short: "Show what is read from a file; nothing is stored", Args: exactly(1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := os.Stat(args[0])
			if err != nil {
				return fileProblem(args[0], err)
			}
			if info.IsDir() {
				return wrongUsage("%s is a folder. `referent extract` takes one file.", args[0])
			}
			ex, err := t.Env.Extract(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return t.showExtraction(ex, text)
		}}
	c.Flags().BoolVar(&text, "text", false, "the plain text only")
	return c
}

func (t *terminal) showExtraction(ex rag.Extraction, text bool) error {
	if text {
		t.print("%s\n", ex.Text)
		return nil
	}
	if t.json {
		if err := t.line(ex); err != nil {
			return err
		}
		for _, b := range ex.Blocks {
			if err := t.line(b); err != nil {
				return err
			}
		}
		return nil
	}
	t.print("%s\n%s, %s", t.bold(printable(ex.Title)), ex.Kind, ex.Status)
	if ex.Pages > 0 {
		t.print(", %d pages", ex.Pages)
	}
	if ex.Reason != "" {
		t.print("\n%s", ex.Reason)
	}
	t.print("\n\n")
	for _, b := range ex.Blocks {
		t.print("%s\n%s\n\n", t.dim(string(b.Kind)+" "+place(b.Locator)), printable(b.Text))
	}
	return nil
}
