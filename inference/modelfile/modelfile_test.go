package modelfile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/download"
	"referent/inference/gguf/toy"
)

var when = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// toys are one real small model of each kind.
func toys(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	paths := map[string]string{}
	for name, write := range map[string]func(string) (string, error){
		"chat":     toy.Chat{Text: "Three months [1]."}.Write,
		"embedder": toy.Embedder{Words: []string{"rent", "deposit"}}.Write,
		"reranker": toy.Reranker{Likes: []string{"rent"}, Knows: []string{"deposit"}}.Write,
	} {
		paths[name] = filepath.Join(dir, "Toy "+name+".GGUF")
		if _, err := write(paths[name]); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

func take(t *testing.T, dir, path string, role inference.Role) Record {
	t.Helper()
	r, err := Take(t.Context(), Import{Dir: dir, Path: path, Role: role, Now: when}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTake_CopiesChecksAndDescribes(t *testing.T) {
	from, dir := toys(t), filepath.Join(t.TempDir(), "mod[els")
	var last, total int64
	r, err := Take(t.Context(), Import{Dir: dir, Path: from["chat"], Role: inference.RoleAnswer, Now: when}, func(d, all int64) { last, total = d, all })
	if err != nil {
		t.Fatal(err)
	}
	want, _ := os.ReadFile(from["chat"])
	got, err := os.ReadFile(r.Path)
	if err != nil || !bytes.Equal(got, want) || last != total || total != int64(len(want)) {
		t.Errorf("%d bytes copied, %d of %d told, %v", len(got), last, total, err)
	}
	if r.ID != "toy-chat" || filepath.Base(r.Path) != "Toy chat.gguf" || r.Proof != ProofNone || r.Source != from["chat"] || !r.Added.Equal(when) ||
		!slices.Equal(r.Roles, []inference.Role{inference.RoleAnswer, inference.RoleCondense}) || r.Architecture != "llama" || r.Context <= 0 || r.Encoder {
		t.Errorf("%+v", r)
	}
	list := List(dir)
	if len(list) != 1 || list[0].SHA256 != r.SHA256 || list[0].Path != r.Path {
		t.Errorf("listed: %+v", list)
	}
	if found, ok := ByID(dir, "toy-chat"); !ok || found.Path != r.Path {
		t.Errorf("%+v, %v", found, ok)
	}
	e := r.Entry()
	if e.ID != r.ID || e.File != "Toy chat.gguf" || e.SHA256 != r.SHA256 || e.Bytes != r.Bytes || e.PromptStyle != inference.StyleInstruct || !e.Plays(inference.RoleCondense) {
		t.Errorf("as an entry: %+v", e)
	}
	if _, err := Verify(t.Context(), r.Path, r.SHA256, nil); err != nil {
		t.Errorf("just imported: %v", err)
	}
	if err := Remove(r.Path); err != nil || len(List(dir)) != 0 {
		t.Errorf("removed: %v, %v", err, List(dir))
	}
	if err := Remove(r.Path); err != nil {
		t.Errorf("removed twice: %v", err)
	}
}

func TestTake_TheSameFileAgainIsTheSameModel(t *testing.T) {
	from, dir := toys(t), t.TempDir()
	first := take(t, dir, from["chat"], inference.RoleAnswer)
	if again := take(t, dir, from["chat"], inference.RoleCondense); again.Path != first.Path || again.ID != first.ID {
		t.Errorf("%+v, then %+v", first, again)
	}
	other := filepath.Join(t.TempDir(), filepath.Base(from["chat"]))
	if _, err := (toy.Chat{Text: "Something else."}).Write(other); err != nil {
		t.Fatal(err)
	}
	second := take(t, dir, other, inference.RoleAnswer)
	if second.ID == first.ID || second.Path == first.Path || len(List(dir)) != 2 {
		t.Errorf("another file of the same name: %+v beside %+v", second, first)
	}
}

func TestTake_LinksWhereAsked(t *testing.T) {
	from := toys(t)
	dir := filepath.Join(filepath.Dir(from["chat"]), "models") // the same disk
	r, err := Take(t.Context(), Import{Dir: dir, Path: from["chat"], Role: inference.RoleAnswer, Link: true, Now: when,
		Free: func(string) (int64, error) { return 0, nil }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := os.Stat(from["chat"])
	b, err := os.Stat(r.Path)
	if err != nil || !os.SameFile(a, b) {
		t.Errorf("the bytes are not shared: %v", err)
	}
}

// A file named like an offer of the catalogue is that model; its profile counts.
func TestTake_KnowsTheOffersOfTheCatalogue(t *testing.T) {
	i := slices.IndexFunc(catalogue.All(), func(e catalogue.Entry) bool {
		return e.SHA256 == "" && e.Bytes == 0 && e.Plays(inference.RoleAnswer)
	})
	if i < 0 {
		t.Fatal("every entry is pinned")
	}
	offer := catalogue.All()[i]
	path := filepath.Join(t.TempDir(), offer.File)
	if _, err := (toy.Chat{Text: "Yes."}).Write(path); err != nil {
		t.Fatal(err)
	}
	r := take(t, t.TempDir(), path, inference.RoleAnswer)
	if e := r.Entry(); r.ID != offer.ID || e.Name != offer.Name || e.Thinks != offer.Thinks || e.SHA256 != r.SHA256 {
		t.Errorf("%+v", e)
	}
	starter, _ := catalogue.Starter(inference.RoleAnswer)
	path = filepath.Join(t.TempDir(), starter.File)
	if _, err := (toy.Chat{Text: "No."}).Write(path); err != nil {
		t.Fatal(err)
	}
	if r := take(t, t.TempDir(), path, inference.RoleAnswer); r.ID == starter.ID {
		t.Error("another file took the name of a model whose hash is known")
	}
}

func TestTake_RefusesWhatCannotBeUsed(t *testing.T) {
	from := toys(t)
	whole, err := os.ReadFile(from["chat"])
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, b []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, path string
		role       inference.Role
		says       string
	}{
		{"no file", filepath.Join(t.TempDir(), "none.gguf"), inference.RoleAnswer, "is not there"},
		{"a folder", t.TempDir(), inference.RoleAnswer, "no file"},
		{"text", write("notes.gguf", []byte("Dear diary, this is no model at all.")), inference.RoleAnswer, "not a GGUF"},
		{"cut off", write("cut.gguf", whole[:len(whole)-100]), inference.RoleAnswer, "ends too early"},
		{"another version", write("v9.gguf", append([]byte("GGUF\x09\x00\x00\x00"), whole[8:]...)), inference.RoleAnswer, "version 9"},
		{"another architecture", write("arch.gguf", bytes.Replace(whole, []byte("llama"), []byte("alpac"), 1)), inference.RoleAnswer, "not known"},
		{"a token twice", write("twice.gguf", bytes.Replace(whole, []byte("<0x02>"), []byte("<0x01>"), 1)), inference.RoleAnswer, "damaged"},
		{"an embedder that answers", from["embedder"], inference.RoleAnswer, "Choose the role embed"},
		{"an embedder that judges", from["embedder"], inference.RoleRerank, "reranking model"},
		{"a chat model that embeds", from["chat"], inference.RoleEmbed, "one vector"},
		{"a reranker that embeds", from["reranker"], inference.RoleEmbed, "role rerank"},
		{"a role that is none", from["chat"], "cook", "The roles are"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := Take(t.Context(), Import{Dir: dir, Path: c.path, Role: c.role}, nil)
			var e *inference.Error
			if !errors.Is(err, inference.ErrModelFile) || !errors.As(err, &e) || !strings.Contains(e.Message, c.says) {
				t.Errorf("%v", err)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("%v was left", left)
			}
		})
	}
}

func TestTake_RolesThatFit(t *testing.T) {
	from, dir := toys(t), t.TempDir()
	for name, role := range map[string]inference.Role{"embedder": inference.RoleEmbed, "reranker": inference.RoleRerank} {
		r := take(t, dir, from[name], role)
		if !slices.Equal(r.Roles, []inference.Role{role}) || !r.Encoder || r.Entry().CacheKind != catalogue.CacheNone {
			t.Errorf("%+v", r)
		}
		if d, err := Describe(from[name], ""); err != nil || !slices.Equal(d.Roles, []inference.Role{role}) {
			t.Errorf("without a role %s becomes %+v, %v", name, d.Roles, err)
		}
	}
	if d, err := Describe(from["chat"], ""); err != nil || d.Roles[0] != inference.RoleAnswer {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestTake_ACancelAndAFullDiskLeaveNothing(t *testing.T) {
	from := toys(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Take(ctx, Import{Dir: dir, Path: from["chat"], Role: inference.RoleAnswer}, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	_, err = Take(t.Context(), Import{Dir: dir, Path: from["chat"], Role: inference.RoleAnswer, Free: func(string) (int64, error) { return 1 << 30, nil }}, nil)
	if !errors.Is(err, download.ErrNoSpace) {
		t.Errorf("without space: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v was left", left)
	}
}

func TestR121_VerifySeesOneBit(t *testing.T) {
	from, dir := toys(t), t.TempDir()
	r := take(t, dir, from["chat"], inference.RoleAnswer)
	b, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 1
	if err := os.WriteFile(r.Path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(t.Context(), r.Path, r.SHA256, nil); !errors.Is(err, inference.ErrModelFile) {
		t.Errorf("%v", err)
	}
	if err := os.Truncate(r.Path, r.Bytes-1); err != nil {
		t.Fatal(err)
	}
	if list := List(dir); len(list) != 0 {
		t.Errorf("a file of another size is listed: %+v", list)
	}
}

func TestIDs(t *testing.T) {
	for base, want := range map[string]string{"Qwen3-4B Q4_K_M.gguf": "qwen3-4b-q4_k_m", "Modèle.gguf": "mod-le", ".gguf": "model", "..x.gguf": "x"} {
		if got := ID(base); got != want {
			t.Errorf("%q: %q, want %q", base, got, want)
		}
	}
}
