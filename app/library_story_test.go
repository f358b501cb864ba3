package app_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/extract"
)

func TestP68_RestrictingHidesADocumentEverywhere(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	s.ExpectCited("bridge.md", 0, "320 metres")
	first := *s.conversation
	if !s.finds("Harlow Bridge", "bridge.md") {
		t.Fatal("it should be found")
	}

	s.Restrict(s.Path("bridge.md"))

	if s.finds("Harlow Bridge", "bridge.md") {
		t.Error("a search finds it")
	}
	s.Ask(howLong)
	s.ExpectRefused()
	retrieval, _ := last[rag.Retrieval](s)
	if all, _ := json.Marshal(s.events); strings.Contains(string(all), "320 metres") || retrieval.RestrictedCount != 1 {
		t.Errorf("restricted count %d in %s", retrieval.RestrictedCount, all)
	}
	s.conversation = &first
	old := s.Reloaded().Turns[0]
	evidence, _ := json.Marshal([]any{old.Retrieval, old.Done.Sources, old.Done.Citations})
	for _, word := range []string{"320 metres", "bridge.md", "Harlow"} {
		if strings.Contains(string(evidence), word) {
			t.Errorf("the stored evidence still shows %q: %s", word, evidence)
		}
	}
	files, err := s.app.Files(t.Context(), app.FilesRequest{Search: "bridge"})
	if err != nil || files.Total != 1 || files.Files[0].Label != "restricted" {
		t.Errorf("its owner must see it listed: %+v, %v", files, err)
	}

	s.Restart()
	if s.finds("Harlow Bridge", "bridge.md") {
		t.Error("a search finds it after a restart")
	}
	if err := s.app.SetLabel(t.Context(), s.Path("bridge.md"), "public"); err != nil {
		t.Fatal(err)
	}
	if !s.finds("Harlow Bridge", "bridge.md") {
		t.Error("public again, it is not found")
	}
}

func TestP68_AFolderOrCollectionThatIsRestricted(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.Write(town)
	s.Add(app.AddRequest{Paths: []string{s.Path("rules")}, Collection: "Rules"})
	s.Add(app.AddRequest{Paths: []string{s.Path("bridge.md")}, Restricted: true})
	if s.finds("Harlow Bridge", "bridge.md") || !s.finds("dogs consent", "pets.md") {
		t.Fatal("added as restricted, it is found; or the rest is not")
	}
	s.Restrict("Rules")
	if s.finds("dogs consent", "pets.md") {
		t.Error("a restricted collection is searched")
	}
	if err := s.app.SetLabel(t.Context(), "Rules", "public"); err != nil {
		t.Fatal(err)
	}
	s.Restrict(s.Path("rules"))
	if s.finds("dogs consent", "pets.md") {
		t.Error("a restricted folder is searched")
	}
}

func TestStory_ADeletedFileLeavesTheSearchAndItsOldTurnSaysSo(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	if err := os.Remove(s.Path("bridge.md")); err != nil {
		t.Fatal(err)
	}
	s.Eventually("the file's leaving the search", 3*time.Second, func() bool { return !s.finds("Harlow Bridge", "bridge.md") })
	s.Eventually("the end of the grace time", 10*time.Second, func() bool { return len(s.Reloaded().Turns[0].Gone) > 0 })
	turn := s.Reloaded().Turns[0]
	hit := turn.Retrieval.Hits[0]
	if !slices.Contains(turn.Gone, hit.Document) || !strings.Contains(hit.Text, "320 metres") {
		t.Errorf("gone %v, the stored passage is %+v", turn.Gone, hit)
	}
	if p, err := s.app.Passage(t.Context(), hit.Chunk); err != nil || !p.Missing {
		t.Errorf("%+v, %v", p, err)
	}
	if l, err := s.app.Library(t.Context()); err != nil || l.Folders[0].Indexed != len(town)-1 {
		t.Errorf("%+v, %v", l.Folders, err)
	}
}

func TestStory_RemoveWithForgetErasesStoredPassages(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	if err := s.app.Remove(t.Context(), app.RemoveRequest{Paths: []string{s.docs}, Forget: true}); err != nil {
		t.Fatal(err)
	}
	turn := s.Reloaded().Turns[0]
	if body, _ := json.Marshal([]any{turn.Retrieval, turn.Done.Sources}); strings.Contains(string(body), "320 metres") || strings.Contains(string(body), "bridge.md") {
		t.Errorf("still stored: %s", body)
	}
	if s.finds("Harlow Bridge", "bridge.md") {
		t.Error("it is still found")
	}
	if _, err := os.Stat(s.Path("bridge.md")); err != nil {
		t.Errorf("the file on the disk: %v", err)
	}
}

