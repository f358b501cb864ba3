package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"referent/app"
)

// errUnsound ends `models verify` when a file is not what it was.
var errUnsound = errors.New("a model file is not what it should be; the lines above say which")

func (t *terminal) modelsPull() *cobra.Command {
	var role string
	c := &cobra.Command{Use: "pull ID|URL", Short: "Download a model; to call it is the permission to connect", Args: exactly(1, "the name of a model or an address"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			req := app.PullRequest{ID: args[0], Role: role, Granted: true}
			if strings.Contains(args[0], "://") {
				req.ID, req.URL = "", args[0]
			}
			t.stopped = "What has arrived is kept; the same command goes on."
			var last app.Transfer
			watch, clear := t.watchTransfer()
			err := use.PullModel(ctx, req, func(now app.Transfer) { last = now; watch(now) })
			clear()
			if err != nil {
				return err
			}
			if t.json {
				return t.line(last)
			}
			t.print("%s is installed. `referent models load ROLE %s` puts it to work.\n", last.ID, last.ID)
			return nil
		})}
	c.Flags().StringVar(&role, "role", "", "answer, condense, embed or rerank, for a file by its address")
	return c
}

func (t *terminal) modelsPause() *cobra.Command {
	return &cobra.Command{Use: "pause ID", Short: "Stop a download in the running program; what has arrived is kept", Args: exactly(1, "the name of a model"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			return use.PauseModel(ctx, args[0])
		})}
}

func (t *terminal) modelsImport() *cobra.Command {
	var role string
	var link bool
	c := &cobra.Command{Use: "import FILE", Short: "Take a model file that you have", Args: exactly(1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if role == "" {
				return wrongUsage("`%s` needs --role answer, condense, embed or rerank.", cmd.CommandPath())
			}
			if err := mustExist(args); err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			path, err := filepath.Abs(args[0]) // the owner may be in another folder
			if err != nil {
				return err
			}
			watch, clear := t.watchTransfer()
			f, err := use.ImportModel(cmd.Context(), app.ImportRequest{Path: path, Role: role, Link: link}, watch)
			clear()
			if err != nil {
				return err
			}
			if t.json {
				return t.line(f)
			}
			t.print("%s is installed. `referent models load %s %s` puts it to work.\n", printable(f.ID), role, printable(f.ID))
			if f.Sentence != "" {
				t.note("%s", f.Sentence)
			}
			return nil
		}}
	c.Flags().StringVar(&role, "role", "", "answer, condense, embed or rerank")
	c.Flags().BoolVar(&link, "link", false, "share the bytes with the file instead of copying them (same disk)")
	return c
}

func (t *terminal) modelsVerify() *cobra.Command {
	return &cobra.Command{Use: "verify [ID]", Short: "Read the model files again and compare their checksums",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUsage("`%s` takes the name of one model, or nothing.", cmd.CommandPath())
			}
			return nil
		},
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			watch, clear := t.watchTransfer()
			files, err := use.VerifyModels(ctx, strings.Join(args, ""), watch)
			clear()
			if err != nil {
				return err
			}
			sound := true
			for _, f := range files {
				sound = sound && f.OK
				if t.json {
					if err := t.line(f); err != nil {
						return err
					}
					continue
				}
				mark := "ok  "
				if !f.OK {
					mark = "FAIL"
				}
				t.print("%s  %s  %s\n", mark, printable(f.ID), verdict(f))
			}
			if !sound {
				return errUnsound
			}
			if len(files) == 0 {
				t.note("No model is installed.")
			}
			return nil
		})}
}

func verdict(f app.ModelFile) string {
	if f.Sentence != "" {
		return string(f.Sentence)
	}
	return map[string]string{
		"catalogue": "Every byte is the one of the catalogue.",
		"server":    "Every byte is the one that the server announced when it came.",
		"none":      "Every byte is the one that was imported.",
	}[f.Proof]
}

func (t *terminal) modelsRemove() *cobra.Command {
	return &cobra.Command{Use: "remove ID", Short: "Delete a model file, or an unfinished download", Args: exactly(1, "the name of a model"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			return use.RemoveModel(ctx, args[0])
		})}
}

