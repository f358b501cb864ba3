package runtime

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// driverOf is a folder with a library that has the driver's name and the code.
func driverOf(t *testing.T, code string) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "driver.c")
	if err := os.WriteFile(source, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-o", filepath.Join(dir, "libcuda.so.1"), source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// The driver is asked in a child: whatever it does there, this process gets an
// answer.
func TestCUDADriver(t *testing.T) {
	for _, c := range []struct {
		name, code string
		version    int
		fails      bool
	}{
		{"a driver", `int cuDriverGetVersion(int *v) { *v = 13010; return 0; }`, 13010, false},
		{"one that refuses", `int cuDriverGetVersion(int *v) { *v = 13010; return 999; }`, 0, false},
		{"another library", `int other(void) { return 0; }`, 0, false},
		{"one that ends its process", `#include <stdlib.h>` + "\n" + `int cuDriverGetVersion(int *v) { abort(); }`, 0, true},
	} {
		version, err := CUDADriver(t.Context(), "LD_LIBRARY_PATH="+driverOf(t, c.code))
		if version != c.version || (err != nil) != c.fails {
			t.Errorf("%s: %d, %v", c.name, version, err)
		}
	}
	if _, err := CUDADriver(t.Context(), "LD_LIBRARY_PATH="+t.TempDir()); err != nil {
		t.Errorf("without a driver of the tests: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CUDADriver(ctx); err == nil {
		t.Error("no error after the end of its context")
	}
}
