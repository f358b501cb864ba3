package sentence

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func readCatalogue(t *testing.T) catalogue {
	t.Helper()
	var c catalogue
	if err := json.Unmarshal(italian, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// Whoever writes a sentence that can reach the window writes its Italian too.
func TestEverySentenceOfTheProgramIsInTheCatalogue(t *testing.T) {
	c := readCatalogue(t)
	seen := map[string]bool{}
	found := templates(t, filepath.Join("..", ".."))
	if len(found) < 600 {
		t.Fatalf("only %d sentences were found", len(found))
	}
	for _, f := range found {
		if _, ok := c.Sentences[f.text]; !ok && !seen[f.text] {
			t.Errorf("%s: app/sentence/italian.json has no Italian for %q", f.place, f.text)
		}
		seen[f.text] = true
	}
	for text := range c.Sentences {
		if !seen[text] {
			t.Errorf("app/sentence/italian.json: nothing in the program says %q any more", text)
		}
	}
	for text, why := range noSentences {
		if why == "" || strings.TrimSpace(text) == "" {
			t.Errorf("%q is left out without a reason", text)
		}
	}
	for place := range elsewhere {
		if _, err := os.Stat(filepath.Join("..", "..", place)); err != nil {
			t.Errorf("%s is left out and is not there: %v", place, err)
		}
	}
}

// A translation fills in what its template does, each value once.
func TestTranslationsKeepTheValues(t *testing.T) {
	c := readCatalogue(t)
	for _, part := range []map[string]string{c.Sentences, c.Joined} {
		for from, to := range part {
			if a, b := verbsOf(from), verbsOf(to); !slices.Equal(a, b) {
				t.Errorf("%q has %v, %q has %v", from, a, to, b)
			}
			if strings.TrimSpace(to) == "" {
				t.Errorf("%q has no translation", from)
			}
		}
	}
}

// The report of the Lab has no text of its own that could not be said.
func TestTheReportSaysAllItsTexts(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "rag", "lab", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?s)<style>.*?</style>|\{\{.*?\}\}|<[^>]*>`).ReplaceAllString(string(page), " ")
	for _, word := range strings.Fields(text) {
		if !slices.Contains([]string{"n", "p50", "p95", ","}, word) {
			t.Errorf("report.html says %q in every language", word)
		}
	}
	if aria := regexp.MustCompile(`(aria-label|alt|title)="[^"{]`).FindString(string(page)); aria != "" {
		t.Errorf("report.html says %s in every language", aria)
	}
}

func verbsOf(text string) (out []string) {
	numbered := false
	for _, m := range value.FindAllStringSubmatch(text, -1) {
		if m[2] != "" {
			out = append(out, m[2])
			numbered = numbered || m[1] != ""
		}
	}
	if numbered {
		slices.Sort(out)
	}
	return out
}

func TestSay(t *testing.T) {
	it := For("it")
	for _, c := range []struct{ english, italian string }{
		{"", ""},
		{"The password is empty. Enter the password of the file.", "La password è vuota. Inserisci la password del file."},
		// two sentences of one template, the first of which is another template too
		{"No embedding model is loaded. Files are found by their words only.", "Non è caricato alcun modello di ricerca per significato. I file si trovano solo con le loro parole."},
		{"No model named \"a b\" is installed.", "Non è installato alcun modello di nome \"a b\"."},
		{"1,204 passages of the earlier evidence are no longer in the library as they were.", "1.204 passi delle prove di allora non sono più nella libreria com'erano."},
		{"The model did not finish within 2.5 seconds.", "Il modello non ha finito entro 2,5 secondi."},
		// the reason inside is a part of the sentence, a path is not
		{"The model worker ended: it was ended from outside. It is started again when it is needed.", "Il processo dei modelli è finito: è stato chiuso dall'esterno. Riparte quando serve."},
		{"/home/a/It is damaged. is not in the library.", "/home/a/It is damaged. non è nella libreria."},
		{"The document “It is damaged.” was read as a whole.", "Il documento «It is damaged.» è stato letto per intero."},
		{"Of the attachment “a.pdf”: The password is empty.", "Dell'elemento «a.pdf» (allegato): La password è vuota."},
		{"condense.history cannot be \"x\". It takes a whole number from 0 to 20, or auto.", "condense.history non può essere \"x\". Accetta un numero intero da 0 a 20, o auto."},
		{"12 files, 3 MB, about 5 pages: about a few seconds until their words can be found, about 2 minutes until search by meaning is complete.",
			"12 file, 3 MB, circa 5 pagine: circa pochi secondi prima che le loro parole si trovino, circa 2 minuti prima che la ricerca per significato sia completa."},
		{"condense_context is chosen: it closes 61 % of the gap, and no cheaper engine comes near. Provisional: S4 and S6 was not measured for all of them. It is not confirmed end to end: whole answers (S8) were not measured by hybrid.",
			"Si sceglie condense_context: chiude il 61 % del divario e nessun motore meno costoso ci va vicino. Provvisorio: S4 e S6 non sono state misurate per tutti. Non è confermato fino in fondo: le risposte intere (S8) non sono state misurate con hybrid."},
		{"veto: finds less than simple in conversations, beyond chance; 12.5 % of its rewrites failed, more than 10 %",
			"veto: trova meno di simple nelle conversazioni, oltre il caso; il 12,5 % delle sue riscritture non è riuscito, più del 10 %"},
		// what the program did not say stays
		{"A foreign word. The password is empty. Another one.", "A foreign word. La password è vuota. Another one."},
		{"Ask Ada and Ben, by Friday.", "Ask Ada and Ben, by Friday."},
	} {
		if got := it.Say(c.english); got != c.italian {
			t.Errorf("%q\n got %q\nwant %q", c.english, got, c.italian)
		}
		if got := For("en").Say(c.english); got != c.english {
			t.Errorf("in English %q became %q", c.english, got)
		}
	}
}

func BenchmarkSay(b *testing.B) {
	it := For("it")
	for b.Loop() {
		it.Say("Pages that are pictures, whose words are not read: 3, 7 and 12. The sheet “Rents” is damaged and was read in part.")
	}
}
