package lab

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/extract"
	"referent/rag/retrieve"
)

// A library whose files were just added has no vectors: what passes the floor
// then passes by its words. The sample library is in three languages; a sentence
// of its rules stands for the other two.
func TestSample_PlainQuestionsFindTheirAnswerByWords(t *testing.T) {
	read := func(ctx context.Context, path string) (rag.Extraction, error) {
		if filepath.Ext(path) == ".pdf" {
			return rag.Extraction{Status: rag.FileUnsupported}, nil
		}
		return extract.File(ctx, path, extract.Options{})
	}
	sets, err := Read(t.Context(), "S0", Places{Sample: filepath.Join("..", "..", "testdata"), Extract: read})
	if err != nil {
		t.Fatal(err)
	}
	rows := append(sets[0].Rows, Row{ID: "fr", Language: "fr", Text: "Le dépôt pour un appartement est de deux mois de loyer. Il est payé en trois fois."},
		Row{ID: "es", Language: "es", Text: "La fianza por un piso es de dos mensualidades. Se paga en tres plazos."})
	shelf, err := NewShelf(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	words, err := retrieve.New(retrieve.Deps{Snapshot: shelf.index.Snapshot, Store: shelf}).Lookup(retrieve.BM25)
	if err != nil {
		t.Fatal(err)
	}
	for question, fact := range map[string]string{
		"How high is the deposit for a flat?":                            "two months' basic rent",
		"How high is the deposit for a flat, and when is it settled?":    "two months' basic rent",
		"How high is the deposit and how long is the notice period?":     "period of notice",
		"What is the amount of the deposit for a flat?":                  "two months' basic rent",
		"How large was the surplus?":                                     "surplus",
		"Wie hoch ist die Pacht für ein Beet?":                           "24 Euro im Jahr",
		"Wie hoch ist die Pacht, und wie lange werden Beete vergeben?":   "24 Euro im Jahr",
		"Wie teuer ist die Zwischenablesung?":                            "21,50 Euro",
		"A quanto ammonta la cauzione per una cassetta?":                 "30 euro",
		"Quanto è grande la cassetta, e a quanto ammonta la cauzione?":   "30 euro",
		"A che ora si chiude il cancello?":                               "chiude alle 21",
		"À combien s'élève le dépôt pour un appartement ?":               "deux mois",
		"Quel est le montant du dépôt, et en combien de fois le payer ?": "deux mois",
		"¿A cuánto asciende la fianza por un piso?":                      "dos mensualidades",
		"¿Cuál es el importe de la fianza y en cuántos plazos se paga?":  "dos mensualidades",

		"How high is the Matterhorn?":                      "",
		"How tall is the garden fence?":                    "",
		"How old is the president of the republic?":        "",
		"Wie hoch ist der Kölner Dom?":                     "",
		"Quanto è alta la torre di Pisa?":                  "",
		"Quelle est la hauteur de la tour Eiffel ?":        "",
		"¿Qué tan alta es la catedral de Burgos?":          "",
		"What time does the museum of modern art open?":    "",
		"Wie lange dauert der Flug von Rom nach New York?": "",
	} {
		found, err := words.Retrieve(t.Context(), retrieve.Query{Texts: []string{question}})
		if err != nil {
			t.Fatal(err)
		}
		passed, right := 0, false
		for _, h := range found.Hits {
			if h.PassedFloor {
				passed++
				right = right || fact != "" && strings.Contains(fold(h.Text), fold(fact))
			}
		}
		if fact == "" && passed > 0 || fact != "" && !right {
			t.Errorf("%q: %d hits pass, the right one among them: %v", question, passed, right)
		}
	}
}
