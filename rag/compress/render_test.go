package compress

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"referent/rag"
)

var update = flag.Bool("update", false, "write the snapshots anew")

// quarter counts a token for four code points, rounded up.
func quarter(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

func TestP48_TotalMonotoneByteStable(t *testing.T) {
	for _, class := range []rag.Class{rag.ClassFact, rag.ClassSnapshot, rag.ClassTransient, rag.ClassUnknown, "", "foreign"} {
		for _, text := range corpus() {
			for _, pinned := range []bool{true, false} {
				p := Passage{ID: 12345678, Text: text, Class: class}
				first := Render(p, pinned, quarter)
				if first.Tokens > quarter(text) {
					t.Errorf("%s %q costs %d, source %d", class, text, first.Tokens, quarter(text))
				}
				if !utf8.ValidString(first.Text) && utf8.ValidString(text) {
					t.Errorf("%q is cut inside a character", text)
				}
				for range 10 {
					if again := Render(p, pinned, quarter); again != first {
						t.Fatalf("not stable: %+v, %+v", first, again)
					}
				}
			}
		}
	}
}

// A second process must render the same bytes.
func TestP48_ASecondProcessAgrees(t *testing.T) {
	if os.Getenv("RENDER_CHILD") == "1" {
		_ = json.NewEncoder(os.Stdout).Encode(renderAll())
		os.Exit(0)
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestP48_ASecondProcessAgrees")
	cmd.Env = append(os.Environ(), "RENDER_CHILD=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	_ = json.NewEncoder(&want).Encode(renderAll())
	if !bytes.Equal(out, want.Bytes()) {
		t.Errorf("the processes differ:\n%s\n%s", out, want.Bytes())
	}
}

// The fixture maps each text to its renderings; a difference is a decision.
func TestP48_Fixture(t *testing.T) {
	got, err := json.MarshalIndent(renderAll(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	path := "testdata/rendered.json"
	if *update {
		if err := os.WriteFile(path, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != strings.TrimSpace(string(want)) {
		t.Errorf("rendering changed; run with -update if it is meant\n%s", got)
	}
}

func TestP49_ClassDecides(t *testing.T) {
	long := "The boiler is old. " + strings.Repeat("It was mended in spring. ", 4)
	for _, c := range []struct {
		class  rag.Class
		pinned bool
		want   rag.Strategy
	}{
		{rag.ClassFact, false, rag.StrategyVerbatim},
		{rag.ClassSnapshot, false, rag.StrategyHeadline},
		{rag.ClassTransient, false, rag.StrategyStub},
		{rag.ClassUnknown, false, rag.StrategyVerbatim},
		{"archive", false, rag.StrategyVerbatim},
		{rag.ClassSnapshot, true, rag.StrategyVerbatim},
		{rag.ClassTransient, true, rag.StrategyVerbatim},
	} {
		got := Render(Passage{ID: 1, Text: long, Class: c.class}, c.pinned, quarter)
		if got.Strategy != c.want {
			t.Errorf("%s pinned=%v: %s, want %s", c.class, c.pinned, got.Strategy, c.want)
		}
		if c.want == rag.StrategyVerbatim && got.Text != long {
			t.Errorf("%s is not the source: %q", c.class, got.Text)
		}
	}
}

func TestP50_Headline(t *testing.T) {
	words60 := strings.TrimSpace(strings.Repeat("word ", 60)) // 299 code points
	nospace := strings.Repeat("x", 300)
	for _, c := range []struct{ name, code, text, want string }{
		{"first sentence", "en", "The roof leaks. We call a roofer.", "The roof leaks.…"},
		{"one sentence stays", "en", "The roof leaks.", "The roof leaks."},
		{"trailing white space loses nothing", "en", "The roof leaks. \n", "The roof leaks. \n"},
		{"abbreviation", "en", "Dr. Smith spoke. Then all left.", "Dr. Smith spoke.…"},
		{"list marker", "en", "1. Open the valve. Wait.", "1. Open the valve.…"},
		{"question mark", "en", "Who pays? The owner.", "Who pays?…"},
		{"ideographic stop", "zh", "屋顶漏水。我们修。", "屋顶漏水。…"},
		{"only a fence", "en", "```\na. b\n```", "```\na. b\n```"},
		{"dot in a fence", "en", "See\n```\na. b\n```\nthis. More", "See\n```\na. b\n```\nthis.…"},
		{"fence first", "en", "```\na. b\n```\n\nThen more text.", "```\na. b\n```…"},
		{"unbalanced fence is text", "en", "```\nOne. Two.", "```\nOne.…"},
		{"cut at white space", "en", words60, strings.TrimSpace(strings.Repeat("word ", 48)) + "…"},
		{"cut at any white space", "en", strings.ReplaceAll(words60, " ", "\u3000"), strings.TrimSpace(strings.Repeat("word\u3000", 48)) + "…"},
		{"no white space", "en", nospace, nospace[:240] + "…"},
		{"no cut inside a grapheme", "en", strings.Repeat("e\u0301", 150), strings.Repeat("e\u0301", 120) + "…"},
	} {
		if got := Headline(c.text, c.code); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestP51_Stub(t *testing.T) {
	long := strings.Repeat("note ", 20)
	got := Render(Passage{ID: 42, Text: long, Class: rag.ClassTransient}, false, quarter)
	if got.Text != "[stub: passage=42 class=transient]" || got.Strategy != rag.StrategyStub {
		t.Errorf("got %+v", got)
	}
	short := "call Ann"
	if got := Render(Passage{ID: 42, Text: short, Class: rag.ClassTransient}, false, quarter); got.Text != short || got.Strategy != rag.StrategyVerbatim {
		t.Errorf("a stub is longer than its source: %+v", got)
	}
	if got := Render(Passage{ID: 42, Class: rag.ClassTransient}, false, quarter); got.Text != "" || got.Tokens != 0 || got.Strategy != rag.StrategyVerbatim {
		t.Errorf("empty content: %+v", got)
	}
	// A tokenizer that finds the stub dearer keeps the source.
	dear := func(s string) int {
		if strings.HasPrefix(s, "[stub") {
			return 1000
		}
		return 10
	}
	if got := Render(Passage{ID: 42, Text: long, Class: rag.ClassTransient}, false, dear); got.Strategy != rag.StrategyVerbatim {
		t.Errorf("a dearer stub was taken: %+v", got)
	}
}

func FuzzP48_NeverDearerThanTheSource(f *testing.F) {
	for _, text := range corpus() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, class := range []rag.Class{rag.ClassSnapshot, rag.ClassTransient} {
			got := Render(Passage{ID: 7, Text: text, Class: class}, false, quarter)
			if got.Tokens > quarter(text) {
				t.Errorf("%s: %d tokens for a source of %d", class, got.Tokens, quarter(text))
			}
		}
	})
}

func renderAll() map[string]map[string]Rendered {
	out := map[string]map[string]Rendered{}
	for i, text := range corpus() {
		row := map[string]Rendered{}
		for _, class := range []rag.Class{rag.ClassFact, rag.ClassSnapshot, rag.ClassTransient} {
			row[string(class)] = Render(Passage{ID: int64(i), Text: text, Class: class, Language: "en"}, false, quarter)
		}
		out[text] = row
	}
	return out
}

func corpus() []string {
	return []string{
		"", " ", "One.", "One. Two.", "e.g. this one. And that.", "```go\nx := 1. \n```", "A\n```\nunclosed. text",
		"Minutes of 3 May. The board met at 8 p.m. in the hall. It decided to mend the roof.",
		strings.Repeat("x", 500), strings.Repeat("漢", 300), strings.Repeat("word ", 100), "- item one\n- item two",
		"What is due? The rent! Always。", "  leading space. tail", "a\n\n\nb", "👩‍👩‍👧‍👦" + strings.Repeat("👩‍👩‍👧‍👦", 80),
	}
}
