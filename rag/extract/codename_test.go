package extract

import "testing"

func TestCodeIsToldByNameEndingOrFirstLine(t *testing.T) {
	for path, want := range map[string]bool{
		"/a/Makefile": true, "/a/makefile": true, "Dockerfile": true, ".bashrc": true, "go.mod": true, "CMakeLists.txt": true,
		"a.go": true, "A.PY": true, "deep.d.ts": true, "x.sh.in": true, "b.yaml": true, "c.xml": true, "k.8xp.txt": true,
		"": false, ".": false, "notes": false, "a.rst": false, "LICENSE": false, "a.odt": false, "# names": false, "go": false,
		"letter.wiki": false, "what.py.bak": false, "a\nb": false,
	} {
		if got := isCode(path, []byte("x = 1\n")); got != want {
			t.Errorf("%q: code %v, want %v", path, got, want)
		}
	}
	for head, want := range map[string]bool{"#!/bin/sh\necho": true, "#! /usr/bin/env python3\n": true, "#!": false, "# Heading\n": false, "": false} {
		if got := isCode("run", []byte(head)); got != want {
			t.Errorf("%q: code %v, want %v", head, got, want)
		}
	}
}
