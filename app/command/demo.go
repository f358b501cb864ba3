package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"referent/app"
	"referent/app/setting"
	"referent/rag"
)

// demoEngine is what the demo asks with, so that a follow-up shows its rewrite.
const demoEngine = "condense_context"

// demo runs the main job in the terminal: a library is read and a conversation
// is asked on real models.
func (t *terminal) demo() *cobra.Command {
	return &cobra.Command{Use: "demo LIBRARY CONVERSATION", Short: "Read a sample library and ask a sample conversation", Hidden: true,
		Args: exactly(2, "a folder and a conversation file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := mustExist(args); err != nil {
				return err
			}
			questions, err := readConversation(args[1])
			if err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			t.print("%s\n", t.bold("Reading the sample library"))
			if err := t.addAndSync(cmd.Context(), use, app.AddRequest{Paths: args[:1]}); err != nil {
				return err
			}
			status, err := use.Status(cmd.Context())
			if err != nil {
				return err
			}
			t.print("%d documents, %d passages, %d with vectors\n\n", status.Index.Documents, status.Index.Chunks, status.Index.VectorsDone)
			shipped, _ := setting.Lookup("chat.engine")
			t.print("Asked with the engine %s, so that follow-ups show their rewrite. The shipped default is %s.\n", demoEngine, shipped.Default)
			var history []rag.Message
			for i, q := range questions {
				t.print("\n%s\n", t.bold(fmt.Sprintf("%d. %s", i+1, q)))
				done, err := t.turn(cmd.Context(), use, app.AskRequest{Question: q, Engine: demoEngine, History: history, GivenHistory: true, NoStore: true})
				if err != nil && !errors.Is(err, errRefused) {
					return err
				}
				history = append(history, rag.Message{Role: "user", Text: q}, rag.Message{Role: "assistant", Text: done.Answer})
			}
			t.print("\n%s\n", t.bold("What next"))
			t.print("  The window: run `make run` where there is a display.\n")
			t.print("  Your own folder: build/bin/referent ask --add FOLDER \"your question\"\n")
			return nil
		}}
}

// readConversation returns the questions of a conversation file.
func readConversation(path string) ([]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fileProblem(path, err)
	}
	var c struct {
		Turns []struct {
			Question string `json:"question"`
		} `json:"turns"`
	}
	if err := json.Unmarshal(raw, &c); err != nil || len(c.Turns) == 0 {
		return nil, wrongUsage("%s is not a conversation file.", path)
	}
	var out []string
	for _, turn := range c.Turns {
		out = append(out, turn.Question)
	}
	return out, nil
}
