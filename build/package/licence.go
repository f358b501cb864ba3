package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// allowed is every licence, by its SPDX identifier, that may be shipped with an
// Apache-2.0 program: permissive ones, and the font licence for fonts.
var allowed = []string{"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "0BSD", "Zlib", "OFL-1.1", "CC-BY-4.0", "blessing"}

// ways to know a licence by sentences of its text. All must be there; a text
// can be several licences at once.
var marks = []struct {
	id    string
	has   []string
	hasNo []string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}, nil},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy", "without restriction"}, nil},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "endorse or promote"}, nil},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}, []string{"endorse or promote"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that"}, nil},
	{"ISC", []string{"permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted, provided that"}, nil},
	{"OFL-1.1", []string{"sil open font license version 1.1"}, nil},
	{"GPL", []string{"gnu general public license"}, nil},
	{"LGPL", []string{"gnu lesser general public license"}, nil},
	{"AGPL", []string{"gnu affero general public license"}, nil},
	{"MPL", []string{"mozilla public license"}, nil},
	{"EPL", []string{"eclipse public license"}, nil},
	{"CC-BY-4.0", []string{"creative commons attribution 4.0"}, nil},
	{"CC-BY", []string{"creative commons attribution"}, []string{"creative commons attribution 4.0"}},
}

// recognise names the licences of a text, sorted.
func recognise(text string) []string {
	flat := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	var out []string
	for _, m := range marks {
		miss := func(s string) bool { return !strings.Contains(flat, s) }
		if slices.ContainsFunc(m.has, miss) || slices.ContainsFunc(m.hasNo, func(s string) bool { return !miss(s) }) || slices.Contains(out, m.id) {
			continue
		}
		out = append(out, m.id)
	}
	slices.Sort(out)
	return out
}

// licenceNames are how files with a licence or a notice begin, in lower case.
var licenceNames = []string{"licen", "copying", "notice", "copyright", "unlicense", "ofl"}

// readLicence reads the licence files directly in a folder: their texts one
// after the other, and what they are.
func readLicence(dir string) (text string, ids []string, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", nil, err
	}
	var parts []string
	for _, f := range files {
		name := strings.ToLower(f.Name())
		begins := slices.ContainsFunc(licenceNames, func(p string) bool { return strings.HasPrefix(name, p) })
		if f.IsDir() || !begins || slices.Contains([]string{".go", ".js", ".mjs", ".ts"}, filepath.Ext(name)) {
			continue
		}
		body, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return "", nil, err
		}
		parts = append(parts, strings.TrimSpace(strings.ReplaceAll(string(body), "\r", "")))
	}
	text = strings.Join(parts, "\n\n")
	return withoutApache(text), recognise(text), nil
}

// apacheTerms are the terms of the Apache licence from its title to its last
// sentence, with the line that ends them in most copies.
var apacheTerms = regexp.MustCompile(`(?s)[ \n]*Apache License\s+Version 2\.0.*?accepting any such warranty or additional\s+liability\.(\s+END OF TERMS AND CONDITIONS)?\s*`)

// withoutApache replaces the terms of the Apache licence, which every package
// holds once, by a sentence that says where. Notices around them stay.
func withoutApache(text string) string {
	return strings.TrimSpace(apacheTerms.ReplaceAllLiteralString(text, "\n\n"+apacheNotice+"\n\n"))
}

// check refuses a part whose licence is unknown or not on the list.
func check(parts []part) error {
	var errs []error
	for _, p := range parts {
		if len(p.Licences) == 0 || strings.TrimSpace(p.Text) == "" {
			errs = append(errs, fmt.Errorf("%s %s carries no licence that is known. Read its texts, then add the form to licence.go or the part to part.go", p.Name, p.Version))
		}
		for _, id := range p.Licences {
			if !slices.Contains(allowed, id) {
				errs = append(errs, fmt.Errorf("%s %s is under %s, which is not on the list of allowed licences", p.Name, p.Version, id))
			}
		}
	}
	return errors.Join(errs...)
}
