package library

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignoreFiles are read in every folder of a root, in this order; a later rule
// wins. Both have the syntax of .gitignore.
var ignoreFiles = []string{".gitignore", ".referentignore"}

// builtIn are names that hold nothing a person wants to find. Names beginning
// with a dot are ignored besides.
var builtIn = map[string]bool{
	"node_modules": true, "__pycache__": true, "venv": true, "site-packages": true, "bower_components": true, "thumbs.db": true, "desktop.ini": true,
	"$recycle.bin": true, "system volume information": true, "lost+found": true, "ehthumbs.db": true,
}

// builtInEnds are endings of files that are being written or are copies.
var builtInEnds = []string{".tmp", ".part", ".crdownload", ".partial", ".swp", ".swo", "~", ".download"}

// rules decide what of a root is ignored. They grow on the way down.
type rules struct {
	patterns []gitignore.Pattern // by growing weight
	exclude  []gitignore.Pattern // the root's own, above all others
}

func newRules(exclude []string) rules {
	var r rules
	for _, line := range exclude {
		r.exclude = append(r.exclude, gitignore.ParsePattern(line, nil))
	}
	return r
}

// enter returns the rules that hold in dir, whose place below the root is
// relative (nil for the root itself).
func (r rules) enter(dir string, relative []string) rules {
	for _, name := range ignoreFiles {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			continue // most folders have none
		}
		lines := bufio.NewScanner(f)
		patterns := r.patterns[:len(r.patterns):len(r.patterns)] // a sibling must not see ours
		for lines.Scan() {
			if line := strings.TrimRight(lines.Text(), " \t\r"); line != "" && !strings.HasPrefix(line, "#") {
				patterns = append(patterns, gitignore.ParsePattern(line, append([]string{}, relative...)))
			}
		}
		r.patterns = patterns
		_ = f.Close() // only read
	}
	return r
}

// ignores says why a name is ignored; empty when it is not.
func (r rules) ignores(relative []string, isDir bool) string {
	name := relative[len(relative)-1]
	lower := strings.ToLower(name)
	if matched(r.exclude, relative, isDir) {
		return "It is excluded by a pattern of this folder."
	}
	switch {
	case !utf8.ValidString(name):
		return "Its name is not valid text."
	case strings.HasPrefix(name, "."):
		return "Hidden files and folders are left out."
	case builtIn[lower], strings.HasPrefix(name, "~$"), strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"):
		return "Files and folders of this name are left out."
	}
	for _, end := range builtInEnds {
		if !isDir && strings.HasSuffix(lower, end) {
			return "Temporary and unfinished files are left out."
		}
	}
	if matched(r.patterns, relative, isDir) {
		return "It is left out by a .gitignore or .referentignore file."
	}
	return ""
}

func matched(patterns []gitignore.Pattern, relative []string, isDir bool) bool {
	return len(patterns) > 0 && gitignore.NewMatcher(patterns).Match(relative, isDir)
}
