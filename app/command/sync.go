package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
	"referent/rag"
)

func (t *terminal) sync() *cobra.Command {
	var report, protected, keep bool
	var encoding string
	c := &cobra.Command{Use: "sync", Short: "Look at all folders once and wait until every file is read", Args: exactly(0, "no arguments"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
			if err := t.syncWithProgress(ctx, use); err != nil {
				return err
			}
			if report {
				return t.showIngest(ctx, use)
			}
			return t.showStatus(ctx, use, false)
		})}
	c.Flags().BoolVar(&report, "report", false, reportHelp)
	pause := func(name, short string, paused bool) *cobra.Command {
		return &cobra.Command{Use: name, Short: short, Args: exactly(0, "no arguments"), RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
			return use.SetPaused(ctx, paused)
		})}
	}
	retry := &cobra.Command{Use: "retry PATH", Short: "Read a file again", Args: exactly(1, "one file"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
		place, err := fromHere(args[0])
		if err != nil {
			return err
		}
		if encoding != "" {
			if err := use.SetEncoding(ctx, place[0], encoding); err != nil {
				return err
			}
		}
		if encoding == "" || protected {
			if err := t.readAgain(ctx, use, place[0], protected, keep); err != nil {
				return err
			}
		}
		return t.syncWithProgress(ctx, use)
	})}
	retry.Flags().BoolVar(&protected, "password", false, "read the password of a protected file from the first line of the input")
	retry.Flags().BoolVar(&keep, "keep", false, "keep the password in the system's keyring")
	retry.Flags().StringVar(&encoding, "encoding", "", "set the encoding of a text file to `NAME`, or to auto, which has it found out; sync encodings lists them")
	encodings := &cobra.Command{Use: "encodings", Short: "List the encodings that can be set for a file", Args: exactly(0, "no arguments"), RunE: func(*cobra.Command, []string) error {
		return t.listEncodings()
	}}
	c.AddCommand(pause("pause", "Stop reading files until resume", true), pause("resume", "Go on reading files", false), retry, encodings)
	return c
}

// readAgain reads a file again, with a password from the input if it has one.
func (t *terminal) readAgain(ctx context.Context, use app.UseCases, path string, protected, keep bool) error {
	if !protected {
		return use.Retry(ctx, path)
	}
	password, err := t.readPassword()
	if err != nil {
		return err
	}
	unlocked, err := use.Unlock(ctx, app.UnlockRequest{Path: path, Password: password, Keep: keep})
	if unlocked.Sentence != "" {
		t.note("%s", unlocked.Sentence)
	}
	return err
}

// recut reads the files anew that an earlier version of the program has read,
// once a person agrees.
func (t *terminal) recut() *cobra.Command {
	var yes bool
	c := &cobra.Command{Use: "recut", Short: "Read and cut the files anew that an earlier version of the program has read", Args: exactly(0, "no arguments"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
			plan, err := use.PlanRecut(ctx)
			if err != nil || t.json && !yes {
				return errors.Join(err, t.line(plan))
			}
			if plan.Files == 0 {
				t.note("%s", plan.Sentence)
				return nil
			}
			if ok, err := t.agreed(plan.Sentence, yes); !ok || err != nil {
				return err
			}
			if err := use.Recut(ctx); err != nil {
				return err
			}
			return t.syncWithProgress(ctx, use)
		})}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask, however long it takes")
	return c
}

// listEncodings prints the encodings, a script a line.
func (t *terminal) listEncodings() error {
	script := ""
	for _, e := range app.Encodings() {
		switch {
		case t.json:
			if err := t.line(e); err != nil {
				return err
			}
			continue
		case e.Script != script && script != "":
			t.print("\n")
		}
		if e.Script != script {
			script = e.Script
			t.print("%-20s", strings.ReplaceAll(script, "_", " "))
		}
		t.print(" %s", e.Name)
	}
	if !t.json {
		t.print("\n")
	}
	return nil
}

// statusWords are the statuses in the words of docs/formats.md.
var statusWords = map[rag.FileStatus]string{
	rag.FileWaiting: "waiting", rag.FileIndexing: "being read", rag.FileIndexed: "read", rag.FilePartlyIndexed: "partly read",
	rag.FileNeedsPassword: "needs password", rag.FileNeedsOCR: "needs text recognition", rag.FileUnsupported: "not supported", rag.FileTooLarge: "too large",
	rag.FileDamaged: "damaged", rag.FileTimedOut: "timed out", rag.FileCloudOnly: "only in the cloud", rag.FileNoPermission: "no permission",
	rag.FileParked: "put aside", rag.FileOffline: "offline",
}

// meaningNote says how far search by meaning is behind the search by words, and
// why where it does not go on.
func meaningNote(p app.Progress) string {
	if p.VectorsDone >= p.VectorsTotal {
		return ""
	}
	line := fmt.Sprintf("What was read can be found by its words, and %d of %d passages by meaning", p.VectorsDone, p.VectorsTotal)
	switch {
	case p.Sentence != "":
		return line + ". " + string(p.Sentence)
	case p.Done >= p.Total && p.RemainingSeconds > 0:
		return line + "; the others in about " + about(p.RemainingSeconds) + "."
	}
	return line + "."
}

// encodingNote says in which encoding a file was read where a person has set one.
func encodingNote(f app.File) string {
	switch {
	case f.EncodingChoice == "":
		return ""
	case f.Encoding == "" || !f.Status.Final():
		return "The encoding is set to " + string(f.EncodingChoice) + "."
	case f.Encoding == f.EncodingChoice:
		return "It is read as " + string(f.Encoding) + ", which you have set."
	}
	return "It is read as " + string(f.Encoding) + ", since the file itself says so; you have set " + string(f.EncodingChoice) + "."
}
