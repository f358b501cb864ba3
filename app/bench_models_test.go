//go:build models && linux

package app_test

import (
	"os"
	"testing"
	"time"

	"referent/app"
	"referent/rag"
)

var asked = []string{
	"Which boiler heats Quay House, and when does its heating season begin?",
	"How high is the deposit for a flat?",
	"How long is the notice period when a tenant ends an open-ended lease?",
	"Who is the caretaker of Mill House?",
}

// BenchmarkMainJob_Answer is a whole turn on real models with one thread: the
// time to the first event, to the first token, and the speed of writing.
func BenchmarkMainJob_Answer(b *testing.B) {
	s := realStory(b)
	s.Ask(asked[3]) // models are loaded, constant prompts evaluated
	var event, token, rate, retrieve float64
	n := 0
	for b.Loop() {
		began := time.Now()
		var first, firstToken time.Duration
		err := s.app.Ask(b.Context(), app.AskRequest{Question: asked[n%len(asked)], NoStore: true}, func(e rag.Event) {
			switch e := e.(type) {
			case rag.Prepared:
				first = time.Since(began)
			case rag.Token:
				if firstToken == 0 {
					firstToken = time.Since(began)
				}
			case rag.Done:
				retrieve += e.LatencyMS.Retrieve
				if e.TokensPerSecond != nil {
					rate += *e.TokensPerSecond
				}
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		event += first.Seconds() * 1000
		token += firstToken.Seconds() * 1000
		n++
	}
	b.ReportMetric(event/float64(n), "first-event-ms")
	b.ReportMetric(token/float64(n), "first-token-ms")
	b.ReportMetric(rate/float64(n), "tokens/s")
	b.ReportMetric(retrieve/float64(n), "retrieve-ms")
}

func BenchmarkMainJob_Search(b *testing.B) {
	s := realStory(b)
	for _, retriever := range []string{"bm25", "dense", "hybrid"} {
		b.Run(retriever, func(b *testing.B) {
			n := 0
			for b.Loop() {
				if _, err := s.app.Search(b.Context(), app.AskRequest{Question: asked[n%len(asked)], Retriever: retriever}); err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
}

func BenchmarkMainJob_Rewrite(b *testing.B) {
	s := realStory(b)
	history := []rag.Message{{Role: "user", Text: asked[0]}, {Role: "assistant", Text: "Quay House is heated by a boiler of the type K-60, and the season begins on 15 September [1]."}}
	for b.Loop() {
		p, err := s.app.Prepare(b.Context(), app.AskRequest{Question: "What pressure must it have when it is cold?", Engine: "condense_context", History: history, GivenHistory: true})
		if err != nil || p.ModelCalls != 1 {
			b.Fatalf("%+v, %v", p, err)
		}
	}
}

// BenchmarkMainJob_Memory reports the resident memory of each process after a
// turn.
func BenchmarkMainJob_Memory(b *testing.B) {
	s := realStory(b)
	for b.Loop() {
		s.Ask(asked[0])
	}
	b.ReportMetric(residentMB(b, os.Getpid()), "owner-MB")
	b.ReportMetric(residentMB(b, childrenOf(b, os.Getpid(), "--role=model")[0]), "model-MB")
}
