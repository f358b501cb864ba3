package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// vault adds a folder that is restricted, and returns it.
func (s *story) vault() string {
	s.t.Helper()
	vault := filepath.Join(filepath.Dir(s.docs), "vault")
	if err := os.MkdirAll(vault, 0o755); err != nil {
		s.t.Fatal(err)
	}
	s.Add(app.AddRequest{Paths: []string{vault}, Restricted: true})
	return vault
}

// hidings are the ways in which the bridge's file becomes restricted without
// anybody setting its label.
var hidings = map[string]func(s *story){
	"added again as restricted": func(s *story) { s.Add(app.AddRequest{Paths: []string{s.docs}, Restricted: true}) },
	"moved into a restricted folder": func(s *story) {
		if err := os.Rename(s.Path("bridge.md"), filepath.Join(s.vault(), "bridge.md")); err != nil {
			s.t.Fatal(err)
		}
		s.Sync()
	},
	"removed and added as restricted": func(s *story) {
		if err := s.app.Remove(s.t.Context(), app.RemoveRequest{Paths: []string{s.docs}}); err != nil {
			s.t.Fatal(err)
		}
		s.Add(app.AddRequest{Paths: []string{s.docs}, Restricted: true})
	},
}

// Nobody has opened the conversation since: the search over conversations finds
// nothing of it all the same, and opening it shows nothing.
func TestP68_WhatBecameRestrictedByItselfIsFoundInNoConversation(t *testing.T) {
	for name, hide := range hidings {
		t.Run(name, func(t *testing.T) {
			s := newStory(t, fake.Config{})
			s.Write(town)
			s.Add(app.AddRequest{Paths: []string{s.docs}})
			s.Ask(howLong)
			if found, err := s.app.SearchConversations(t.Context(), "metres"); err != nil || len(found) != 1 {
				t.Fatalf("nothing to hide: %+v, %v", found, err)
			}
			hide(s)
			found, err := s.app.SearchConversations(t.Context(), "metres")
			if err != nil || len(found) != 0 {
				t.Errorf("a search finds %+v, %v", found, err)
			}
			s.expectSilence("the conversation", s.Reloaded())
		})
	}
}

// Regenerated with the same evidence, a hidden turn hands on neither passages nor
// what was searched for.
func TestP62P68_AHiddenTurnHandsNothingOn(t *testing.T) {
	for name, hide := range hidings {
		t.Run(name, func(t *testing.T) {
			s := newStory(t, fake.Config{})
			s.AddFolder(town)
			if _, err := s.AskWith(t.Context(), app.AskRequest{Question: "How long is it?", EditedQuery: "Harlow Bridge 320 metres"}); err != nil {
				t.Fatal(err)
			}
			turn := s.lastTurn()
			hide(s)
			if _, err := s.AskWith(t.Context(), app.AskRequest{Again: &turn.ID, SameEvidence: true}); err != nil {
				t.Fatal(err)
			}
			s.expectSilence("the new turn", s.events)
			s.expectSilence("the conversation", s.Reloaded())
		})
	}
}

// The notes, steps and sources of a hidden turn name the document too.
func TestP68_AWithheldTurnIsSilent(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask("What is the boiler manual about?")
	if b, _ := json.Marshal(s.lastTurn()); !strings.Contains(string(b), "“Boiler manual” was read as a whole") {
		t.Fatalf("nothing to hide in %s", b)
	}
	s.Restrict(s.Path("boiler.md"))
	turn := s.lastTurn()
	if b, _ := json.Marshal(turn); strings.Contains(string(b), "Boiler manual") || strings.Contains(string(b), "boiler.md") || !turn.Withheld {
		t.Errorf("%s", b)
	}
	if turn.Prepared.Searched() != turn.Question || len(turn.Done.Sources)+len(turn.Retrieval.Notes) != 0 || turn.Done.AnswerCheck.Status != rag.CheckWithheld {
		t.Errorf("%+v", turn)
	}
}

// A passage that left a public file for a restricted one is shown no more, though
// its old file is still public.
func TestP68_TextThatOnlyARestrictedFileHoldsNowIsHidden(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	if err := os.WriteFile(filepath.Join(s.vault(), "bridge.md"), []byte(town["bridge.md"]), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Write(map[string]string{"bridge.md": "# Bridge\n\nNothing is known of it.\n"})
	s.Sync()
	if found, err := s.app.SearchConversations(t.Context(), "metres"); err != nil || len(found) != 0 {
		t.Errorf("a search finds %+v, %v", found, err)
	}
	s.expectSilence("the conversation", s.Reloaded())
}
