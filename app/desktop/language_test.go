package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"referent/app"
	"referent/app/sentence"
	"referent/rag"
)

// shared is a state that the use cases give to every watcher.
var shared = app.Library{Folders: []app.Folder{{Path: "/home/ada/It is damaged.", Reason: "Reading from this folder is paused."}},
	Progress: app.Progress{Sentence: "No embedding model is loaded. Files are found by their words only."}}

type italianCases struct{ cases }

func (italianCases) Library(context.Context) (app.Library, error) { return shared, nil }
func (italianCases) Status(context.Context) (app.Status, error) {
	return app.Status{Notices: []app.StatusNote{{Kind: "warn", Sentence: "The model worker was started again."}}}, nil
}
func (italianCases) Retry(context.Context, string) error {
	return &rag.Error{Code: rag.CodeLibraryBusy, Message: "The library is paused.", Hint: "Resume it first.", Cause: errors.New("The library is paused.")}
}

func TestLanguage_WhatThePageGetsIsItalian(t *testing.T) {
	c := &italianCases{}
	c.ask = func(_ context.Context, _ app.AskRequest, emit func(rag.Event)) error {
		emit(rag.Prepared{Engine: "condense_context", Status: rag.StatusFailedVerbatim, Reason: rag.ReasonTimeout, OriginalQuery: "The library is paused.", Detail: "The model did not finish within 2.5 seconds."})
		emit(rag.Retrieval{Notes: []string{"The rerank model did not answer. The order is that of hybrid."}})
		emit(rag.Token{Text: "The library is paused."})
		emit(rag.Failed{Err: &rag.Error{Code: rag.CodeModelFailed, Message: "The answer model failed. Nothing was stored.", Hint: "Ask again, or load another model."}})
		return nil
	}
	w, p := newTestWindow(t, c)
	said := func() string {
		t.Helper()
		p.mu.Lock()
		p.events = nil
		p.mu.Unlock()
		if err := w.WindowReady(); err != nil {
			t.Fatal(err)
		}
		if err := w.Ask(Question{ID: "1", Question: "The library is paused."}); err != nil {
			t.Fatal(err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		var out strings.Builder
		for _, e := range p.events {
			body, err := json.Marshal(e.data)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(body)
		}
		body, err := json.Marshal(w.formatError(w.Retry("/x")))
		if err != nil {
			t.Fatal(err)
		}
		return out.String() + string(body)
	}
	english := said()
	if err := w.SetLanguage("it"); err != nil {
		t.Fatal(err)
	}
	italian := said()
	for en, it := range map[string]string{
		"Reading from this folder is paused.":                          "La lettura da questa cartella è in pausa.",
		"Files are found by their words only.":                         "I file si trovano solo con le loro parole.",
		"The model worker was started again.":                          "Il processo dei modelli è stato riavviato.",
		"The model did not finish within 2.5 seconds.":                 "Il modello non ha finito entro 2,5 secondi.",
		"The order is that of hybrid.":                                 "L'ordine è quello di hybrid.",
		"The answer model failed. Nothing was stored.":                 "Il modello che risponde non ha funzionato. Non è stato salvato nulla.",
		`"message":"The library is paused.","hint":"Resume it first."`: `"message":"La libreria è in pausa.","hint":"Prima riprendila."`,
	} {
		if !strings.Contains(english, en) || strings.Contains(english, it) {
			t.Errorf("in English %q is not said", en)
		}
		if !strings.Contains(italian, it) || strings.Contains(italian, en) {
			t.Errorf("in Italian %q is said as before, or not as %q", en, it)
		}
	}
	// What a person or a model wrote, a path and a code stay.
	for _, same := range []string{`"original_query":"The library is paused."`, `"text":"The library is paused."`, "/home/ada/It is damaged.", `"reason":"timeout"`, `"code":"library_busy"`} {
		if !strings.Contains(english, same) || !strings.Contains(italian, same) {
			t.Errorf("%s did not stay as it was", same)
		}
	}
	if err := w.SetLanguage("en"); err != nil {
		t.Fatal(err)
	}
	if again := said(); again != english {
		t.Errorf("back in English it is\n%s\nand was\n%s", again, english)
	}
	if shared.Folders[0].Reason != "Reading from this folder is paused." {
		t.Error("the state of the use cases was changed")
	}
}

// A list of sentences is said like one: what a look at libraries has shown.
func TestLanguage_AListOfSentencesIsItalian(t *testing.T) {
	check := app.RuntimeCheck{Name: "cuda", Sentences: []string{"Every library is the one that this version of the program was made for.", "It finds the graphics processor Card 7."}}
	got := said(sentence.For("it"), check)
	if got.Name != "cuda" || got.Sentences[0] != "Ogni libreria è quella per cui questa versione del programma è fatta." || got.Sentences[1] != "Trova il processore grafico Card 7." {
		t.Errorf("said %q", got.Sentences)
	}
	if check.Sentences[1] != "It finds the graphics processor Card 7." {
		t.Error("the result of the use case was changed")
	}
}
