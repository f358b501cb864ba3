package app_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/rag"
)

// Libraries that are not there are refused, and the setting keeps what worked.
func TestRuntime_AChoiceThatCannotBeUsedIsNotKept(t *testing.T) {
	s := newStory(t, fake.Config{})
	err := s.app.SetSettings(t.Context(), map[string]string{"model.runtime": "cuda"})
	var e *rag.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "“cuda” are not installed") || e.Hint == "" {
		t.Errorf("got %v", err)
	}
	if v := s.value("model.runtime"); v.Value != "auto" {
		t.Errorf("the setting is %q", v.Value)
	}
	s.Restart()
	if v := s.value("model.runtime"); v.Value != "auto" {
		t.Errorf("after a restart the setting is %q", v.Value)
	}
}

// An optional runtime is not installed without its licence, nor from what is no
// archive of it, and what is not there cannot be removed.
func TestRuntime_APackNeedsItsLicenceAndItsArchives(t *testing.T) {
	s := newStory(t, fake.Config{})
	all, err := s.app.Runtimes(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != "cuda" || all[0].Folder != "" || len(all[0].Fetch) != 3 || !strings.Contains(string(all[0].Notice), "NVIDIA") {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, c := range []struct {
		req  app.InstallRuntimeRequest
		says string
	}{
		{app.InstallRuntimeRequest{Name: "cuda"}, "End User License Agreement"},
		{app.InstallRuntimeRequest{Name: "cuda", Accept: true}, "There are no model libraries"},
		{app.InstallRuntimeRequest{Name: "vulkan", Accept: true}, "no optional runtime named \"vulkan\""},
	} {
		_, err := s.app.InstallRuntime(t.Context(), c.req, nil)
		var e *rag.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, c.says) {
			t.Errorf("%+v: %v", c.req, err)
		}
	}
	for name, says := range map[string]string{"cuda": "are not installed", "cpu": "no optional runtime"} {
		if err := s.app.RemoveRuntime(t.Context(), name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("removing %s: %v", name, err)
		}
	}
}

// A load names the models of the other roles: what fits is planned for all.
func TestLoad_NamesTheModelsBeside(t *testing.T) {
	s := newStory(t, fake.Config{})
	if _, err := s.app.TestModel(t.Context(), "answer"); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.models.Calls() {
		if c.Kind != "load" {
			continue
		}
		starter, _ := catalogue.Starter(inference.RoleEmbed)
		if b := c.Spec.Beside; len(b) != 1 || b[0].Role != inference.RoleEmbed || filepath.Base(b[0].Path) != starter.File || b[0].GPULayers != -1 {
			t.Errorf("loaded beside %+v", b)
		}
		return
	}
	t.Error("nothing was loaded")
}
