package language

import (
	"slices"
	"strings"
	"testing"
)

func texts(words []Word) string {
	var out []string
	for _, w := range words {
		out = append(out, w.Lower)
	}
	return strings.Join(out, "|")
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"How long is the Harlow Bridge?", "how|long|is|the|harlow|bridge"},
		{"L'album dell’artista", "l|album|dell|artista"},
		{"Don't use Ruth's key", "don't|use|ruth|key"},
		{"snake_case X-200", "snake_case|x|200"},
		{"東京都 hall", "東京|京都|hall"},
		{"Qu'est-ce que c'est ?", "qu|est|ce|que|c|est"},
		{"", ""},
	} {
		if got := texts(Words(c.text)); got != c.want {
			t.Errorf("Words(%q) = %s, want %s", c.text, got, c.want)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		code, text string
		want       []string
	}{
		{"en", "Dr. Smith came at 3.30 p.m. on Monday. He left.", []string{"Dr. Smith came at 3.30 p.m. on Monday.", "He left."}},
		{"en", "1. Open the valve. 2 bar is enough!", []string{"1. Open the valve.", "2 bar is enough!"}},
		{"en", "Use tools, e.g. a wrench. Then stop", []string{"Use tools, e.g. a wrench.", "Then stop"}},
		{"en", "It is 3.5 m long [1]. It is new. [2] Fine?", []string{"It is 3.5 m long [1].", "It is new. [2]", "Fine?"}},
		{"en", "One line\nstill one. Two", []string{"One line\nstill one.", "Two"}},
		{"en", "Head\n\nBody. - no item", []string{"Head", "Body.", "- no item"}},
		{"en", "Items:\n- one\n- two", []string{"Items:", "- one", "- two"}},
		{"en", "Run ```x``` now. Ok", []string{"Run ```x``` now.", "Ok"}},
		{"en", "```\na. b\n```\nEnd. More", []string{"```\na. b\n```\nEnd.", "More"}},
		{"de", "Das ist z. B. am 3. Mai so. Gut.", []string{"Das ist z. B. am 3. Mai so.", "Gut."}},
		{"it", "Il sig. Rossi paga. Sì.", []string{"Il sig. Rossi paga.", "Sì."}},
		{"zh", "第一句。第二句！", []string{"第一句。", "第二句！"}},
		{"en", "He said “Stop.” Then left.", []string{"He said “Stop.”", "Then left."}},
		{"en", "  \n ", nil},
	} {
		var got []string
		for _, s := range For(c.code).Sentences(c.text) {
			got = append(got, c.text[s.Start:s.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("Sentences(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		text, code string
		sure       bool
	}{
		{"How long is the bridge and who built it?", "en", true},
		{"Quanto è lungo il ponte e chi lo ha costruito?", "it", true},
		{"Wie lang ist die Brücke und wer hat sie gebaut?", "de", true},
		{"Quelle est la longueur du pont et qui l'a construit ?", "fr", true},
		{"¿Cuál es la longitud del puente y quién lo construyó?", "es", true},
		{"橋の長さは何メートルですか", "ja", true},
		{"桥有多长？", "zh", true},
		{"B1", "en", false},
	} {
		code, sure := Detect(c.text)
		if code != c.code || sure != c.sure {
			t.Errorf("Detect(%q) = %s, %v, want %s, %v", c.text, code, sure, c.code, c.sure)
		}
	}
}

// Each pair states the same value in two spellings, possibly in two languages.
func TestValuesMeetAcrossSpellings(t *testing.T) {
	for _, c := range []struct{ code, says, evidence string }{
		{"en", "It takes three days.", "Die Frist beträgt 3 Tage."},
		{"en", "It costs 1000.5 euros.", "Il prezzo è di 1.000,5 euro."},
		{"de", "Es kostet 1.000,50 Euro.", "The price is 1,000.50 euros."},
		{"fr", "Le prix est de 1 000 euros.", "The price is 1,000 euros."},
		{"en", "On 14 September 1932.", "Eröffnet am 14.09.1932."},
		{"en", "On September 14, 1932.", "Inaugurato il 14 settembre 1932."},
		{"en", "On 14 September.", "It opened on 1932-09-14."},
		{"en", "In 1932.", "It opened on 14 September 1932."},
		{"es", "El 3 de mayo de 2020.", "On 3 May 2020 it rained."},
		{"en", "Until 8 p.m. on Thursdays.", "Am Donnerstag bis 20:00 Uhr, Thursdays."},
		{"en", "There are twenty-five seats.", "25 Plätze"},
		{"en", "There are two hundred and fifty seats.", "250 places"},
		{"de", "Es sind fünfundzwanzig Plätze.", "There are 25 seats."},
		{"it", "Sono ventuno giorni.", "21 Tage"},
		{"fr", "Il y a quatre-vingt-dix places.", "90 Plätze"},
		{"fr", "Il y a soixante et onze places.", "71 Plätze"},
		{"es", "Hay treinta y cinco plazas.", "35 seats"},
		{"en", "Level B1 is enough.", "Niveau B1 genügt."},
		{"en", "The bridge was built by Ruth Calloway.", "Ruth Calloway's bridge"},
		{"en", "On Monday the office is shut.", "Lunedì l'ufficio è chiuso."},
	} {
		l := For(c.code)
		known := NewKnown(l)
		known.Add(c.evidence)
		values := l.Values(c.says)
		if len(values) == 0 && !strings.HasPrefix(c.says, "On Monday") {
			t.Errorf("no value found in %q", c.says)
		}
		for _, v := range values {
			if !known.Holds(v) {
				t.Errorf("%q: %s %q %v not held by %q %v", c.says, v.Kind, v.Text, v.forms, c.evidence, known.forms)
			}
		}
	}
}

func TestValuesThatDiffer(t *testing.T) {
	for _, c := range []struct{ code, says, evidence string }{
		{"en", "It takes four days.", "It takes 3 days."},
		{"en", "It costs 1000.6 euros.", "1.000,5 euro"},
		{"en", "On 15 September 1932.", "On 14 September 1932."},
		{"en", "It was built by Ruth Miller.", "Ruth Calloway built it."},
		{"en", "Level B2 is enough.", "Level B1 is enough."},
		{"de", "Gebaut von Ruth Müller.", "Gebaut von Ruth Calloway."},
		{"de", "Gebaut von der NATO.", "Gebaut von Ruth Calloway."},
		{"en", "Until 9 p.m.", "Until 8 p.m."},
	} {
		l := For(c.code)
		known := NewKnown(l)
		known.Add(c.evidence)
		if !slices.ContainsFunc(l.Values(c.says), func(v Value) bool { return !known.Holds(v) }) {
			t.Errorf("%q: all values held by %q", c.says, c.evidence)
		}
	}
}

func TestValuesExempt(t *testing.T) {
	for _, c := range []struct{ code, text string }{
		{"en", "It is fine [12]."},
		{"en", "1. Open it\n2. Close it"},
		{"en", "There is one way. Then we stop."},
		{"de", "Die Katze sitzt auf dem Tisch."},
		{"it", "C'è una casa."},
		{"en", "“Quoted words” begin here: Another begins."},
	} {
		if v := For(c.code).Values(c.text); len(v) != 0 {
			t.Errorf("Values(%q) = %+v, want none", c.text, v)
		}
	}
}

func TestNumberForms(t *testing.T) {
	for token, want := range map[string][]string{
		"1000.5": {"n:1000.5"}, "1.000,5": {"n:1000.5"}, "1,000.5": {"n:1000.5"}, "1.000": {"n:1", "n:1000"},
		"3,5": {"n:3.5"}, "1.000.000": {"n:1000000"}, "1.2.3": {"v:1.2.3"}, "007": {"n:7"}, "0.125": {"n:0.125"},
	} {
		if got := NumberForms(token); !slices.Equal(got, want) {
			t.Errorf("NumberForms(%q) = %v, want %v", token, got, want)
		}
	}
}
