package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference/fake"
)

func TestStory_WhyAFileIsMissingIsSaid(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(map[string]string{"garden.txt": "The compost is turned in March.", ".gitignore": "drafts/\n", "drafts/a.txt": "Not yet."})
	outside := filepath.Join(t.TempDir(), "else.txt")
	if err := os.WriteFile(outside, []byte("Elsewhere."), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		s.Path("garden.txt"):    "is in the library and can be found",
		s.Path("drafts/a.txt"):  ".gitignore",
		s.Path("not-there.txt"): "no such file",
		filepath.Clean(outside): "no folder of the library",
	} {
		if got, err := s.app.WhyIgnored(t.Context(), path); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v; want %q", path, got, err, want)
		}
	}
}
