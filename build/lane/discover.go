package main

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// named is a test function and the folder of its package, as an argument of go
// test.
type named struct{ pkg, name string }

var function = regexp.MustCompile(`^func ((?:Test|Fuzz|Benchmark)\w*)\(`)

// functions lists the test functions under root with a prefix, in files that
// keep accepts by their build constraint ("" without one).
func functions(root, prefix string, keep func(constraint string) bool) ([]named, error) {
	var out []named
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || name == "testdata" || (name != "." && strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		constraint, names, err := scan(path)
		if err != nil || !keep(constraint) {
			return err
		}
		for _, n := range names {
			if strings.HasPrefix(n, prefix) && n != "TestMain" {
				out = append(out, named{"./" + filepath.ToSlash(filepath.Dir(path)), n})
			}
		}
		return nil
	})
	return out, err
}

func scan(path string) (constraint string, names []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if c, ok := strings.CutPrefix(lines.Text(), "//go:build "); ok && constraint == "" {
			constraint = c
		}
		if m := function.FindStringSubmatch(lines.Text()); m != nil {
			names = append(names, m[1])
		}
	}
	return constraint, names, lines.Err()
}

// wants reports whether a build constraint asks for the tag.
func wants(tag string) func(string) bool {
	word := regexp.MustCompile(`(^|[^!\w])` + regexp.QuoteMeta(tag) + `($|\W)`)
	return func(constraint string) bool { return word.MatchString(constraint) }
}

// arguments turns functions into -run and the packages.
func arguments(list []named) (run string, packages []string) {
	var names []string
	for _, f := range list {
		names = append(names, f.name)
		packages = append(packages, f.pkg)
	}
	slices.Sort(names)
	slices.Sort(packages)
	return "^(" + strings.Join(slices.Compact(names), "|") + ")$", slices.Compact(packages)
}

// packagesWith lists the packages whose tests contain a text.
func packagesWith(text string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || path == "build" || (path != "." && strings.HasPrefix(d.Name(), "."))) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), text) {
			out = append(out, "./"+filepath.ToSlash(filepath.Dir(path)))
		}
		return err
	})
	slices.Sort(out)
	return slices.Compact(out), err
}
