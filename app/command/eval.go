package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"referent/app"
)

// errRunFailed ends a run of which a part does not hold; the sentences before it
// say what.
var errRunFailed = errors.New("the run has failed: more than a tenth of the rewrites of an engine cannot be used, or a gate does not hold")

// evalFlags are what a measurement can be told.
type evalFlags struct {
	sets, out, replay   string
	engines, retrievers []string
	resume              bool
	most, passages      int
}

func (t *terminal) eval() *cobra.Command {
	presets, suites, engines, retrievers := app.EvalChoices()
	var flags evalFlags
	c := &cobra.Command{Use: "eval SUITE… | " + strings.Join(presets, " | "), Short: "Measure engines on question sets",
		Long: "Measure engines on question sets, by the code that answers questions.\n\nSuites: " + strings.Join(suites, ", ") + ". Presets: " + strings.Join(presets, ", ") + ".",
		Args: atLeast(1, "suites ("+strings.Join(suites, ", ")+") or a preset ("+strings.Join(presets, ", ")+")"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := flags.request(args)
			if err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			t.stopped = "What was measured is kept; `--resume` goes on with it."
			report, err := t.evaluate(cmd.Context(), use, req)
			if err != nil {
				return err
			}
			return t.showEval(report)
		}}
	f := c.Flags()
	f.StringVar(&flags.sets, "sets", "", "folder of the question sets (default: REFERENT_SHARED_DATA, or ../shared/data)")
	f.StringSliceVar(&flags.engines, "engines", nil, "engines: "+strings.Join(engines, ", "))
	f.StringSliceVar(&flags.retrievers, "retrievers", nil, "retrievers: "+strings.Join(retrievers, ", "))
	f.StringVar(&flags.out, "out", "", "file of the run (default: a new one in the data folder)")
	f.BoolVar(&flags.resume, "resume", false, "go on with a run that was stopped")
	f.IntVar(&flags.most, "most", 0, "most questions of a set (default: those of the preset)")
	f.IntVar(&flags.passages, "passages", 0, "most passages of a set, the right ones among them (default: those of the preset)")
	f.StringVar(&flags.replay, "replay", "", "file of a run whose rewrites and answers are judged anew, without a model")
	c.AddCommand(t.evalRuns()...)
	return c
}

// request makes paths full, since another process may read them.
func (f evalFlags) request(suites []string) (app.EvalRequest, error) {
	req := app.EvalRequest{Suites: suites, Engines: f.engines, Retrievers: f.retrievers, Resume: f.resume, Most: max(0, f.most), Passages: max(0, f.passages)}
	if f.sets != "" {
		if err := mustExist([]string{f.sets}); err != nil {
			return req, err
		}
	}
	req.Sets = firstFolder(f.sets, os.Getenv("REFERENT_SHARED_DATA"), filepath.Join("..", "shared", "data"))
	req.Sample = firstFolder(filepath.Join(req.Sets, "sample"), "testdata")
	if f.replay != "" {
		if err := mustExist([]string{f.replay}); err != nil {
			return req, err
		}
		replay, err := filepath.Abs(f.replay)
		if err != nil {
			return req, err
		}
		req.Replay = replay
	}
	if f.out != "" {
		out, err := filepath.Abs(f.out)
		if err != nil {
			return req, err
		}
		req.Out = out
	}
	return req, nil
}

// firstFolder is the first that is there, as a full path; else the first that
// has a name.
func firstFolder(candidates ...string) string {
	named := ""
	for _, dir := range candidates {
		full, err := filepath.Abs(dir)
		if dir == "" || err != nil {
			continue
		}
		if info, err := os.Stat(full); err == nil && info.IsDir() {
			return full
		}
		if named == "" {
			named = full
		}
	}
	return named
}

