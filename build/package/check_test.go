package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/catalogue"
)

// Everything that is linked into the program or bundled into its page is under
// a licence of the list. The texts come from the module cache.
func TestLicences_OfEveryShippedPartAreAllowed(t *testing.T) {
	parts, err := shipped(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, p := range parts {
		kinds[p.Kind]++
	}
	if kinds["go"] < 40 || kinds["npm"] < 20 || kinds["library"] != 3 || kinds["font"] != 1 {
		t.Errorf("only %v parts were found: the list is broken", kinds)
	}
	for _, role := range []inference.Role{inference.RoleAnswer, inference.RoleEmbed} {
		e, ok := catalogue.Starter(role)
		if !ok {
			t.Fatalf("no starter model for %s", role)
		}
		p, err := modelPart(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := check([]part{p}); err != nil {
			t.Error(err)
		}
	}
}

func TestLicences_AreRecognisedByTheirText(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{notice("mit", "Copyright A"), []string{"MIT"}},
		{notice("bsd-3-clause", "Copyright B"), []string{"BSD-3-Clause"}},
		{"Redistribution and use in source and\nbinary forms, with or without modification, are permitted", []string{"BSD-2-Clause"}},
		{"Apache License\n   Version 2.0, January 2004", []string{"Apache-2.0"}},
		{"GNU GENERAL PUBLIC LICENSE Version 3", []string{"GPL"}},
		{"Mozilla Public License Version 2.0", []string{"MPL"}},
		{"Creative Commons Attribution 4.0 International", []string{"CC-BY-4.0"}},
		{"Creative Commons Attribution NonCommercial", []string{"CC-BY"}},
		{"All rights reserved.", nil},
	} {
		if got := recognise(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%.40q is %q, want %q", test.text, got, test.want)
		}
	}
}

func TestLicences_WhatIsNotKnownIsRefused(t *testing.T) {
	for name, p := range map[string]part{
		"no licence":  {Name: "x", Text: "words"},
		"no text":     {Name: "x", Licences: []string{"MIT"}},
		"another one": {Name: "x", Licences: []string{"MIT", "AGPL"}, Text: "words"},
	} {
		if check([]part{p}) == nil {
			t.Errorf("%s passes", name)
		}
	}
}

func TestLicences_TermsOfApacheAreStoredOnce(t *testing.T) {
	terms := "   Apache License\n  Version 2.0, January 2004\n\n1. Definitions.\n\nof your accepting any such warranty or additional liability.\n"
	for _, test := range []struct{ text, want string }{
		{"Copyright 2020 A\n\n" + terms + "\n   END OF TERMS AND CONDITIONS\n\nCopyright 2021 B\n", "Copyright 2020 A\n\n" + apacheNotice + "\n\nCopyright 2021 B"},
		{terms, apacheNotice},
		{"Licensed under the Apache License, Version 2.0", "Licensed under the Apache License, Version 2.0"},
	} {
		if got := withoutApache(test.text); got != test.want {
			t.Errorf("%q", got)
		}
	}
	mit := notice("mit", "Copyright C")
	if withoutApache(mit) != mit {
		t.Error("another licence was changed")
	}
}

func TestELF_DependenciesFollowWhatIsLinked(t *testing.T) {
	libraries := func(names ...string) map[string]bool {
		out := map[string]bool{}
		for _, n := range names {
			out[n] = true
		}
		return out
	}
	for _, test := range []struct {
		name string
		l    linked
		want string // the dependencies, or a part of the refusal
	}{
		{"the program's set", linked{libraries("libc.so.6", "libm.so.6", "libgtk-3.so.0", "libwebkit2gtk-4.1.so.0", "libstdc++.so.6", "libglib-2.0.so.0"), "2.34", "3.4.30"},
			"libc6 (>= 2.34), libffi8, libgtk-3-0, libstdc++6 (>= 12), libwebkit2gtk-4.1-0"},
		{"a symbol between two releases", linked{libraries("libstdc++.so.6"), "2.35", "3.4.26"}, "libffi8, libstdc++6 (>= 9)"},
		{"a C library that is too new", linked{libraries("libc.so.6"), "2.36", "3.4.29"}, "GLIBC 2.36"},
		{"a C++ library that is too new", linked{libraries("libstdc++.so.6"), "2.34", "3.4.32"}, "libstdc++ 3.4.32"},
		{"a library that nothing brings", linked{libraries("libodd.so.1"), "2.34", "3.4.29"}, "libodd.so.1"},
	} {
		got, err := test.l.depends()
		if err != nil && !strings.Contains(err.Error(), test.want) || err == nil && strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
}

func TestELF_VersionsAreNumbers(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{{"2.36", "2.35", true}, {"2.4", "2.35", false}, {"2.35", "2.35", false}, {"2.35.1", "2.35", true}, {"3.4.9", "3.4.10", false}} {
		if newer(test.a, test.b) != test.want {
			t.Errorf("newer(%s, %s)", test.a, test.b)
		}
	}
}