func TestStory_AChangedFileIsReadAgainAndAnUnchangedOneIsNot(t *testing.T) {
	s := newStory(t, fake.Config{})
	var reads atomic.Int32
	read := s.config.Extract
	s.config.Extract = func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
		reads.Add(1)
		return read(ctx, path, file)
	}
	s.Restart()
	s.AddFolder(town)
	if n := reads.Load(); int(n) != len(town) {
		t.Fatalf("%d files read", n)
	}
	embedded := s.models.Count("embed")
	s.Restart()
	s.Sync()
	if n := reads.Load(); int(n) != len(town) {
		t.Errorf("%d files read after a restart", n)
	}
	if !s.finds("Harlow Bridge", "bridge.md") {
		t.Error("nothing is found after a restart")
	}
	if n := s.models.Count("embed"); n > embedded+1 {
		t.Errorf("%d embedding calls after a restart, %d before; one is the search's", n, embedded)
	}
	s.Write(map[string]string{"bridge.md": "# Harlow Bridge\n\nThe Harlow Bridge is 330 metres long.\n"})
	s.Sync()
	if n := reads.Load(); int(n) != len(town)+1 {
		t.Errorf("%d files read after one changed", n)
	}
	if done := s.Ask(howLong); !strings.Contains(done.Answer, "330 metres") {
		t.Errorf("%q", done.Answer)
	}
}

func TestStory_EveryFileEndsInAStatusAndABadOneCostsOnlyItself(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.Write(map[string]string{"empty.txt": "", "tool.exe": "MZ\x00\x01", "half.docx": "PK\x03\x04 not a zip"})
	s.AddFolder(town)
	files, err := s.app.Files(t.Context(), app.FilesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]rag.FileStatus{"bridge.md": rag.FileIndexed, "half.docx": rag.FileDamaged, "tool.exe": rag.FileUnsupported}
	for _, f := range files.Files {
		if !f.Status.Final() || f.Status != rag.FileIndexed && f.Reason == "" {
			t.Errorf("%s: %s %q", f.Name, f.Status, f.Reason)
		}
		if w, ok := want[f.Name]; ok && f.Status != w {
			t.Errorf("%s is %s, want %s", f.Name, f.Status, w)
		}
	}
	s.Ask(howLong)
	s.ExpectCited("bridge.md", 0, "320 metres")
}

func TestStory_APathThatCannotBeAddedIsASentence(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.Write(town)
	result, err := s.app.Add(t.Context(), app.AddRequest{Paths: []string{s.docs, s.docs + "/nowhere"}})
	if err != nil || result.Added != 1 || len(result.Problems) != 1 || !strings.HasSuffix(result.Problems[0].Sentence, ".") {
		t.Errorf("%+v, %v", result, err)
	}
	if err := s.app.SetLabel(t.Context(), s.Path("no.md"), "restricted"); err == nil || !strings.Contains(err.Error(), "not in the library") {
		t.Errorf("%v", err)
	}
}

// A setting that says how files are read has the files read again that it
// concerns, and only those.
func TestStory_AChangedReadingSettingReadsWhatItConcerns(t *testing.T) {
	s := newStory(t, fake.Config{})
	var read sync.Map
	s.config.Extract = func(ctx context.Context, path string, _ extract.FileOptions) (rag.Extraction, error) {
		read.Store(filepath.Base(path), true)
		archives := false
		settings, err := s.app.Settings(ctx)
		for _, r := range settings {
			archives = archives || r.Key == "ingest.archives" && r.Value == "true"
		}
		if err != nil {
			return rag.Extraction{}, err
		}
		return extract.File(ctx, path, extract.Options{Archives: archives})
	}
	s.Restart()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create("inside.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("The lighthouse of Harlow is painted red.\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	s.Write(map[string]string{"old.zip": b.String()})
	s.AddFolder(town)
	if s.finds("lighthouse painted red", "old.zip") {
		t.Fatal("the archive is read though the setting is off")
	}
	for _, c := range []struct {
		value string
		found bool
	}{{"true", true}, {"false", false}} {
		read.Clear()
		if err := s.app.SetSettings(t.Context(), map[string]string{"ingest.archives": c.value}); err != nil {
			t.Fatal(err)
		}
		s.Sync()
		if got := s.finds("lighthouse painted red", "old.zip"); got != c.found {
			t.Errorf("archives %s: found %v", c.value, got)
		}
		var names []string
		read.Range(func(name, _ any) bool { names = append(names, name.(string)); return true })
		if !slices.Equal(names, []string{"old.zip"}) {
			t.Errorf("archives %s: read %v", c.value, names)
		}
	}
}
