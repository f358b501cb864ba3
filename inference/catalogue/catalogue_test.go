package catalogue

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"referent/inference"
)

var (
	idForm       = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
	hashForm     = regexp.MustCompile(`^[0-9a-f]{64}$`)
	languageForm = regexp.MustCompile(`^[a-z]{2}$`)
	licences     = []string{"Apache-2.0", "MIT", "LicenseRef-Gemma-Terms"}
	poolings     = []string{"", "mean", "cls", "last", "rank"}
	caches       = []CacheKind{CacheFull, CacheSWA, CacheHybrid, CacheNone}
	normals      = []inference.Normalization{inference.NormalizeNone, inference.NormalizeNFKC, inference.NormalizeStripMarks}
)

func TestEveryEntryIsComplete(t *testing.T) {
	if len(All()) < 20 {
		t.Fatalf("only %d entries", len(All()))
	}
	ids, files, hashes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range All() {
		t.Run(e.ID, func(t *testing.T) {
			for what, ok := range map[string]bool{
				"id":           idForm.MatchString(e.ID) && !ids[e.ID],
				"name":         e.Name != "" && e.Quantization != "",
				"file":         strings.HasSuffix(e.File, ".gguf") && !strings.ContainsAny(e.File, `/\`) && !files[strings.ToLower(e.File)],
				"roles":        len(e.Roles) > 0,
				"size":         e.Size() > 0 && (e.Bytes == 0) == (e.AboutBytes > 0),
				"hash":         e.SHA256 == "" || hashForm.MatchString(e.SHA256) && !hashes[e.SHA256],
				"url":          e.URL == "" || strings.HasPrefix(e.URL, "https://") && strings.EqualFold(path.Base(e.URL), e.File),
				"licence":      slices.Contains(licences, e.Licence),
				"context":      e.Context >= 512,
				"cache":        slices.Contains(caches, e.CacheKind),
				"memory":       e.MemoryGiB > 0 && int64(e.MemoryGiB)<<30 > e.Size(),
				"languages":    len(e.Languages) > 0 && !slices.ContainsFunc(e.Languages, func(l string) bool { return !languageForm.MatchString(l) }),
				"pooling":      slices.Contains(poolings, e.Pooling),
				"normalize":    slices.Contains(normals, e.Normalize),
				"floor":        e.FloorCosine >= 0 && e.FloorCosine < 1,
				"starter hash": len(e.Starter) == 0 || e.SHA256 != "" && e.Measured,
			} {
				if !ok {
					t.Errorf("%s is wrong: %+v", what, e)
				}
			}
			checkRoles(t, e)
		})
		ids[e.ID], files[strings.ToLower(e.File)] = true, true
		if e.SHA256 != "" {
			hashes[e.SHA256] = true
		}
	}
}

func checkRoles(t *testing.T, e Entry) {
	for _, r := range slices.Concat(e.Roles, e.Starter) {
		if !slices.Contains(inference.Roles(), r) {
			t.Errorf("unknown role %q", r)
		}
	}
	writes := e.Plays(inference.RoleAnswer) || e.Plays(inference.RoleCondense)
	styles := []inference.PromptStyle{inference.StyleInstruct, inference.StyleCompletion}
	if writes != slices.Contains(styles, e.PromptStyle) {
		t.Errorf("prompt style %q", e.PromptStyle)
	}
	if writes == (e.CacheKind == CacheNone) {
		t.Errorf("cache kind %q", e.CacheKind)
	}
	if e.Plays(inference.RoleEmbed) != (e.Dimensions > 0) {
		t.Errorf("%d dimensions", e.Dimensions)
	}
	if e.Plays(inference.RoleRerank) != (e.Pooling == "rank") {
		t.Errorf("pooling %q", e.Pooling)
	}
}

func TestStarters(t *testing.T) {
	for role, want := range map[inference.Role]string{
		inference.RoleAnswer:   "qwen2.5-coder-1.5b-instruct-q4_k_m",
		inference.RoleCondense: "qwen2.5-coder-1.5b-instruct-q4_k_m",
		inference.RoleEmbed:    "multilingual-e5-small-q4_0",
	} {
		if e, ok := Starter(role); !ok || e.ID != want {
			t.Errorf("%s: %q, %v", role, e.ID, ok)
		}
	}
	if e, ok := Starter(inference.RoleRerank); ok {
		t.Errorf("rerank has the starter %q; none can be had", e.ID)
	}
}

func TestLookups(t *testing.T) {
	e, ok := ByFile("/some/where/Qwen2.5-Coder-1.5B-Instruct-Q4_K_M.gguf")
	if !ok || e.ID != "qwen2.5-coder-1.5b-instruct-q4_k_m" {
		t.Errorf("by file: %q, %v", e.ID, ok)
	}
	again, ok := ByHash(strings.ToUpper(e.SHA256))
	if !ok || again.ID != e.ID {
		t.Errorf("by hash: %q, %v", again.ID, ok)
	}
	for name, found := range map[string]bool{"an id": has(ByID("none")), "a file": has(ByFile("none.gguf")), "a hash": has(ByHash(""))} {
		if found {
			t.Errorf("%s that nobody has was found", name)
		}
	}
}

func has(_ Entry, ok bool) bool { return ok }

func TestProfileOfTheStarters(t *testing.T) {
	e5, _ := ByID("multilingual-e5-small-q4_0")
	if p := e5.Profile(); p.QueryPrefix != "query: " || p.PassagePrefix != "passage: " || p.Pooling != "mean" ||
		p.Normalize != inference.NormalizeNFKC || e5.Dimensions != 384 || e5.FloorComment == "" {
		t.Errorf("%+v", p)
	}
	qwen, _ := Starter(inference.RoleAnswer)
	if p := qwen.Profile(); p.PromptStyle != inference.StyleInstruct || !p.FewShot || p.AnswerMode != "" || p.ID != qwen.ID {
		t.Errorf("%+v", p)
	}
	tiny, _ := ByID("smollm2-135m-instruct-q4_1")
	if p := tiny.Profile(); p.PromptStyle != inference.StyleCompletion || p.AnswerMode != "quote" {
		t.Errorf("%+v", p)
	}
}

// Small models write calls as lines, which a grammar holds; the larger ones whose
// template has calls use those.
func TestToolsAreCalledByLineUnlessAModelIsLarge(t *testing.T) {
	native := 0
	for _, e := range All() {
		switch e.Profile().ToolStyle {
		case "", inference.ToolsByLine:
		case inference.ToolsNative:
			native++
			if e.MemoryGiB < 3 || !e.Plays(inference.RoleAnswer) {
				t.Errorf("%s calls tools natively", e.ID)
			}
		default:
			t.Errorf("%s has the tool style %q", e.ID, e.ToolStyle)
		}
	}
	if qwen, _ := Starter(inference.RoleAnswer); native == 0 || qwen.ToolStyle != "" {
		t.Errorf("%d entries are native, the starter is %q", native, qwen.ToolStyle)
	}
}

// Without an address an entry is described and imported, never fetched; every
// role can be had for every memory.
func TestDownloadsForEveryTier(t *testing.T) {
	if (Entry{SHA256: strings.Repeat("0", 64), Bytes: 1}).Downloadable() || !(Entry{URL: "https://example.org/m"}).Downloadable() {
		t.Error("the address alone decides")
	}
	for _, role := range inference.Roles() {
		for _, tier := range []int{2, 3, 4, 6, 8, 10, 12, 14, 16, 24, 32, 48} {
			if role == inference.RoleAnswer && tier < 3 {
				continue // a model that writes answers takes 3 GiB
			}
			if _, ok := find(func(e Entry) bool { return e.Plays(role) && e.MemoryGiB <= tier && e.Downloadable() && e.Pinned() }); !ok {
				t.Errorf("nothing plays %s with %d GiB", role, tier)
			}
		}
	}
}

func TestAMisspeltFieldIsAnError(t *testing.T) {
	if _, err := parse([]byte(`{"models":[{"id":"x","sha265":""}]}`)); err == nil {
		t.Error("no error")
	}
}

func TestAllIsACopy(t *testing.T) {
	All()[0].ID = "changed"
	if All()[0].ID == "changed" {
		t.Error("a caller changed the catalogue")
	}
}
