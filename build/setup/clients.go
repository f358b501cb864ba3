package main

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"strings"
)

//go:embed clients.txt
var clientTable string

// clientRows splits the table into requirements of pip and packages of npm.
func clientRows(table string) (python, node []string) {
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		name, forNode := strings.CutPrefix(line, "node ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case forNode:
			node = append(node, name)
		default:
			python = append(python, line)
		}
	}
	return python, node
}

// installClients puts the official clients of OpenAI and MCP, with which the
// tests ask, into the cache: pip and npm fetch exactly the listed versions.
func installClients(ctx context.Context, s *site) (string, error) {
	dir, done := s.in("clients"), s.in("clients", "table.txt")
	if old, err := os.ReadFile(done); err == nil && string(old) == clientTable {
		return "the clients are there", nil
	}
	if err := os.RemoveAll(dir); err != nil { // of another table, or half there
		return "", err
	}
	python, node := clientRows(clientTable)
	if err := os.MkdirAll(filepath.Join(dir, "node"), 0o755); err != nil {
		return "", err
	}
	pip := append([]string{"-m", "pip", "install", "--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--disable-pip-version-check", "--progress-bar", "off",
		"--target", filepath.Join(dir, "python")}, python...)
	if err := (watched{step: "clients", what: "installing those for Python"}).run(ctx, s, "python3", pip...); err != nil {
		return "", err
	}
	npm := append([]string{"install", "--prefix", filepath.Join(dir, "node"), "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"}, node...)
	if err := (watched{step: "clients", what: "installing those for JavaScript"}).run(ctx, s, "npm", npm...); err != nil {
		return "", err
	}
	return "installed the clients of others that the tests use", os.WriteFile(done, []byte(clientTable), 0o644)
}
