package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
)

func (t *terminal) models() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "Show the models and what plays which role", Args: exactly(0, "no arguments"), RunE: func(cmd *cobra.Command, _ []string) error {
		use, err := t.open(cmd.Context())
		if err != nil {
			return err
		}
		m, err := use.Models(cmd.Context())
		if err != nil {
			return err
		}
		if t.json {
			return t.line(m)
		}
		for _, r := range m.Roles {
			t.print("%-9s %s\n", r.Role, modelLine(r))
		}
		t.print("\n")
		for _, c := range m.Catalogue {
			state := "not installed"
			if c.Installed {
				state = "installed"
			}
			t.print("%-42s %-16s %8s  %s\n", c.ID, strings.Join(c.Roles, ", "), gigabytes(c.SizeBytes), state)
		}
		return nil
	}}
	load := &cobra.Command{Use: "load ROLE ID", Short: "Load a model for a role in the running program", Args: exactly(2, "a role and the name of a model"), RunE: func(cmd *cobra.Command, args []string) error {
		use, err := t.open(cmd.Context())
		if err != nil {
			return err
		}
		return use.LoadModel(cmd.Context(), args[0], args[1])
	}}
	unload := &cobra.Command{Use: "unload ROLE", Short: "Free a role's memory in the running program", Args: exactly(1, "a role"), RunE: func(cmd *cobra.Command, args []string) error {
		use, err := t.open(cmd.Context())
		if err != nil {
			return err
		}
		return use.UnloadModel(cmd.Context(), args[0])
	}}
	return group("models", "Models and their roles", list, load, unload, later("pull", "Download a model"), later("import", "Take a model file"),
		later("fit", "Show what would fit"), later("verify", "Check the model files"), later("remove", "Delete a model file"))
}

func modelLine(m app.ModelState) string {
	switch {
	case m.State == "loading":
		return fmt.Sprintf("%s, loading, %.0f %%", m.Name, m.Loading*100)
	case m.State == "loaded":
		return fmt.Sprintf("%s, %d of %d layers on GPU (%s), %d threads. %s", m.Name, m.GPULayers, m.Layers, m.Runtime, m.Threads, m.Note)
	case m.Note != "":
		return strings.TrimSpace(string(m.Name + " " + m.Note))
	case m.Name != "":
		return string(m.Name) + ", loaded when it is needed"
	}
	return "none"
}

func gigabytes(n int64) string { return fmt.Sprintf("%.2f GB", float64(n)/1e9) }