// evaluate runs with progress on stderr: one line that is drawn anew on a
// terminal, a line every few seconds elsewhere.
func (t *terminal) evaluate(ctx context.Context, use app.UseCases, req app.EvalRequest) (app.EvalReport, error) {
	every := 5 * time.Second
	if t.Terminal {
		every = 200 * time.Millisecond
	}
	var last time.Time
	drawn := false
	report, err := use.Evaluate(ctx, req, func(p app.EvalProgress) {
		if t.quiet || time.Since(last) < every {
			return
		}
		last = time.Now()
		if t.Terminal {
			_, _ = fmt.Fprintf(t.Stderr, "\r\x1b[K%s", evalSentence(p))
			drawn = true
			return
		}
		_, _ = fmt.Fprintln(t.Stderr, evalSentence(p))
	})
	if drawn {
		_, _ = fmt.Fprint(t.Stderr, "\r\x1b[K")
	}
	return report, err
}

func evalSentence(p app.EvalProgress) string {
	if p.Sentence != "" {
		return p.Sentence
	}
	s := fmt.Sprintf("%d of %d questions: %s, %s by %s", p.Done, p.Total, p.Set, p.Engine, p.Retriever)
	if p.PerSecond > 0 {
		s += fmt.Sprintf(", %.1f a second", p.PerSecond)
	}
	if p.RemainingSeconds > 0 {
		s += fmt.Sprintf(", about %s left", about(p.RemainingSeconds))
	}
	return s + "."
}

// showEval prints the records of the run as JSON, or the table and the verdict.
func (t *terminal) showEval(r app.EvalReport) error {
	for _, n := range r.Notes {
		t.note("%s", printable(n))
	}
	if t.json {
		if err := t.copyLines(r.Path); err != nil {
			return err
		}
	} else {
		t.print("%s", printable(r.Table))
		t.print("%s\n", r.Verdict.Sentence)
		t.showCandidates(r)
		if r.Mode.Mode != "" {
			t.print("%s\n", r.Mode.Sentence)
			t.showModes(r)
		}
	}
	t.note("The records of the run are in %s.", r.Path)
	if len(r.Failures) > 0 {
		for _, f := range r.Failures {
			t.note("%s", printable(f))
		}
		return errRunFailed
	}
	return nil
}

// showCandidates prints what the rule looked at.
func (t *terminal) showCandidates(r app.EvalReport) {
	if r.Verdict.Questions == 0 {
		return
	}
	t.print("By %s, on %d questions of S5 that all engines were asked:\n", r.Verdict.Retriever, r.Verdict.Questions)
	t.print("  %-25s %10s  %8s  %6s  %9s  %6s  %9s  %s\n", "engine", "gap closed", "recall@5", "ndcg@5", "retention", "failed", "added ms", "vetoes")
	for _, c := range r.Verdict.Candidates {
		t.print("  %-25s %10s  %8s  %6s  %9s  %6s  %9s  %s\n", c.Engine, figure(c.Closed, "%.3f"), figure(c.FollowUps, "%.3f"), figure(c.Talks, "%.3f"),
			figure(c.Retention, "%.3f"), figure(c.Fallback, "%.3f"), figure(c.AddedMS, "%.0f"), strings.Join(c.Vetoes, "; "))
	}
}

// figure writes a figure of a verdict, or that it was not measured.
func figure(v *float64, format string) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf(format, *v)
}

// showModes prints what the rule for the answer mode looked at.
func (t *terminal) showModes(r app.EvalReport) {
	v := r.Mode
	t.print("By %s, on %d questions of S8 and S9:\n", v.Retriever, v.Questions)
	t.print("  %-10s %16s  %9s  %8s  %7s  %13s  %17s  %s\n", "mode", "numbers grounded", "supported", "coverage", "refused", "false refusal", "balanced accuracy", "vetoes")
	for _, c := range v.Candidates {
		t.print("  %-10s %16s  %9s  %8s  %7s  %13s  %17s  %s\n", c.Mode, figure(c.Grounded, "%.3f"), figure(c.Supported, "%.3f"), figure(c.Coverage, "%.3f"),
			figure(c.Refused, "%.3f"), figure(c.Falsely, "%.3f"), figure(c.Balanced, "%.3f"), strings.Join(c.Vetoes, "; "))
	}
}

// copyLines writes a file to stdout as it is: it is one object a line.
func (t *terminal) copyLines(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fileProblem(path, err)
	}
	_, err = io.Copy(t.Stdout, bufio.NewReader(f))
	return errors.Join(err, f.Close())
}
