package app

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"referent/rag"
)

func (a *App) labPath(parts ...string) string {
	return filepath.Join(append([]string{a.config.DataDir, labFolder}, parts...)...)
}

// ownRuns is the prefix of the ids of runs of one's own tests, which lie in a
// folder of their own.
const ownRuns = "own-"

// idForm is the form of the id of a run: the time of its begin.
var idForm = regexp.MustCompile(`^(own-)?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}\.[0-9]{3}$`)

// stampForm is how runs are named.
const stampForm = "2006-01-02T150405.000"

// runPath finds the file of a run. A full path stands for itself.
func (a *App) runPath(id string) (string, error) {
	path := id
	switch {
	case filepath.IsAbs(id):
	case !idForm.MatchString(id):
		return "", unknownRun(nil)
	case strings.HasPrefix(id, ownRuns):
		path = a.labPath("own", strings.TrimPrefix(id, ownRuns)+".jsonl")
	default:
		path = a.labPath(id + ".jsonl")
	}
	if _, err := os.Stat(path); err != nil {
		return "", unknownRun(err)
	}
	return path, nil
}

// runID is the id of a run by its file: what runPath makes a path of.
func (a *App) runID(path string) string {
	id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	if idForm.MatchString(id) && path == a.labPath(id+".jsonl") {
		return id
	}
	return path
}

func unknownRun(cause error) error {
	return &rag.Error{Code: rag.CodeUnknownDocument, Message: "There is no such run.", Hint: "`referent eval list` shows them.", Cause: cause}
}
