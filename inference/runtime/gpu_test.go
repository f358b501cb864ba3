//go:build gpu

package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGPU_IsThere says in a sentence whether anything can be checked here, and
// why a runtime finds nothing.
func TestGPU_IsThere(t *testing.T) {
	cache := os.Getenv("REFERENT_CACHE")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(dir, "referent")
	}
	found, err := Find(cache)
	if len(found) == 0 {
		t.Fatal(err)
	}
	var reasons []string
	for _, f := range found {
		if f.Name == "cpu" {
			continue
		}
		report, err := Probe(t.Context(), f.Dir)
		if err != nil {
			reasons = append(reasons, f.Name+": "+err.Error())
			continue
		}
		if why := report.Lacks(); why != "" {
			reasons = append(reasons, f.Name+": "+why)
			continue
		}
		return
	}
	t.Fatalf("There is no graphics processor here that models can run on, so nothing was checked (%s).", strings.Join(reasons, "; "))
}
