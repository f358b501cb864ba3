package command

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"referent/app/setting"
)

func (t *terminal) settingsProfile() *cobra.Command {
	return &cobra.Command{Use: "profile [NAME]", Short: "List the profiles, or put one in force",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUsage("`%s` takes the name of one profile.", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return t.listProfiles()
			}
			p, err := setting.FindProfile(args[0])
			if err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			return use.SetSettings(cmd.Context(), p.Values)
		}}
}

func (t *terminal) listProfiles() error {
	for _, p := range setting.Profiles() {
		if t.json {
			if err := t.line(profileLine{p.Name, p.Help, p.Values}); err != nil {
				return err
			}
			continue
		}
		t.print("%s\n    %s\n", t.bold(p.Name), p.Help)
		for _, key := range slices.Sorted(maps.Keys(p.Values)) {
			t.print("    %s = %s\n", key, p.Values[key])
		}
	}
	return nil
}

// profileLine is a profile in JSON.
type profileLine struct {
	Name   string            `json:"name"`
	Help   string            `json:"help"`
	Values map[string]string `json:"values"`
}