func (t *terminal) modelsRemote() *cobra.Command {
	var model string
	var key bool
	c := &cobra.Command{Use: "remote ROLE URL|off", Short: "Let an OpenAI-compatible server play a role; its texts leave this computer", Args: exactly(2, "a role and an address or off"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req := app.RemoteRequest{Role: args[0], URL: args[1], Model: model}
			if key {
				line, err := bufio.NewReader(t.Stdin).ReadString('\n')
				if err != nil && !errors.Is(err, io.EOF) {
					return err
				}
				if req.Key = strings.TrimSpace(line); req.Key == "" {
					return wrongUsage("--key-stdin was given, and no key came in.")
				}
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			return use.SetRemote(cmd.Context(), req)
		}}
	c.Flags().StringVar(&model, "model", "", "the name that the server gives the model")
	c.Flags().BoolVar(&key, "key-stdin", false, "read the server's key from the input and keep it in the system's keyring")
	return c
}

// watchTransfer shows how far a download, copy or check is: a bar on a terminal,
// a line every few seconds elsewhere. clear takes the bar away.
func (t *terminal) watchTransfer() (watch func(app.Transfer), clear func()) {
	every := 3 * time.Second
	if t.Terminal {
		every = 200 * time.Millisecond
	}
	var last time.Time
	state, drawn := "", false
	watch = func(now app.Transfer) {
		if t.quiet || now.State == state && time.Since(last) < every {
			return
		}
		last, state = time.Now(), now.State
		if !t.Terminal {
			_, _ = fmt.Fprintln(t.Stderr, transferSentence(now))
			return
		}
		_, _ = fmt.Fprintf(t.Stderr, "\r\x1b[K%s %s", share(now.Done, now.Total, 24), transferSentence(now))
		drawn = true
	}
	return watch, func() {
		if drawn {
			_, _ = fmt.Fprint(t.Stderr, "\r\x1b[K")
		}
	}
}

func transferSentence(now app.Transfer) string {
	what := map[string]string{"connecting": "Connecting", "resuming": "Reading what is here already", "receiving": "Downloading", "waiting": "Waiting for the next try",
		"verifying": "Comparing and checking", "copying": "Copying", "testing": "Testing with a small model", "asking": "Waiting for permission", "paused": "Paused", "done": "Done", "failed": "Failed"}[now.State]
	s := what
	if now.Total > 0 {
		s += fmt.Sprintf(": %s of %s", bytesText(now.Done), bytesText(now.Total))
	} else if now.Done > 0 {
		s += ": " + bytesText(now.Done)
	}
	if now.Rate > 0 {
		s += fmt.Sprintf(", %.1f MB a second", now.Rate/1e6)
	}
	if now.RemainingSeconds > 0 {
		s += fmt.Sprintf(", about %s left", about(now.RemainingSeconds))
	}
	if now.Sentence != "" {
		s += ". " + strings.TrimSuffix(string(now.Sentence), ".")
	}
	return printable(s) + "."
}

// bytesText writes a size as people read it: whole megabytes, then gigabytes.
func bytesText(n int64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return gigabytes(n)
}

// share draws how much of a whole is done.
func share(done, total int64, width int) string {
	filled := 0
	if total > 0 {
		filled = int(min(int64(width), int64(width)*done/total))
	}
	return "[" + strings.Repeat("█", filled) + strings.Repeat("·", width-filled) + "]"
}

func (t *terminal) modelsFit() *cobra.Command {
	var gpus []float64
	chosen := map[string]*string{}
	c := &cobra.Command{Use: "fit", Short: "Show what of each model would run where, before it is loaded", Args: exactly(0, "no arguments"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
			req := app.FitRequest{GPUs: gpus, Models: map[string]string{}}
			for role, id := range chosen {
				req.Models[role] = *id
			}
			f, err := use.FitModels(ctx, req)
			if err != nil {
				return err
			}
			if t.json {
				return t.line(f)
			}
			t.printFit(f)
			return nil
		})}
	c.Flags().Float64SliceVar(&gpus, "gpu", nil, "pretend a graphics processor of so many GiB; may be repeated")
	for _, role := range []string{"answer", "condense", "embed", "rerank"} {
		chosen[role] = c.Flags().String(role, "", "an installed model for this role instead of the chosen one")
	}
	return c
}

func (t *terminal) printFit(f app.Fit) {
	if f.Memory > 0 {
		t.print("Main memory: %s.\n", gibibytes(f.Memory))
	}
	for _, d := range f.Devices {
		t.print("%s: %s free of %s.\n", printable(d.Name), gibibytes(d.Free), gibibytes(d.Total))
	}
	if len(f.Devices) == 0 {
		t.print("No graphics processor: every model runs on the processor.\n")
	}
	if len(f.Roles) > 0 {
		t.print("\n%-9s %-42s %-9s %8s  %-5s %10s %10s\n", "role", "model", "on GPU", "context", "cache", "GPU", "memory")
	}
	for _, r := range f.Roles {
		host := gibibytes(r.HostBytes)
		if r.Shares {
			host = "shared"
		}
		t.print("%-9s %-42s %-9s %8d  %-5s %10s %10s\n", r.Role, printable(r.Model), fmt.Sprintf("%d/%d", r.Layers, r.Of), r.Context, r.Cache, gibibytes(r.DeviceBytes), host)
	}
	if len(f.Devices) > 0 {
		t.print("%s of %s on the graphics processors would be used; the rest stays free for the screen.\n", gibibytes(f.Used), gibibytes(f.Room))
	}
	for _, s := range f.GivenUp {
		t.print("- %s\n", s)
	}
	if f.Over {
		t.print("- The number of layers that you chose needs more memory than there is. `referent settings reset model.gpu_layers` lets the program choose.\n")
	}
	t.print("\n%-42s %-16s %8s  %s\n", "model", "roles", "size", "here")
	for _, m := range f.Models {
		installed := ""
		if m.Installed {
			installed = ", installed"
		}
		t.print("%-42s %-16s %8s  %s%s\n", printable(m.ID), strings.Join(m.Roles, ", "), gigabytes(m.SizeBytes), runsHow(m.Class), installed)
	}
}

func gibibytes(n int64) string { return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30)) }
