package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// removeCache deletes what the steps put into the shared cache folder, and the
// folder itself if nothing else is in it.
func removeCache(_ context.Context, s *site) (string, error) {
	for _, name := range []string{
		"wheels", "models", "runtime", "fonts", "pdfium", "pdfium.stamp", "pdfium-test.stamp", "npm-llama", "npm-cuda", "demo", "debian", "verified.json",
	} {
		if err := os.RemoveAll(s.in(name)); err != nil {
			return "", err
		}
	}
	if err := os.Remove(s.cache); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Sprintf("emptied %s; files of others stay there", s.cache), nil
	}
	return "removed " + s.cache, nil
}
