package app_test

import (
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// BenchmarkMainJob_Ours is a whole turn with models that take no time: what is
// left is ours, storing included.
func BenchmarkMainJob_Ours(b *testing.B) {
	s := newStory(b, fake.Config{})
	s.AddFolder(town)
	for b.Loop() {
		if err := s.app.Ask(b.Context(), app.AskRequest{Question: howLong}, func(rag.Event) {}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMainJob_Open(b *testing.B) {
	s := newStory(b, fake.Config{})
	s.AddFolder(town)
	for b.Loop() {
		s.Restart()
	}
}
