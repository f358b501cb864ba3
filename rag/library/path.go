package library

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"referent/rag"
)

// CleanPath turns what a picker, a drop or a terminal gives into an absolute
// path: a plain path with any signs in it, or a file URL, whose percent signs
// are decoded. The error is an *rag.Error with a sentence.
func CleanPath(text string) (string, error) {
	refuse := func(format string, args ...any) (string, error) {
		return "", &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf(format, args...), Hint: "Give the path of a file or a folder."}
	}
	path := strings.TrimRight(text, "\r\n")
	scheme, rest, isURL := strings.Cut(path, "://")
	switch {
	case strings.TrimSpace(path) == "":
		return refuse("No path was given.")
	case strings.ContainsRune(path, 0):
		return refuse("The path holds a sign that no path can hold.")
	case isURL && strings.EqualFold(scheme, "file"):
		u, err := url.Parse("file://" + rest)
		if err != nil {
			return refuse("%q is not a valid file address.", text)
		}
		if u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
			return refuse("%q is on another computer.", text)
		}
		path = filepath.FromSlash(u.Path)
		if len(path) > 2 && os.PathSeparator == '\\' && path[2] == ':' { // \C:\x
			path = path[1:]
		}
		if path == "" {
			return refuse("%q names no file.", text)
		}
	case isURL && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")):
		return refuse("%q is a web address, not a file.", text)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return refuse("%q is not a valid path.", text)
	}
	return path, nil
}

// within tells whether path is dir or lies below it.
func within(path, dir string) bool {
	if path == dir {
		return true
	}
	if !strings.HasSuffix(dir, string(os.PathSeparator)) {
		dir += string(os.PathSeparator)
	}
	return strings.HasPrefix(path, dir)
}

// fileTitle is the title of a document that names none.
func fileTitle(path string) string {
	name := filepath.Base(path)
	if stem := strings.TrimSuffix(name, filepath.Ext(name)); stem != "" {
		name = stem
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(name, "\uFFFD"), "_", " ")), " ")
}
