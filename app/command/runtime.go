package command

import (
	"context"
	"path/filepath"
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
	return group("runtime", "The libraries that models run on", list, t.runtimeInstall(), t.runtimeRemove())
}

func (t *terminal) runtimeInstall() *cobra.Command {
	var accept bool
	c := &cobra.Command{Use: "install NAME FILE...", Short: "Install an optional runtime from its archives; without files, say which", Args: cobra.MinimumNArgs(1),
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			if len(args) == 1 || !accept {
				return t.runtimeNotice(ctx, use, args[0])
			}
			req := app.InstallRuntimeRequest{Name: args[0], Accept: accept}
			for _, f := range args[1:] {
				path, err := filepath.Abs(f) // the owner may be in another folder
				if err != nil {
					return err
				}
				req.Archives = append(req.Archives, path)
			}
			watch, clear := t.watchTransfer()
			r, err := use.InstallRuntime(ctx, req, watch)
			clear()
			if err != nil {
				return err
			}
			if t.json {
				return t.line(r)
			}
			t.print("%s is installed in %s. `referent runtime list` shows whether it is used.\n", r.Name, r.Folder)
			return nil
		})}
	c.Flags().BoolVar(&accept, "accept-licence", false, "you have read the notice and accept it")
	return c
}

// runtimeNotice says what an optional runtime is made of, and what its maker asks.
func (t *terminal) runtimeNotice(ctx context.Context, use app.UseCases, name string) error {
	all, err := use.Runtimes(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.Name == name && r.Notice != "" {
			t.print("%s\n\nFetch its archives with\n  %s\nand then\n  referent runtime install %s --accept-licence FILE...\n", r.Notice, strings.Join(r.Fetch, "\n  "), name)
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
