package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zalando/go-keyring"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/extract"
)

func TestStory_TheCostOfAddingIsShownBefore(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.Write(map[string]string{"a.txt": strings.Repeat("The harbour master counts the boats every evening. ", 400), "b.md": "# Boats\n\nTwo.\n", "node_modules/x.js": "left out"})
	req := app.AddRequest{Paths: []string{s.docs, filepath.Join(s.docs, "nothing here")}}
	plan, err := s.app.PlanAdd(t.Context(), req)
	if err != nil || plan.Files != 2 || plan.Bytes < 20_000 || plan.Passages == 0 || plan.Seconds <= 0 || plan.Long {
		t.Errorf("%v: %+v", err, plan)
	}
	if len(plan.Problems) != 1 || !strings.HasSuffix(plan.Problems[0].Sentence, ".") {
		t.Errorf("a path that is not there: %+v", plan.Problems)
	}
	if files, err := s.app.Files(t.Context(), app.FilesRequest{}); err != nil || files.Total != 0 {
		t.Errorf("a plan has added %d files, %v", files.Total, err)
	}
	if plan.Meaning != 0 {
		t.Errorf("nothing was embedded yet, and the time for it is said to be %v s", plan.Meaning)
	}
	s.Add(app.AddRequest{Paths: []string{s.docs}})
	s.Write(map[string]string{"huge.txt": ""})
	if err := os.Truncate(s.Path("huge.txt"), 90<<20); err != nil { // only its size is asked for
		t.Fatal(err)
	}
	plan, err = s.app.PlanAdd(t.Context(), app.AddRequest{Paths: []string{s.docs}})
	if err != nil || plan.Known != 2 || plan.Files != 1 || !plan.Long || plan.Meaning < plan.Seconds || !strings.HasSuffix(plan.Sentence, ".") {
		t.Errorf("%v: %+v", err, plan)
	}
}

func TestStory_TheReportSaysWhereTheTimeWent(t *testing.T) {
	s := newStory(t, fake.Config{})
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("%d.txt", i)] = fmt.Sprintf("Boat number %d lies at the pier.\n", i)
	}
	s.AddFolder(files)
	r, err := s.app.IngestReport(t.Context())
	if err != nil || r.Files != 30 || r.Passages != 30 || r.Vectors != 30 || r.FilesPerSecond <= 0 {
		t.Errorf("%v: %+v", err, r)
	}
	for stage, seconds := range map[string]float64{"parse": r.Parse, "chunk": r.Chunk, "write": r.Write, "embed": r.Embed, "other": r.Other} {
		if seconds <= 0 {
			t.Errorf("%s took %v s", stage, seconds)
		}
	}
}

// protected reads files whose text begins with "locked" only with the password
// "sesame".
func protected(_ context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
	ex := rag.Extraction{Kind: "text", Title: filepath.Base(path), TitleSource: "file_name"}
	if file.Password != "sesame" {
		ex.Status, ex.Reason = rag.FileNeedsPassword, "This file is protected by a password."
		return ex, nil
	}
	ex.Status, ex.Text = rag.FileIndexed, "The key hangs behind the clock."
	ex.Blocks = []rag.Block{{Kind: rag.BlockParagraph, Text: ex.Text}}
	return ex, nil
}

func (s *story) fileStatus(name string) rag.FileStatus {
	s.t.Helper()
	files, err := s.app.Files(s.t.Context(), app.FilesRequest{Search: name})
	if err != nil || len(files.Files) != 1 {
		s.t.Fatalf("%v: %+v", err, files)
	}
	return files.Files[0].Status
}

func (s *story) unlock(password string, keep bool) app.Unlocked {
	s.t.Helper()
	unlocked, err := s.app.Unlock(s.t.Context(), app.UnlockRequest{Path: s.Path("a.txt"), Password: password, Keep: keep})
	if err != nil {
		s.t.Fatal(err)
	}
	s.Sync()
	return unlocked
}

