package command

import (
	"context"

	"github.com/spf13/cobra"

	"referent/app"
	"referent/rag"
)

func (t *terminal) branchConversation() *cobra.Command {
	return &cobra.Command{Use: "branch ID TURN", Short: "Copy a conversation up to and with a turn, to go on from there",
		Args: exactly(2, "the number of a conversation and the place of a turn in it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ordinal, err := number(args[1])
			if err != nil {
				return err
			}
			return t.numbered(func(ctx context.Context, use app.UseCases, id int64, _ []string) error {
				c, err := use.BranchConversation(ctx, id, int(ordinal))
				if err != nil {
					return err
				}
				return t.showConversation(c)
			})(cmd, args)
		}}
}

func (t *terminal) setConversation() *cobra.Command {
	var engine, mode, collection, under string
	var history int
	var types []string
	var reset bool
	c := &cobra.Command{Use: "set ID", Short: "Choose engine, mode, history and scope for one conversation", Args: exactly(1, "the number of a conversation")}
	fs := c.Flags()
	c.RunE = t.numbered(func(ctx context.Context, use app.UseCases, id int64, _ []string) error {
		detail, err := use.Conversation(ctx, id)
		if err != nil {
			return err
		}
		o := detail.Conversation.Options
		if reset {
			o = app.ConversationOptions{}
		}
		changed := fs.Changed
		if changed("engine") {
			o.Engine = engine
		}
		if changed("mode") {
			o.Mode = mode
		}
		if changed("generation-history") {
			o.History = &history
		}
		if changed("collection") {
			o.Scope.Collections = nil
			if collection != "" {
				o.Scope.Collections = []string{collection}
			}
		}
		if changed("path-under") {
			o.Scope.PathUnder = under
		}
		if changed("type") {
			o.Scope.Types = types
		}
		if err := use.SetConversationOptions(ctx, id, o); err != nil {
			return err
		}
		detail, err = use.Conversation(ctx, id)
		if err != nil {
			return err
		}
		if t.json {
			return t.line(detail.Conversation)
		}
		t.print("%s\n", optionsText(detail.Conversation.Options))
		return nil
	})
	fs.StringVar(&engine, "engine", "", "chat engine; empty: the stored setting")
	fs.StringVar(&mode, "mode", "", "answer mode; empty: the stored setting")
	fs.IntVar(&history, "generation-history", 0, "earlier messages that the answer model sees")
	fs.StringVar(&collection, "collection", "", "search this collection only; empty: all")
	fs.StringVar(&under, "path-under", "", "search below this folder only; empty: everywhere")
	fs.StringSliceVar(&types, "type", nil, "search these kinds of file only")
	fs.BoolVar(&reset, "reset", false, "forget what was chosen before")
	return c
}

// optionsText says what counts for a conversation alone.
func optionsText(o app.ConversationOptions) string {
	text := "engine: " + orSetting(o.Engine) + ", mode: " + orSetting(o.Mode) + ", history: "
	if o.History == nil {
		text += orSetting("")
	} else {
		text += itoa(*o.History)
	}
	return text + ", searched: " + scopeText(o.Scope)
}

func orSetting(s string) string {
	if s == "" {
		return "as set"
	}
	return s
}

// wholeLibrary is the text of a scope that leaves nothing out.
const wholeLibrary = "the whole library"

func scopeText(s rag.Scope) string {
	text := ""
	add := func(what string) {
		if text != "" {
			text += ", "
		}
		text += what
	}
	for _, c := range s.Collections {
		add("collection " + printable(c))
	}
	if s.PathUnder != "" {
		add(printable(s.PathUnder))
	}
	for _, kind := range s.Types {
		add(kind + " files")
	}
	if len(s.Documents) > 0 {
		add(itoa(len(s.Documents)) + " documents")
	}
	if text == "" {
		return wholeLibrary
	}
	return text
}
