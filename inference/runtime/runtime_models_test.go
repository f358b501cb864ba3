//go:build models

package runtime

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func cache(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("REFERENT_CACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "referent")
}

func TestVerify_TheInstalledRuntimes(t *testing.T) {
	found, err := Find(cache(t))
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, info := range found {
		names += info.Name + " "
	}
	if !strings.HasSuffix(names, "vulkan cpu ") {
		t.Errorf("found %s", names)
	}
}

func TestProbe_Processor(t *testing.T) {
	report, err := Probe(context.Background(), Folder(cache(t), "cpu"))
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Devices) == 0 || report.Devices[0].Kind != "cpu" || report.Devices[0].Total < 1<<30 {
		t.Errorf("%+v", report)
	}
}

func TestProbe_SoftwareGPU(t *testing.T) {
	report, err := Probe(context.Background(), Folder(cache(t), "vulkan"), "GGML_VK_VISIBLE_DEVICES=0")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Devices {
		if d.Name == "Vulkan0" && d.Kind == "gpu" && d.Free > 1<<30 {
			return
		}
	}
	t.Errorf("no device Vulkan0 in %+v", report)
}

// A plug-in whose own libraries are missing says which.
func TestProbe_TellsWhyABackendDoesNotLoad(t *testing.T) {
	dir := t.TempDir()
	source := Folder(cache(t), "cpu")
	entries, err := os.ReadDir(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(source, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	broken, err := os.Create(filepath.Join(dir, "libggml-cuda.so"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(broken, "no library"); err != nil {
		t.Fatal(err)
	}
	if err := broken.Close(); err != nil {
		t.Fatal(err)
	}
	report, err := Probe(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Backends) != 1 || report.Backends[0].Loaded || !strings.Contains(report.Backends[0].Reason, "libggml-cuda.so") {
		t.Errorf("%+v", report.Backends)
	}
	if len(report.Devices) == 0 {
		t.Error("the processor must stay usable")
	}
}
