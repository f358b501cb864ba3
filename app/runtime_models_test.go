//go:build models

package app_test

import (
	"strings"
	"testing"

	"referent/app"
)

// The libraries are changed while a model is loaded: it goes on there. What does
// not work here is refused with the reason, and what was in use goes on.
func TestRuntime_IsSwitchedWhileRunning(t *testing.T) {
	t.Setenv("GGML_VK_VISIBLE_DEVICES", "0") // shows a device in software
	a, err := app.Open(t.Context(), app.Config{DataDir: t.TempDir(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	set := func(key, value string) error {
		return a.SetSettings(t.Context(), map[string]string{key: value})
	}
	for key, value := range map[string]string{"model.answer": "smollm2-135m-instruct-q4_1", "model.gpu_layers": "0", "model.threads": "1", "model.context": "1024", "model.runtime": "cpu"} {
		if err := set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	runs := func(want string) {
		t.Helper()
		if _, err := a.TestModel(t.Context(), "answer"); err != nil {
			t.Fatal(err)
		}
		m, err := a.Models(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r := m.Roles[0]; r.State != "loaded" || string(r.Runtime) != want || r.Bytes < 1e8 {
			t.Errorf("the answer model runs as %+v, want %s", r, want)
		}
	}
	runs("cpu")
	if err := set("model.runtime", "vulkan"); err != nil {
		t.Fatal(err)
	}
	runs("vulkan")
	t.Setenv("GGML_VK_VISIBLE_DEVICES", "")
	for value, says := range map[string]string{"cuda": "not installed", "metal": "not installed"} {
		if err := set("model.runtime", value); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", value, err)
		}
	}
	runs("vulkan")
	if err := set("model.runtime", "cpu"); err != nil {
		t.Fatal(err)
	}
	if err := set("model.runtime", "vulkan"); err == nil || !strings.Contains(err.Error(), "no graphics processor was found") {
		t.Errorf("without a device: %v", err)
	}
	runs("cpu")
}
