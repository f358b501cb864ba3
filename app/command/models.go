package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
)

func (t *terminal) models() *cobra.Command {
	var filter app.CatalogueFilter
	list := &cobra.Command{Use: "list [WORD...]", Short: "Show the models and what plays which role", RunE: t.with(func(ctx context.Context, use app.UseCases, words []string) error {
		m, err := use.Models(ctx)
		if err != nil {
			return err
		}
		if filter.Role != "" && !slices.ContainsFunc(m.Roles, func(r app.ModelState) bool { return r.Role == filter.Role }) {
			return wrongUsage("There is no role %q. The roles are answer, condense, embed and rerank.", filter.Role)
		}
		filter.Words = strings.Join(words, " ")
		if m.Catalogue = filter.Choose(m.Catalogue); len(m.Catalogue) == 0 {
			t.note("No model is like that. `referent models list` shows all of them.")
		}
		if t.json {
			return t.line(m)
		}
		for _, r := range m.Roles {
			t.print("%-9s %s\n", r.Role, modelLine(r))
		}
		t.print("\n")
		for _, c := range m.Catalogue {
			t.print("%-42s %-16s %8s  %-16s %s\n", printable(c.ID), strings.Join(c.Roles, ", "), gigabytes(c.SizeBytes), runsHow(c.Class), installedHow(c))
		}
		return nil
	})}
	list.Flags().StringVar(&filter.Role, "role", "", "only models that can play this role")
	list.Flags().BoolVar(&filter.Fits, "fits", false, "only models that this machine can run")
	load := &cobra.Command{Use: "load ROLE ID", Short: "Load a model for a role in the running program", Args: exactly(2, "a role and the name of a model"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
		return use.LoadModel(ctx, args[0], args[1])
	})}
	unload := &cobra.Command{Use: "unload ROLE", Short: "Free a role's memory in the running program", Args: exactly(1, "a role"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
		return use.UnloadModel(ctx, args[0])
	})}
	return group("models", "Models and their roles", list, load, unload, t.modelsPull(), t.modelsPause(), t.modelsImport(), t.modelsFit(), t.modelsVerify(),
		t.modelsRemove(), t.modelsRemote())
}

// runsHow says in a few words how a model would run here.
func runsHow(class string) string {
	switch class {
	case "gpu":
		return "fits the GPU"
	case "split":
		return "partly on GPU"
	case "cpu":
		return "processor"
	}
	return "too large"
}

func installedHow(c app.CatalogueRow) string {
	switch {
	case c.Transfer != nil && c.Transfer.State == "paused":
		return fmt.Sprintf("paused, %s are here", bytesText(c.Transfer.Done))
	case c.Transfer != nil:
		return "is being downloaded"
	case c.Installed && c.Proof == "server":
		return "installed, compared with the server's checksum"
	case c.Installed && c.Proof == "none":
		return "installed, not compared with anything"
	case c.Installed:
		return "installed"
	case c.Downloadable:
		return "can be downloaded"
	}
	return "can be imported"
}

func modelLine(m app.ModelState) string {
	switch {
	case m.Remote != "":
		return fmt.Sprintf("%s on %s: texts leave this computer", m.Name, m.Remote)
	case m.State == "loading":
		return fmt.Sprintf("%s, loading, %.0f %%", m.Name, m.Loading*100)
	case m.State == "loaded":
		return strings.TrimSpace(fmt.Sprintf("%s, %s in memory, %d of %d layers on GPU (%s), %d threads. %s", m.Name, gigabytes(m.Bytes), m.GPULayers, m.Layers, m.Runtime, m.Threads, m.Note))
	case m.Note != "":
		return strings.TrimSpace(string(m.Name + " " + m.Note))
	case m.Name != "":
		return string(m.Name) + ", loaded when it is needed"
	}
	return "none"
}

func gigabytes(n int64) string { return fmt.Sprintf("%.2f GB", float64(n)/1e9) }
