package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A stamp remembers the inputs of a step by their content, so that the step is
// left out while they are the same. Stamps of a clone lie in build/.stamps.

// digest hashes names and contents of files. A folder stands for all files
// below it that pass keep. Missing paths count as empty.
func digest(root string, keep func(path string) bool, paths ...string) (string, error) {
	sum := sha256.New()
	for _, p := range paths {
		err := filepath.WalkDir(filepath.Join(root, p), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				if os.IsNotExist(err) {
					return nil
				}
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			if d.IsDir() {
				if d.Name() == "node_modules" || d.Name() == "paraglide" {
					return fs.SkipDir // fetched or generated
				}
				return nil
			}
			if !d.Type().IsRegular() || !keep(rel) {
				return nil
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%s %d\n", rel, len(b))
			sum.Write(b)
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func everything(string) bool { return true }

func (s *site) stampIs(name, value string) bool {
	b, err := os.ReadFile(s.at("build", ".stamps", name))
	return err == nil && strings.TrimSpace(string(b)) == value
}

func (s *site) setStamp(name, value string) error {
	if err := os.MkdirAll(s.at("build", ".stamps"), 0o755); err != nil {
		return err
	}
	return os.WriteFile(s.at("build", ".stamps", name), []byte(value+"\n"), 0o644)
}
