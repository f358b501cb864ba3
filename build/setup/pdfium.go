package main

import (
	"context"
	"os"
	"runtime"
)

// warmPDF compiles the PDF reader's WebAssembly module into the cache, which
// takes seconds that no test and no first file should pay.
func warmPDF(ctx context.Context, s *site) (string, error) {
	return warmPDFFor(ctx, s, "pdfium.stamp", "")
}

// warmPDFForTests does the same for test programs: wazero keeps one cache for
// each version of itself, and a test program's build information has none, so
// that wazero falls back to the version "dev".
func warmPDFForTests(ctx context.Context, s *site) (string, error) {
	return warmPDFFor(ctx, s, "pdfium-test.stamp", "-X github.com/tetratelabs/wazero/internal/version.version=dev")
}

func warmPDFFor(ctx context.Context, s *site, stampName, ldflags string) (string, error) {
	modules, err := digest(s.root, everything, "go.sum")
	if err != nil {
		return "", err
	}
	key := runtime.Version() + " " + modules
	stamp := s.in(stampName)
	if b, err := os.ReadFile(stamp); err == nil && string(b) == key {
		if entries, err := os.ReadDir(s.in("pdfium")); err == nil && len(entries) > 0 {
			return "the PDF module is compiled", nil
		}
	}
	w := watched{step: "pdfium", what: "compiling the PDF module", dir: s.root}
	if err := w.run(ctx, s, "go", "run", "-trimpath", "-tags", "sqlite_fts5", "-ldflags", ldflags, "./build/setup/warm", s.in("pdfium")); err != nil {
		return "", err
	}
	return "compiled the PDF module", os.WriteFile(stamp, []byte(key), 0o644)
}
