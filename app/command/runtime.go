package command

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
)

func (t *terminal) runtime() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "Show the libraries that models run on", Args: exactly(0, "nothing"), RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
		all, err := use.Runtimes(ctx)
		if err != nil {
			return err
		}
		if t.json {
			return t.line(all)
		}
		for _, r := range all {
			t.print("%-7s %-7s %s\n", r.Name, r.Version, runtimeLine(r))
		}
		return nil
	})}
	return group("runtime", "The libraries that models run on", list, t.runtimeInstall(), t.runtimeCheck(), t.runtimeRemove())
}

func (t *terminal) runtimeInstall() *cobra.Command {
	var accept, anyway, download bool
	var from, sums []string
	c := &cobra.Command{Use: "install NAME [FILE...]", Short: "Install an optional runtime from its archives, or download them; without either, say which", Args: cobra.MinimumNArgs(1),
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			download = download || len(from) > 0
			switch {
			case len(sums) > len(from):
				return wrongUsage("There are more checksums than addresses: `--sha256` belongs to the `--from` before it.")
			case download && len(args) > 1:
				return wrongUsage("Either files or a download, not both.")
			case !accept || len(args) == 1 && !download:
				return t.runtimeNotice(ctx, use, args[0])
			}
			watch, clear := t.watchTransfer()
			r, err := t.putRuntime(ctx, use, args, anyway, sources(from, sums), watch)
			clear()
			if err != nil {
				return err
			}
			if t.json {
				return t.line(r)
			}
			t.print("%s is installed in %s. `referent runtime list` shows whether it is used.\n", r.Name, r.Folder)
			if r.Lacks != "" {
				t.note("It was not tried. %s", r.Lacks)
			}
			if r.Sentence != "" {
				t.note("%s", r.Sentence)
			}
			return nil
		})}
	c.Flags().BoolVar(&accept, "accept-licence", false, "you have read the notice and accept it")
	c.Flags().BoolVar(&anyway, "anyway", false, "install it although it would not run on this computer, without trying it")
	c.Flags().BoolVar(&download, "download", false, "download the archives; to call it is the permission to connect")
	c.Flags().StringArrayVar(&from, "from", nil, "download an archive from this address instead; may be repeated")
	c.Flags().StringArrayVar(&sums, "sha256", nil, "what the archive of the address in the same place must be; without it, the server's word counts")
	return c
}

// putRuntime installs from files, or downloads where none are named.
func (t *terminal) putRuntime(ctx context.Context, use app.UseCases, args []string, anyway bool, from []app.ArchiveSource, watch func(app.Transfer)) (app.RuntimeFolder, error) {
	if len(args) == 1 {
		t.stopped = "What has arrived is kept; the same command goes on."
		return use.PullRuntime(ctx, app.PullRuntimeRequest{Name: args[0], From: from, Accept: true, Anyway: anyway, Granted: true}, watch)
	}
	archives, err := fromHere(args[1:]...)
	if err != nil {
		return app.RuntimeFolder{}, err
	}
	return use.InstallRuntime(ctx, app.InstallRuntimeRequest{Name: args[0], Archives: archives, Accept: true, Anyway: anyway}, watch)
}

func sources(from, sums []string) []app.ArchiveSource {
	var out []app.ArchiveSource
	for i, url := range from {
		s := app.ArchiveSource{URL: url}
		if i < len(sums) {
			s.SHA256 = sums[i]
		}
		out = append(out, s)
	}
	return out
}

// errRuntime ends `runtime check` when the libraries cannot be used.
var errRuntime = errors.New("these libraries cannot be used here; the line above says why")

func (t *terminal) runtimeCheck() *cobra.Command {
	return &cobra.Command{Use: "check NAME", Short: "Read the libraries again and let a small model run on them", Args: exactly(1, "the name of a runtime"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
		c, err := use.CheckRuntime(ctx, args[0])
		if err != nil {
			return err
		}
		if t.json {
			if err := t.line(c); err != nil {
				return err
			}
		}
		for _, s := range c.Sentences {
			if !t.json {
				t.print("%s\n", printable(s))
			}
		}
		if !c.OK {
			return errRuntime
		}
		return nil
	})}
}

// runtimeNotice says what an optional runtime is made of, and what its maker asks.
func (t *terminal) runtimeNotice(ctx context.Context, use app.UseCases, name string) error {
	all, err := use.Runtimes(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.Name == name && r.Notice != "" {
			if r.Lacks != "" {
				t.print("%s\n\n", r.Lacks)
			}
			t.print("%s\n\nDownload and install it with\n  referent runtime install %s --accept-licence --download\nor fetch its archives with\n  %s\nand then\n  referent runtime install %s --accept-licence FILE...\n", r.Notice, name, strings.Join(r.Fetch, "\n  "), name)
			return nil
		}
	}
	_, err = use.InstallRuntime(ctx, app.InstallRuntimeRequest{Name: name}, nil)
	return err
}

func (t *terminal) runtimeRemove() *cobra.Command {
	return &cobra.Command{Use: "remove NAME", Short: "Take an optional runtime away", Args: exactly(1, "the name of a runtime"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
		return use.RemoveRuntime(ctx, args[0])
	})}
}

func runtimeLine(r app.RuntimeFolder) string {
	switch {
	case r.Used:
		return string("in use, " + r.Folder)
	case r.Sentence != "":
		return string("not used: " + r.Sentence)
	case r.Folder != "":
		return string("there, " + r.Folder)
	}
	return "can be installed: `referent runtime install " + r.Name + "` says how"
}
