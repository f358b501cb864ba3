package app

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestPlaces_ThePackageAndThePortableFolderAreFound(t *testing.T) {
	root := t.TempDir()
	got := placesOf(filepath.Join(root, "bin", "referent"), "cache")
	want := []string{filepath.Join(root, "bin"), filepath.Join(root, "lib", "referent"), filepath.Join(root, "share", "referent"), "cache"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if dir := fontFolder(got, "cache"); dir != filepath.Join("cache", "fonts") {
		t.Errorf("without a font: %s", dir)
	}
	fonts := filepath.Join(root, "share", "referent", "fonts")
	if err := os.MkdirAll(fonts, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(fonts, fallbackFont), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if dir := fontFolder(got, "cache"); dir != fonts {
		t.Errorf("the installed font is not found: %s", dir)
	}
	if dir := pdfModules(got); dir != "" {
		t.Errorf("without compiled modules: %s", dir)
	}
	modules := filepath.Join(root, "share", "referent", "pdfium")
	if err := os.MkdirAll(modules, 0o755); err != nil {
		t.Fatal(err)
	}
	if dir := pdfModules(got); dir != modules {
		t.Errorf("the installed modules are not found: %s", dir)
	}
}

func TestStarts_CountUntilOneEndsWell(t *testing.T) {
	dir := t.TempDir()
	for want := range 4 { // four starts that are killed
		if got := beginStart(dir); got != want {
			t.Errorf("start %d: %d failed before", want, got)
		}
	}
	if err := endStart(dir); err != nil {
		t.Fatal(err)
	}
	if got := beginStart(dir); got != 0 {
		t.Errorf("after a good end %d failed", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "starts"), []byte("no number"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := beginStart(dir); got != 0 {
		t.Errorf("a damaged count says %d", got)
	}
	if got := beginStart(filepath.Join(dir, "missing")); got != 0 {
		t.Errorf("a folder that cannot be written says %d", got)
	}
}
