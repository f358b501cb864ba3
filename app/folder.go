package app

import (
	"log"
	"os"
	"path/filepath"
	"runtime"

	"referent/rag"
)

// DefaultDataDir is the platform's data folder of the program, or
// REFERENT_DATA.
func DefaultDataDir() (string, error) {
	if dir := os.Getenv("REFERENT_DATA"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", &rag.Error{Code: rag.CodeStorageFailed, Message: "The home folder is not known.", Hint: "Name a data folder with --data.", Cause: err}
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "Referent"), nil
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "Referent"), nil
		}
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "referent"), nil
	}
	return filepath.Join(home, ".local", "share", "referent"), nil
}

// CacheDir holds what can be had again: runtimes, starter models, the compiled
// PDF reader. REFERENT_CACHE overrides the platform's place.
func CacheDir() (string, error) {
	if dir := os.Getenv("REFERENT_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", &rag.Error{Code: rag.CodeStorageFailed, Message: "The cache folder is not known.", Hint: "Name one in REFERENT_CACHE.", Cause: err}
	}
	return filepath.Join(dir, "referent"), nil
}

// Log writes one line about a fault to the error output. Callers never pass
// text of documents, questions or answers.
func Log(line string) { log.Print(line) }
