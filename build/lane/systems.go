package main

import (
	"context"
	"os"
	"slices"
	"strings"
)

// systems builds and tries for other systems what this one can: the packages
// without C are vetted for macOS on arm64, the kernels of the index run as
// arm64 under emulation, and the program is built for Windows on x86-64 with
// MinGW. docs/porting.md says what needs a real machine.
func systems(ctx context.Context, r *result) {
	macOS := []string{"GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"}
	out, err := prepare(ctx, macOS, "go", "list", "-tags", tagsPlain, "-f",
		`{{.ImportPath}} {{join .Deps " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`, "./...").Output()
	if pure := withoutC(string(out)); err != nil || len(pure) == 0 {
		r.fail("listing packages for macOS on arm64", string(out))
	} else {
		check(ctx, r, "vet for macOS on arm64", "", macOS, append([]string{"go", "vet", "-tags", tagsPlain}, pure...)...)
	}
	arm := []string{"GOARCH=arm64", "CGO_ENABLED=0"}
	check(ctx, r, "kernels on arm64 under emulation", "", arm, "go", "test", "-tags", tagsPlain, "-vet=off", "-exec", "qemu-aarch64-static", "./rag/vector/...")
	windows := []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=1", "CC=x86_64-w64-mingw32-gcc"}
	check(ctx, r, "the program for Windows on x86-64", "", windows, "go", "build", "-tags", "sqlite_fts5,desktop,production", "-o", "build/bin/referent.exe", ".")
}

// packaged makes the packages out of the built program and tries them on a clean
// Debian, as root: with sudo where the person is somebody else. What it needs of
// the network is kept in the cache.
func packaged(ctx context.Context, r *result) {
	check(ctx, r, "making the packages", "", nil, "go", "run", "./build/package")
	if r.failed > 0 {
		return
	}
	tags := []string{"-tags", tagsPlain + ",package", "-count=1", "-timeout", "40m"}
	goTest(ctx, r, nil, nil, append(tags, "-run", "^TestLintian_", "./build/package")...)
	if os.Geteuid() != 0 {
		if out, err := prepare(ctx, nil, "sudo", "-n", "true").CombinedOutput(); err != nil {
			r.fail("a clean Debian", "it is made by root: run `sudo -v` first, so that sudo asks for no password\n"+string(out)+err.Error())
			return
		}
		keep := "sudo -n env PATH=" + os.Getenv("PATH") + " HOME=" + os.Getenv("HOME") + " REFERENT_CACHE=" + os.Getenv("REFERENT_CACHE")
		tags = append(tags, "-exec", keep)
	}
	goTest(ctx, r, nil, nil, append(tags, "-run", "^TestInstall_", "./build/package")...)
}

// withC are the roots of what another system's C compiler is needed for: SQLite
// and the window.
var withC = []string{"referent/storage", "github.com/mattn/go-sqlite3", "github.com/wailsapp/wails/v2"}

// withoutC takes lines of a package and all that it and its tests import, and
// leaves the packages that reach none of withC.
func withoutC(listing string) []string {
	reach := map[string][]string{}
	for line := range strings.Lines(listing) {
		if fields := strings.Fields(line); len(fields) > 0 {
			reach[fields[0]] = fields[1:]
		}
	}
	refused := func(name string) bool {
		return slices.ContainsFunc(withC, func(root string) bool { return name == root || strings.HasPrefix(name, root+"/") })
	}
	for before := -1; before != len(reach); { // a test may import what was left out a moment ago
		before = len(reach)
		for name, needs := range reach {
			gone := func(other string) bool {
				_, there := reach[other]
				return refused(other) || strings.HasPrefix(other, "referent/") && !there
			}
			if refused(name) || slices.ContainsFunc(needs, gone) {
				delete(reach, name)
			}
		}
	}
	var out []string
	for name := range reach {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
