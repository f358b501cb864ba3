package toy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/inference/gguf"
)

func TestCutJoinsAgainAndNeverRepeats(t *testing.T) {
	for _, text := range []string{
		"The rent is due on the third day [1].",
		"the the the cat",
		"a b a b a b a b",
		"line one\nline two\n\nline one",
		" leading and trailing ",
	} {
		pieces, err := Cut(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if strings.Join(pieces, "") != text {
			t.Errorf("%q became %q", text, pieces)
		}
		sorted := slices.Clone(pieces)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(pieces) {
			t.Errorf("%q: a piece repeats in %q", text, pieces)
		}
	}
}

func TestCutKeepsWords(t *testing.T) {
	pieces, err := Cut("the cat saw the dog")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"the", " cat", " saw", " the", " dog"}; !slices.Equal(pieces, want) {
		t.Errorf("got %q, want %q", pieces, want)
	}
}

func TestModelsPassTheCheckAndStaySmall(t *testing.T) {
	words := strings.Fields("notice period rent deposit")
	for name, write := range map[string]func(string) (string, error){
		"chat":     Chat{Text: "Three months [1]."}.Write,
		"bytes":    Chat{Pieces: append([]string{"<think>", "hm", "</think>"}, SingleBytes("你")...)}.Write,
		"sliding":  Chat{Text: "Three months [1].", Kind: Sliding}.Write,
		"hybrid":   Chat{Text: "Three months [1].", Kind: Hybrid}.Write,
		"loop":     Chat{Text: "on and on", Loop: true}.Write,
		"embedder": Embedder{Words: words}.Write,
		"reranker": Reranker{Likes: words[:2], Knows: words[2:]}.Write,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.gguf")
			first, err := write(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := gguf.Check(path); err != nil {
				t.Error(err)
			}
			if st, err := os.Stat(path); err != nil || st.Size() > 6<<20 {
				t.Errorf("%v, %v", st, err)
			}
			if second, err := write(path); err != nil || second != first {
				t.Errorf("a second run gave %s instead of %s, %v", second, first, err)
			}
		})
	}
}

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.gguf")
	for name, write := range map[string]func(string) (string, error){
		"nothing to say": Chat{}.Write,
		"a piece twice":  Chat{Pieces: []string{"one", "one"}}.Write,
		"a byte twice":   Chat{Pieces: SingleBytes("aa")}.Write,
		"a control":      Chat{Pieces: []string{"<|im_end|>"}}.Write,
		"upper case":     Embedder{Words: []string{"Rent"}}.Write,
		"an odd word": func(string) (string, error) {
			_, err := Embedder{Words: []string{"rent"}}.Vector("rent", "boiler")
			return "", err
		},
		"two words": Reranker{Likes: []string{"the rent"}}.Write,
	} {
		if _, err := write(path); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
