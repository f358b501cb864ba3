package analyze

import (
	"slices"
	"strings"
	"testing"
)

// terms returns the index terms of a text; second readings in brackets.
func terms(text, language string) string {
	var out []string
	Text(text, language, func(term string, aux bool) {
		if aux {
			term = "(" + term + ")"
		}
		out = append(out, term)
	})
	return strings.Join(out, " ")
}

func TestText(t *testing.T) {
	for _, c := range []struct{ name, language, text, want string }{
		{"english stems", "en", "The pumps were running", "the pump were run"},
		{"unknown latin text is stemmed as english", "", "Running pumps", "run pump"},
		{"german", "de", "Die Häuser", "die haus"},
		{"italian elision", "it", "l'acqua dell’impianto", "(l) acqua (dell) impiant"},
		{"french elision", "fr", "qu'il l'homme", "(qu) il (l) homm"},
		{"contraction and possessive", "en", "don't stop the pump's motor", "dont stop the pump motor"},
		{"no elision before a consonant", "en", "c'mon", "cmon"},
		{"folded after the stem", "fr", "naïves", "naiv"},
		{"letters that do not decompose", "pl", "łódź", "lodz"},
		{"sharp s", "de", "Straße", "strass"},
		{"kana keep their marks", "ja", "がか", "がか"},
		{"cyrillic keeps its short i, yo is e", "bg", "йод ёлка", "йод елка"},
		{"turkish capital I", "tr", "IŞIK", "isik"},
		{"full width", "en", "Ｆｕｌｌ", "full"},
		{"half-width kana", "ja", "ｶﾞｽ", "ガス"},
		{"fractions do not join numbers", "en", "6½ sacks", "6 1 2 sack"},
		{"soft hyphen and joiner", "en", "war\u00adran\u200dty", "warranti"},
		{"chinese pairs and signs", "zh", "水泵保修", "(水) 水泵 (泵) 泵保 (保) 保修 (修)"},
		{"one sign", "zh", "水", "水"},
		{"hangul pairs and syllables", "ko", "물을", "(물) 물을 (을)"},
		{"thai pairs of clusters", "th", "กำหนด", "กํา าห หน นด"},
		{"digits inside han", "zh", "第3条", "第 3 条"},
		{"identifier and parts", "en", "ERR_NGX_502", "err_ngx_502 (errngx502) (err) (ngx) (502)"},
		{"camel case", "en", "getUserById", "getuserbyid (get) (user) (by) (id)"},
		{"acronym before a word", "en", "HTTPServer2", "httpserver2 (http) (server) (2)"},
		{"a name in capitals inside is also a word", "en", "iPhones", "iphones (iphon) (i) (phone)"},
		{"version", "en", "v1.2.3", "v1.2.3 (v123) (v) (1) (2) (3)"},
		{"chip", "en", "x86_64", "x86_64 (x8664) (x) (86) (64)"},
		{"part number", "en", "KX-200", "kx-200 (kx200) (kx) (200)"},
		{"hyphen", "en", "e-mail", "e mail (email)"},
		{"dots", "en", "example.com", "exampl com (example.com)"},
		{"initials", "en", "U.S.A. and", "usa and"},
		{"english number", "en", "1,234.56", "1,234.56 (1234.56)"},
		{"german number", "de", "1.234,56", "1.234,56 (1234.56)"},
		{"swiss number", "de", "1'234", "1'234 (1234)"},
		{"decimal comma", "de", "3,5", "3,5 (3.5)"},
		{"grouping dot", "de", "12.000", "12.000 (12000)"},
		{"grouping space", "fr", "12\u202f000", "12000"},
		{"iso date", "en", "2024-03-01", "2024-03-01 (2024)"},
		{"german date", "de", "1.3.2024", "1.3.2024 (2024-03-01) (2024)"},
		{"slashes have two readings", "en", "03/04/2024", "03/04/2024 (2024-04-03) (2024-03-04) (2024)"},
		{"no such day", "en", "2024-02-31", "2024-02-31 (2024) (02) (31)"},
		{"month by name", "en", "March 1st, 2024", "march 1st (1) (st) 2024 (2024-03-01)"},
		{"italian month", "it", "1 marzo 2024", "1 marz 2024 (2024-03-01)"},
		{"time", "en", "12:30", "12:30 (12) (30)"},
		{"an endless token is data", "en", strings.Repeat("ab12", 20) + " end", "end"},
		{"broken bytes end words", "en", "pum\xffp", "pum p"},
		{"hindi keeps vowel signs", "hi", "हीटिंग", "हीटिंग"},
		{"latin inside chinese is stemmed", "zh", "水pumps", "水 pump"},
		{"nothing", "en", " … — ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := terms(c.text, c.language); got != c.want {
				t.Errorf("%q (%s)\n gave %s\n want %s", c.text, c.language, got, c.want)
			}
		})
	}
}