func TestStory_APasswordIsKeptInTheKeyringOrNotAtAll(t *testing.T) {
	for name, c := range map[string]struct {
		keyring   func()
		keep      bool
		kept      bool
		afterward rag.FileStatus // when the file is read anew after a restart
	}{
		"kept":       {keyring.MockInit, true, true, rag.FileIndexed},
		"not wanted": {keyring.MockInit, false, false, rag.FileNeedsPassword},
		"no keyring": {func() { keyring.MockInitWithError(errors.New("no service")) }, true, false, rag.FileNeedsPassword},
	} {
		t.Run(name, func(t *testing.T) {
			c.keyring()
			s := &story{t: t, models: &models{fake.New(fake.Config{})}, config: hermetic(t.TempDir())}
			s.config.Host, s.config.Extract = s.models, protected
			s.open()
			t.Cleanup(func() { s.close() })
			s.AddFolder(map[string]string{"a.txt": "locked"})
			if got := s.fileStatus("a.txt"); got != rag.FileNeedsPassword {
				t.Fatalf("without a password it is %s", got)
			}
			s.unlock("open", c.keep)
			if got := s.fileStatus("a.txt"); got != rag.FileNeedsPassword {
				t.Errorf("with a wrong password it is %s", got)
			}
			unlocked := s.unlock("sesame", c.keep)
			if unlocked.Kept != c.kept || c.keep && !c.kept && !strings.HasSuffix(string(unlocked.Sentence), ".") {
				t.Errorf("%+v", unlocked)
			}
			if got := s.fileStatus("a.txt"); got != rag.FileIndexed {
				t.Errorf("with the password it is %s", got)
			}
			s.Restart()
			if err := s.app.Retry(t.Context(), s.Path("a.txt")); err != nil {
				t.Fatal(err)
			}
			s.Sync()
			if got := s.fileStatus("a.txt"); got != c.afterward {
				t.Errorf("read anew after a restart it is %s, want %s", got, c.afterward)
			}
		})
	}
}

func TestStory_ThePassageAloneGetsAnotherClass(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(map[string]string{"manual.txt": "The winch turns to the left.\n"})
	search := func() rag.Hit {
		t.Helper()
		found, err := s.app.Search(t.Context(), app.AskRequest{Question: "Where does the winch turn?", NoStore: true})
		if err != nil || len(found.Hits) != 1 {
			t.Fatalf("%v, %d hits", err, len(found.Hits))
		}
		return found.Hits[0]
	}
	hit := search()
	if hit.Class != rag.ClassFact {
		t.Fatalf("the file's class is %s", hit.Class)
	}
	if err := s.app.SetPassageClass(t.Context(), hit.Chunk, "transient"); err != nil {
		t.Fatal(err)
	}
	if got := search().Class; got != rag.ClassTransient {
		t.Errorf("corrected, it is %s", got)
	}
	s.Restart()
	if got := search().Class; got != rag.ClassTransient {
		t.Errorf("after a restart it is %s", got)
	}
	if err := s.app.SetPassageClass(t.Context(), hit.Chunk, ""); err != nil {
		t.Fatal(err)
	}
	if got := search().Class; got != rag.ClassFact {
		t.Errorf("taken back, it is %s", got)
	}
	for _, wrong := range []func() error{
		func() error { return s.app.SetPassageClass(t.Context(), hit.Chunk, "golden") },
		func() error { return s.app.SetPassageClass(t.Context(), 999, "fact") },
	} {
		if err := wrong(); err == nil || !strings.HasSuffix(err.Error(), ".") {
			t.Errorf("what is wrong ends with %v", err)
		}
	}
}

func TestStory_OnBatteryACommandThatWaitsIsNotSlowedDown(t *testing.T) {
	var asked atomic.Int32
	s := &story{t: t, models: &models{fake.New(fake.Config{})}, config: hermetic(t.TempDir())}
	s.config.Host, s.config.Battery = s.models, func() bool { asked.Add(1); return true }
	s.open()
	t.Cleanup(func() { s.close() })
	s.AddFolder(map[string]string{"a.txt": "The winch.\n", "b.txt": "The rope.\n"})
	if got := s.fileStatus("b.txt"); got != rag.FileIndexed {
		t.Errorf("on battery it is %s", got)
	}
	before := asked.Load()
	if err := s.app.SetSettings(t.Context(), map[string]string{"ingest.spare_battery": "false"}); err != nil {
		t.Fatal(err)
	}
	s.Write(map[string]string{"c.txt": "The anchor.\n"})
	s.Sync()
	if asked.Load() != before {
		t.Error("the setting is off, and the system is asked for its power")
	}
}
