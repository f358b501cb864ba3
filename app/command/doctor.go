package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"referent/app"
)

// errUnfit ends the doctor when the main job cannot run.
var errUnfit = errors.New("the main job cannot run; the lines above say why")

func (t *terminal) doctor() *cobra.Command {
	return &cobra.Command{Use: "doctor", Short: "What is installed, and what would fail", Args: exactly(0, "no arguments"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
			d, err := use.Doctor(ctx)
			if err != nil {
				return err
			}
			if t.json {
				if err := t.line(d); err != nil {
					return err
				}
			} else {
				for _, f := range d.Findings {
					mark := "ok  "
					switch {
					case !f.OK && f.Critical:
						mark = "FAIL"
					case !f.OK:
						mark = "note"
					}
					t.print("%s  %-10s %s\n", mark, f.Topic, f.Sentence)
				}
			}
			if !d.OK {
				return errUnfit
			}
			return nil
		})}
}
