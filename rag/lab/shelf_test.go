package lab

import (
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
)

// A second run pays for no embedding, also when the last one was cut off.
func TestRun_EmbeddingsAreMadeOnce(t *testing.T) {
	w := newWorkshop(t, fake.Config{}, "simple")
	w.runner.Plan.Retrievers = []string{"dense"}
	w.ok(w.begin())
	passages := func() int { return passagesOf(w.host) }
	if passages() != 4 {
		t.Fatalf("%d passages were embedded", passages())
	}
	questions := embedded(w.host, inference.KindQuery)
	if questions == 0 {
		t.Fatal("no question was embedded")
	}
	key := hex.EncodeToString([]byte("queries "))
	files, err := filepath.Glob(filepath.Join(w.runner.Vectors, "*.vectors"))
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasPrefix(filepath.Base(f), key) })
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	again := func() {
		t.Helper()
		w.path = filepath.Join(t.TempDir(), "again.jsonl")
		w.runner.words = nil
		w.ok(w.begin())
	}
	again()
	if passages() != 4 {
		t.Errorf("the second run embedded: %d in all", passages())
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files[0], info.Size()-5); err != nil {
		t.Fatal(err)
	}
	again()
	if passages() != 5 {
		t.Errorf("one vector was cut off: %d in all", passages())
	}
	if n := embedded(w.host, inference.KindQuery); n != questions {
		t.Errorf("questions were embedded again: %d, then %d", questions, n)
	}
}

// Two passages with one text: a search by words finds both, whatever was
// measured before it, and a search by meaning is the same in a second program.
func TestP04_WhatWasMeasuredBeforeChangesNothing(t *testing.T) {
	w := newWorkshop(t, fake.Config{}, "simple", "blend")
	twice := maps.Clone(own)
	twice["corpus.jsonl"] += "\n" + `{"id":"e","title":"Boiler","text":"The boiler pressure must be 1.5 bar."}`
	w.runner.Places.Sets = sets(t, twice)
	w.runner.Plan.Retrievers = []string{"bm25", "hybrid"}
	items := w.ok(w.begin())
	hits := func(items []Item, engine, retriever string) []string {
		t.Helper()
		for _, i := range items {
			if i.Query == "3" && i.Engine == engine && i.Retriever == retriever {
				return i.Hits
			}
		}
		t.Fatalf("no item by %s and %s", engine, retriever)
		return nil
	}
	for _, engine := range []string{"simple", "blend"} { // blend comes when there are vectors
		if got := hits(items, engine, "bm25"); len(got) < 2 || got[0] != "c" || got[1] != "e" {
			t.Errorf("%s by words: %v", engine, got)
		}
	}
	first := hits(items, "simple", "hybrid")
	w.path = filepath.Join(t.TempDir(), "again.jsonl")
	w.runner.words = nil
	if again := hits(w.ok(w.begin()), "simple", "hybrid"); !slices.Equal(first, again) || first[0] != "c" || slices.Contains(first, "e") {
		t.Errorf("by meaning: %v, then %v", first, again)
	}
	if n := passagesOf(w.host); n != 4 {
		t.Errorf("%d passages were embedded, of four texts", n)
	}
}

// passagesOf counts the passages that were embedded.
func passagesOf(h *fake.Host) int { return embedded(h, inference.KindPassage) }

func embedded(h *fake.Host, kind inference.TextKind) (n int) {
	for _, c := range h.Calls() {
		if c.Kind == "embed" && c.TextKind == kind {
			n += len(c.Texts)
		}
	}
	return n
}

// Engines that search the same text share its vector; the time of an embedding is
// told where one was made, and what an engine embeds for itself is not kept.
func TestRun_AQuestionIsEmbeddedOnceForAllEngines(t *testing.T) {
	w := newWorkshop(t, fake.Config{}, "simple", "expand")
	w.runner.Plan.Retrievers = []string{"dense"}
	items := w.ok(w.begin())
	searched, timed := map[string]bool{}, 0
	for _, i := range items {
		searched[i.Prepared.Searched()] = true
		if _, ok := i.MS["embed"]; ok {
			timed++
		}
	}
	if n := embedded(w.host, inference.KindQuery); n != len(searched) || timed != n || len(items) <= n {
		t.Errorf("%d embeddings, %d times, for %d texts of %d searches", n, timed, len(searched), len(items))
	}
}
