package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// part is one work that is shipped with the program.
type part struct {
	Name, Version string
	From          string   // where it comes from: an address or a package URL
	Licences      []string // SPDX identifiers
	Text          string   // of its licence and notices
	Kind          string   // go | npm | library | model | font
	SHA256        string   // of a file that is packed as it is; empty otherwise
}

// windowTags are those of the shipped program; another set links other modules.
const windowTags = "desktop,production,webkit2_41,sqlite_fts5"

// shipped lists every part of the project in root but the models, sorted, each
// with the text of its licence. It refuses what is not allowed.
func shipped(root string) ([]part, error) {
	modules, err := goModules(root)
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages(filepath.Join(root, "frontend"))
	if err != nil {
		return nil, err
	}
	parts := slices.Concat(modules, packages, besides())
	slices.SortStableFunc(parts, func(a, b part) int { return strings.Compare(a.Kind+a.Name, b.Kind+b.Name) })
	return parts, check(parts)
}

// stated are modules and packages that do not say their licence where a machine
// finds it: what their repository says.
var stated = map[string]part{
	"svelte-toolbelt":         {Licences: []string{"MIT"}, Text: notice("mit", "Copyright (c) 2024 Hunter Johnston")},
	"github.com/leaanthony/u": {Licences: []string{"MIT"}, Text: notice("mit", "Copyright (c) 2023 Lea Anthony")},
}

// goModules reads the modules that are linked into the program, and the licence
// of each in the module cache.
func goModules(root string) ([]part, error) {
	cmd := exec.Command("go", "list", "-tags", windowTags, "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
	cmd.Dir = root
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, complaint.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	var parts []part
	for _, line := range slices.Compact(lines) {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			continue // a package of the standard library gives an empty line
		}
		p := part{Name: fields[0], Version: fields[1], From: "pkg:golang/" + fields[0] + "@" + fields[1], Kind: "go"}
		if p.Text, p.Licences, err = readLicence(fields[2]); err != nil {
			return nil, err
		}
		if s, ok := stated[p.Name]; ok && p.Text == "" {
			p.Text, p.Licences = s.Text, s.Licences
		}
		parts = append(parts, p)
	}
	library := part{Name: "go", Version: runtime.Version(), From: "https://go.dev", Kind: "go"}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	if library.Text, library.Licences, err = readLicence(strings.TrimSpace(string(goroot))); err != nil {
		return nil, err
	}
	return append(parts, library), nil
}

// compiledIn are packages that only the build needs and that leave code of
// theirs in the page; commandOnly are needed by the commands of a package, which
// the page does not hold.
var (
	compiledIn  = []string{"@inlang/paraglide-js"}
	commandOnly = []string{"argparse"} // of markdown-it
)

// npmPackages reads the lock file of the frontend: what the page is made of,
// without tools.
func npmPackages(dir string) ([]part, error) {
	body, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev, Optional    bool
			DevOptional      bool
		}
	}
	if err := json.Unmarshal(body, &lock); err != nil {
		return nil, err
	}
	var parts []part
	for at, row := range lock.Packages {
		name := at
		if i := strings.LastIndex(at, "node_modules/"); i >= 0 {
			name = at[i+len("node_modules/"):]
		}
		if at == "" || slices.Contains(commandOnly, name) || (row.Dev || row.DevOptional || row.Optional) && !slices.Contains(compiledIn, name) {
			continue
		}
		if row.License == "" {
			row.License = strings.Join(stated[name].Licences, "")
		}
		p := part{Name: name, Version: row.Version, From: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + row.Version, Licences: []string{row.License}, Kind: "npm", Text: "Licence: " + row.License}
		if text, _, err := readLicence(filepath.Join(dir, filepath.FromSlash(at))); err == nil && text != "" {
			p.Text = text
		}
		parts = append(parts, p)
	}
	return parts, nil
}

//go:embed files/*.txt
var texts embed.FS

// notice is a licence text below the names of those who hold the rights.
func notice(licence string, holders ...string) string {
	body, err := texts.ReadFile(path.Join("files", licence+".txt"))
	if err != nil {
		panic(err) // the name is a constant of this package
	}
	return strings.Join(holders, "\n") + "\n\n" + strings.TrimSpace(string(body))
}

// apacheNotice stands for the long text, which is in the package once.
const apacheNotice = "Licensed under the Apache License, Version 2.0. Its text is in /usr/share/common-licenses/Apache-2.0 on Debian, and in the file LICENSE of the portable folder."

// besides lists what is neither a Go module nor part of the page. Models are
// added with their files.
func besides() []part {
	return []part{
		{Name: "llama.cpp and ggml", Version: "v0.5.0", From: "https://github.com/ggml-org/llama.cpp", Kind: "library", Licences: []string{"MIT"}, Text: notice("mit", "Copyright (c) 2023-2026 The ggml authors")},
		{Name: "PDFium", Version: "in go-pdfium", From: "https://pdfium.googlesource.com/pdfium", Kind: "library", Licences: []string{"Apache-2.0", "BSD-3-Clause"}, Text: notice("bsd-3-clause", "Copyright 2014 The PDFium Authors") + "\n\nParts: " + apacheNotice},
		{Name: "SQLite", Version: "3.54 in go-sqlite3", From: "https://sqlite.org", Kind: "library", Licences: []string{"blessing"}, Text: "The authors of SQLite have given it to the public domain."},
		{Name: "Droid Sans Fallback", Version: "from fonts-droid-fallback", From: "https://android.googlesource.com/platform/frameworks/base", Kind: "font", Licences: []string{"Apache-2.0"}, Text: "Copyright (C) 2008 The Android Open Source Project\n\n" + apacheNotice},
	}
}
