package main

import (
	"context"
	"os"
	"strings"
)

const bindingsFolder = "frontend/src/wailsjs"

// generateBindings writes the TypeScript side of the bound methods. They are
// made by running the program built with the tag bindings in the root of the
// clone; in that mode it opens no window and no data folder.
func generateBindings(ctx context.Context, s *site) (string, error) {
	inputs, err := digest(s.root, isGoInput, "app", "rag", "inference", "storage", "main.go", "go.mod", "go.sum", "wails.json")
	if err != nil {
		return "", err
	}
	before, err := digest(s.root, everything, bindingsFolder)
	if err != nil {
		return "", err
	}
	if s.stampIs("bindings", inputs+before) {
		return "the generated bindings are up to date", nil
	}
	// The embed of frontend/dist needs a file before the first build.
	if err := os.MkdirAll(s.at("frontend", "dist"), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(s.at("frontend", "dist", ".gitkeep"), nil, 0o644); err != nil {
		return "", err
	}
	program := s.at("build", "bin", "bindings")
	build := watched{step: "bindings", what: "building the generator", dir: s.root}
	if err := build.run(ctx, s, "go", "build", "-trimpath", "-buildvcs=false", "-tags", "bindings,webkit2_41,sqlite_fts5", "-o", program, "."); err != nil {
		return "", err
	}
	if err := (watched{step: "bindings", what: "generating", dir: s.root}).run(ctx, s, program); err != nil {
		return "", err
	}
	after, err := digest(s.root, everything, bindingsFolder)
	if err != nil {
		return "", err
	}
	if err := s.setStamp("bindings", inputs+after); err != nil {
		return "", err
	}
	if before != after {
		return "wrote " + bindingsFolder, nil
	}
	return "the generated bindings did not change", nil
}

func isGoInput(path string) bool {
	return (strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")) || !strings.Contains(path, "/")
}
