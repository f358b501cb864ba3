package setting

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"referent/rag"
)

func TestProfiles_EveryValueValidatesAndTheSameKeysAreSet(t *testing.T) {
	var keys []string
	for _, p := range Profiles() {
		canonical, err := ValidateAll(p.Values)
		if err != nil || !maps.Equal(canonical, p.Values) || p.Help == "" {
			t.Errorf("%s: %v %v", p.Name, canonical, err)
		}
		set := slices.Sorted(maps.Keys(p.Values))
		if keys == nil {
			keys = set
		}
		if !slices.Equal(set, keys) {
			t.Errorf("%s sets %v, not %v", p.Name, set, keys)
		}
	}
	if _, err := FindProfile("reckless"); !errors.Is(err, &rag.Error{Code: rag.CodeInvalidSetting}) {
		t.Error(err)
	}
}

func TestProfiles_WhatTheyPromise(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	for name, want := range map[string]map[string]string{
		"careful":  {"chat.engine": "simple", "chat.mode": "strict", "condense.on_failure": "stop", "chat.history": "0"},
		"balanced": {"chat.mode": "auto", "condense.on_failure": "verbatim", "chat.engine": "expand", "retrieve.k": "8"},
		"fast":     {"chat.engine": "simple", "retrieve.k": "5", "answer.max_tokens": "256"},
	} {
		p, err := FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		v := Resolve(p.Values, none)
		for key, value := range want {
			if got := v.Text(key); got != value {
				t.Errorf("%s: %s is %q, want %q", name, key, got, value)
			}
		}
	}
	balanced, _ := FindProfile("balanced")
	for key, value := range balanced.Values {
		if s, _ := Lookup(key); s.Default != value {
			t.Errorf("balanced sets %s to %q, the default is %q", key, value, s.Default)
		}
	}
}

// A profile is stored values: whatever beats those beats a profile.
func TestP65_AProfileIsBeatenByEnvironmentConversationAndRequest(t *testing.T) {
	p, err := FindProfile("careful")
	if err != nil {
		t.Fatal(err)
	}
	v := Resolve(p.Values, func(name string) (string, bool) { return "4", name == "REFERENT_CHAT_HISTORY" })
	if v.Text("chat.history") != "4" || v.Text("chat.mode") != "strict" {
		t.Errorf("environment: %q %q", v.Text("chat.history"), v.Text("chat.mode"))
	}
	v, err = v.With(map[string]string{"chat.mode": "quote"}, FromConversation)
	if err != nil || v.Text("chat.mode") != "quote" {
		t.Errorf("conversation: %q %v", v.Text("chat.mode"), err)
	}
	v, err = v.With(map[string]string{"chat.mode": "generate"}, FromRequest)
	if err != nil || v.Text("chat.mode") != "generate" || v.Text("condense.on_failure") != "stop" {
		t.Errorf("request: %q %v", v.Text("chat.mode"), err)
	}
}
