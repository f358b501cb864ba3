package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// site is where the set-up works: the clone, the shared cache and the screen.
type site struct {
	root  string // of the clone
	cache string // shared by all clones
	out   *screen
	seen  *hashes
}

func openSite() (*site, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module referent\n") {
		return nil, fmt.Errorf("run this in the folder of the project, the one with go.mod")
	}
	cache, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, fmt.Errorf("the cache folder cannot be made: %w. Set REFERENT_CACHE to a folder that may be written", err)
	}
	return &site{root: root, cache: cache, out: newScreen(os.Stdout), seen: openHashes(filepath.Join(cache, "verified.json"))}, nil
}

func cacheFolder() (string, error) {
	if dir := os.Getenv("REFERENT_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w. Set REFERENT_CACHE", err)
	}
	return filepath.Join(dir, "referent"), nil
}

func (s *site) in(parts ...string) string {
	return filepath.Join(append([]string{s.cache}, parts...)...)
}

func (s *site) at(parts ...string) string {
	return filepath.Join(append([]string{s.root}, parts...)...)
}
