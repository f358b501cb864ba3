package desktop

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"referent/rag"
)

func TestSaveText_WritesOnlyWhereThePersonChose(t *testing.T) {
	w, p := newTestWindow(t, &cases{})
	if path, err := w.SaveText("a.md", "text"); err != nil || path != "" {
		t.Errorf("a closed dialog: %q, %v", path, err)
	}
	p.save = filepath.Join(t.TempDir(), "über 1.md")
	path, err := w.SaveText("../../etc/Lease: \"notice\"?.md", "# Ünïcode\n")
	if err != nil || path != p.save {
		t.Fatalf("%q, %v", path, err)
	}
	if p.named != "etc Lease notice .md" {
		t.Errorf("the dialog began with %q", p.named)
	}
	if got, err := os.ReadFile(p.save); err != nil || string(got) != "# Ünïcode\n" {
		t.Errorf("%q, %v", got, err)
	}
	p.save = filepath.Join(t.TempDir(), "no folder", "a.md")
	var failed *rag.Error
	if _, err := w.SaveText("a.md", "text"); !errors.As(err, &failed) || failed.Code != rag.CodeStorageFailed || failed.Hint == "" {
		t.Errorf("got %v", err)
	}
}

func TestFileName_FitsEverySystem(t *testing.T) {
	for title, want := range map[string]string{
		"Plain.md": "Plain.md", "a/b.json": "a b.json", "C:\\x|y.md": "C x y.md", "...": "conversation", "": "conversation", "日本 ?.md": "日本 .md", "a\nb.md": "a b.md",
	} {
		if got := fileName(title); got != want {
			t.Errorf("%q became %q, want %q", title, got, want)
		}
	}
}
