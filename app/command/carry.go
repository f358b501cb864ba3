package command

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"referent/app"
	"referent/rag"
)

// exportConversation writes what the window's export writes: the stored values
// as JSON, which import takes back, or Markdown with the cited passages.
func (t *terminal) exportConversation() *cobra.Command {
	var format string
	c := &cobra.Command{Use: "export ID", Short: "Write a conversation with its sources to the output", Args: exactly(1, "the number of a conversation")}
	c.Flags().StringVar(&format, "format", "md", "md or json")
	export := t.numbered(func(ctx context.Context, use app.UseCases, id int64, _ []string) error {
		detail, err := use.Conversation(ctx, id)
		if err != nil {
			return err
		}
		if format == "md" {
			t.print("%s", conversationMarkdown(detail))
			return nil
		}
		text, err := json.MarshalIndent(detail, "", "  ")
		if err != nil {
			return err
		}
		t.print("%s\n", text)
		return nil
	})
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if format != "md" && format != "json" {
			return wrongUsage("--format takes md or json, not %q.", format)
		}
		return export(cmd, args)
	}
	return c
}

func (t *terminal) importConversation() *cobra.Command {
	return &cobra.Command{Use: "import FILE", Short: "Take in a conversation that export has written as JSON; - reads the input", Args: exactly(1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			body, err := readImport(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			if _, _, err := app.ReadConversation(body); err != nil {
				return err // before the library is opened
			}
			return t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
				made, err := use.ImportConversation(ctx, string(body))
				if err != nil {
					return err
				}
				return t.showConversation(made)
			})(cmd, args)
		}}
}

// readImport reads one byte more than is taken, so that the refusal of a long
// file is the use case's own.
func readImport(path string, stdin io.Reader) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(stdin, app.ImportBytes+1))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileProblem(path, err)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, app.ImportBytes+1))
	if err != nil {
		return nil, fileProblem(path, err)
	}
	return body, nil
}

func conversationMarkdown(d app.ConversationDetail) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", inline(d.Conversation.Title))
	for _, turn := range d.Turns {
		searched := cmp.Or(turn.Prepared.SearchQuery, turn.Question)
		fmt.Fprintf(&b, "\n## %s\n\n%s · Searched for: %s\n\n%s\n", inline(turn.Question), day(turn.Created), inline(searched), strings.TrimSpace(turn.Done.Answer))
		if turn.Withheld {
			continue
		}
		if list := citedSources(turn); list != "" {
			b.WriteString("\nSources\n\n" + list)
		}
	}
	return b.String()
}

// citedSources lists the passages that the answer cites, by their number.
func citedSources(turn app.StoredTurn) string {
	var cited []rag.Hit
	for _, h := range turn.Retrieval.Hits {
		if h.N > 0 && slices.ContainsFunc(turn.Done.Citations, func(c rag.Citation) bool { return c.N == h.N }) {
			cited = append(cited, h)
		}
	}
	slices.SortFunc(cited, func(a, b rag.Hit) int { return a.N - b.N })
	var b strings.Builder
	for _, h := range cited {
		title := cmp.Or(h.Title, h.Path)
		if at := place(h.Locator); at != "" {
			title += ", " + at
		}
		fmt.Fprintf(&b, "- [%d] %s (%s)\n", h.N, inline(title), inline(h.Path))
	}
	return b.String()
}

// inline makes one line in which nothing is taken for a mark of Markdown.
func inline(s string) string {
	return marks.Replace(strings.Join(strings.Fields(printable(s)), " "))
}

var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "~", `\~`)
