package command

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
	"referent/app/setting"
)

func (t *terminal) settings() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "Show every setting", Args: exactly(0, "no arguments"), RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
		all, err := use.Settings(ctx)
		if err != nil {
			return err
		}
		for _, s := range all {
			if t.json {
				if err := t.line(s); err != nil {
					return err
				}
				continue
			}
			t.showSetting(s)
		}
		return nil
	})}
	get := &cobra.Command{Use: "get KEY", Short: "Show one setting", Args: exactly(1, "a key"), RunE: func(cmd *cobra.Command, args []string) error {
		if _, ok := setting.Lookup(args[0]); !ok { // before anything is opened
			_, err := setting.Validate(args[0], "")
			return err
		}
		use, err := t.open(cmd.Context())
		if err != nil {
			return err
		}
		all, err := use.Settings(cmd.Context())
		if err != nil {
			return err
		}
		for _, s := range all {
			if s.Key != args[0] {
				continue
			}
			if t.json {
				return t.line(s)
			}
			t.print("%s\n", s.Value)
			if s.Notice != "" {
				t.note("%s", s.Notice)
			}
		}
		return nil
	}}
	set := &cobra.Command{Use: "set KEY VALUE", Short: "Change a setting", Args: exactly(2, "a key and a value"), RunE: func(cmd *cobra.Command, args []string) error {
		if _, err := setting.Validate(args[0], args[1]); err != nil {
			return err
		}
		use, err := t.open(cmd.Context())
		if err != nil {
			return err
		}
		return use.SetSettings(cmd.Context(), map[string]string{args[0]: args[1]})
	}}
	reset := &cobra.Command{Use: "reset KEY", Short: "Go back to the default", Args: exactly(1, "a key"), RunE: func(cmd *cobra.Command, args []string) error {
		if _, ok := setting.Lookup(args[0]); !ok {
			_, err := setting.Validate(args[0], "")
			return err
		}
		use, err := t.open(cmd.Context())
		if err != nil {
			return err
		}
		return use.ResetSetting(cmd.Context(), args[0])
	}}
	return group("settings", "List, get, set and reset settings", list, get, set, reset, t.settingsProfile())
}

func (t *terminal) showSetting(s app.Setting) {
	mark := ""
	if s.Source != "default" {
		mark = " (" + s.Source + ", default " + s.Default + ")"
	}
	t.print("%s = %s%s\n", t.bold(s.Key), strings.TrimSpace(s.Value+" "+string(s.Unit)), mark)
	t.print("    %s\n", s.Help)
	if s.Notice != "" {
		t.print("    %s\n", s.Notice)
	}
}
