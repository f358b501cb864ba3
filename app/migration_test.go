package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
)

// Every data folder that an older version has left opens, and what was in it is
// found: the conversation, the setting, the words of documents that are not on
// this computer any more.
func TestMigrations_DataOfEveryOlderVersionOpens(t *testing.T) {
	versions, err := filepath.Glob(filepath.Join("..", "testdata", "migrations", "v*"))
	if err != nil || len(versions) == 0 {
		t.Fatalf("no kept data folders: %v", err)
	}
	for _, version := range versions {
		t.Run(filepath.Base(version), func(t *testing.T) {
			config := hermetic(t.TempDir())
			config.Host = &models{fake.New(fake.Config{})}
			if err := os.MkdirAll(config.DataDir, 0o700); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"chats.db", "index.db"} {
				body, err := os.ReadFile(filepath.Join(version, name))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(config.DataDir, name), body, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			a, err := app.Open(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := a.Close(); err != nil {
					t.Error(err)
				}
			}()
			conversations, err := a.Conversations(t.Context(), 10)
			if err != nil || len(conversations) != 1 {
				t.Fatalf("%v, %v", conversations, err)
			}
			detail, err := a.Conversation(t.Context(), conversations[0].ID)
			if err != nil || len(detail.Turns) != 1 {
				t.Fatalf("%+v, %v", detail, err)
			}
			turn := detail.Turns[0]
			if turn.Question != "When is the garden watered?" || !strings.Contains(turn.Done.Answer, "before 9 in the morning") ||
				turn.Done.AnswerCheck.Status != "quoted" || len(turn.Done.Citations) != 1 || len(turn.Retrieval.Hits) == 0 {
				t.Errorf("the turn reads %+v", turn)
			}
			found, err := a.Search(t.Context(), app.AskRequest{Question: "compost", Retriever: "bm25"})
			if err != nil || len(found.Hits) == 0 || !strings.Contains(found.Hits[0].Text, "turned in March") {
				t.Errorf("the words of an old document: %+v, %v", found, err)
			}
			settings, err := a.Settings(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range settings {
				if s.Key == "chat.engine" && (s.Value != "expand" || s.Source != "stored") {
					t.Errorf("chat.engine is %s (%s)", s.Value, s.Source)
				}
			}
		})
	}
}
