package command

import (
	"context"

	"github.com/spf13/cobra"

	"referent/app"
)

func (t *terminal) tags() *cobra.Command {
	change := func(name, short string, run func(app.UseCases, context.Context, app.TagsChange) error) *cobra.Command {
		return &cobra.Command{Use: name + " PATH TAG…", Short: short, Args: atLeast(2, "a path and tags"),
			RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
				place, err := fromHere(args[0])
				if err != nil {
					return err
				}
				return run(use, ctx, app.TagsChange{Path: place[0], Tags: args[1:]})
			})}
	}
	list := &cobra.Command{Use: "list [PATH]", Short: "List the tags of all files, or of a file or folder", Args: func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return wrongUsage("`%s` takes one path, or none.", cmd.CommandPath())
		}
		return nil
	},
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			place := []string{""}
			if len(args) > 0 {
				var err error
				if place, err = fromHere(args[0]); err != nil {
					return err
				}
			}
			all, err := use.Tags(ctx, place[0])
			if err != nil {
				return err
			}
			if len(all) == 0 && !t.json {
				t.note("No tags here. `referent tag add PATH TAG` gives one.")
			}
			for _, tag := range all {
				if t.json {
					if err := t.line(tag); err != nil {
						return err
					}
					continue
				}
				t.print("%s  %d\n", printable(tag.Name), tag.Files)
			}
			return nil
		})}
	return group("tag", "Tags of files, for searches that look at some files only",
		change("add", "Give a file, or all files of a folder, tags", app.UseCases.AddTags),
		change("remove", "Take tags away", app.UseCases.RemoveTags), list)
}