// A question must produce every term that its own words have in the index.
func TestQuery_FindsWhatTextIndexes(t *testing.T) {
	for language, text := range samples {
		indexed := map[string]bool{}
		Text(text, language, func(term string, _ bool) { indexed[term] = true })
		for _, g := range Query(text, []string{"", "de", "en", language}) {
			if !slices.ContainsFunc(g.Variants, func(v string) bool { return indexed[v] }) {
				t.Errorf("%s: %q has the variants %v, none of them is indexed", language, g.Surface, g.Variants)
			}
		}
	}
}

func TestQuery_VariantsOfEveryLanguageFormOneGroup(t *testing.T) {
	groups := Query("nationale", []string{"de", "fr", "it"})
	if len(groups) != 1 {
		t.Fatalf("%d groups for one word", len(groups))
	}
	// German keeps national, French cuts to national, Italian to nazional only
	// with its own spelling: here nationale loses its vowel.
	if want := []string{"national"}; !slices.Equal(groups[0].Variants, want) {
		t.Fatalf("variants %v, want %v", groups[0].Variants, want)
	}
	if g := Query("Häuser", []string{"de", "en"}); !slices.Equal(g[0].Variants, []string{"haus", "hauser"}) {
		t.Fatalf("variants %v", g[0].Variants)
	}
}

func TestContent(t *testing.T) {
	for _, c := range []struct {
		name, text string
		corpus     []string
		want       []string
	}{
		{"english question", "What is the warranty of pump A?", []string{"en"}, []string{"warranty", "pump", "A"}},
		{"italian question over an english library", "Quanto dura la garanzia della pompa?", []string{"en"}, []string{"dura", "garanzia", "pompa"}},
		{"german article is no english verb", "Wie lange ist die Garantie?", []string{"de", "en"}, []string{"Garantie"}},
		{"die as an english word", "When did the plants die?", []string{"de", "en"}, []string{"plants", "die"}},
		{"nothing but stop words keeps them", "to be or not to be", []string{"en"}, []string{"to", "be", "or", "not"}},
		{"capitals are names", "What does IT say about WHO?", []string{"en"}, []string{"IT", "WHO"}},
		{"the parts of an identifier are not content", "What is ERR_NGX_502?", []string{"en"}, []string{"ERR_NGX_502"}},
		{"chinese question words", "水泵保修多少年", []string{"zh"}, []string{"水泵", "泵保", "保修"}},
		{"russian", "Какой срок гарантии?", []string{"ru"}, []string{"срок", "гарантии"}},
		{"empty", "", []string{"en"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Content(c.text, c.corpus); !slices.Equal(got, c.want) {
				t.Errorf("Content(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestStemCache_ForgetsButStaysRight(t *testing.T) {
	c := newStemCache()
	for i := range 3 * stemCacheSize {
		w := strings.Repeat("x", 1+i%5) + string(rune('a'+i%26)) + string(rune(0x4E00+i%20000))
		c.put(w, w)
	}
	if n := len(c.young) + len(c.old); n > 2*stemCacheSize {
		t.Fatalf("%d words are remembered, at most %d may be", n, 2*stemCacheSize)
	}
	c.put("pumps", "pump")
	if s, ok := c.get("pumps"); !ok || s != "pump" {
		t.Fatalf("got %q, %v", s, ok)
	}
}

func FuzzText(f *testing.F) {
	for language, text := range samples {
		f.Add(text, language)
	}
	f.Add("a_.b-'c\u0301\xff1.2,3/4", "tr")
	f.Fuzz(func(t *testing.T, text, language string) {
		first := terms(text, language)
		if second := terms(text, language); first != second {
			t.Fatalf("two readings differ: %q and %q", first, second)
		}
		indexed := map[string]bool{}
		Text(text, language, func(term string, _ bool) {
			if term == "" {
				t.Fatal("an empty term")
			}
			indexed[term] = true
		})
		for _, g := range Query(text, []string{language}) {
			if !slices.ContainsFunc(g.Variants, func(v string) bool { return indexed[v] }) {
				t.Fatalf("%q asks for %q, which the text does not have", g.Surface, g.Variants)
			}
		}
	})
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat(samples["en"]+" ", 8)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Text(text, "en", func(string, bool) {})
	}
}
