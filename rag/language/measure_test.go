package language

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestMeasures_NameWhatKindOfAnswerIsWanted(t *testing.T) {
	for question, want := range map[string]string{
		"How high is the deposit for a flat?":                          "high",
		"HOW HIGH is it":                                               "high",
		"How high is the deposit and how long is the notice period?":   "high long",
		"What is the height of the fence?":                             "height",
		"At what time does the gate close?":                            "time",
		"Wie hoch ist die Kaution, und wie lange gilt sie?":            "hoch lange",
		"Wie viel beträgt die Pacht?":                                  "beträgt",
		"Um wie viel Uhr schließt das Tor?":                            "uhr",
		"Was ist die Höhe der Kaution?":                                "höhe",
		"Quanto è alta la cauzione?":                                   "alta",
		"A quanto ammonta la cauzione?":                                "ammonta",
		"A che ora si chiude il cancello?":                             "ora",
		"Qual è l'altezza della torre?":                                "altezza",
		"Quel est le montant du dépôt ?":                               "montant",
		"À combien s'élève le dépôt ?":                                 "élève",
		"Quelle est l’épaisseur du mur ?":                              "épaisseur",
		"¿A cuánto asciende la fianza?":                                "asciende",
		"¿Qué tan alta es la torre?":                                   "alta",
		"¿Cuál es el importe de la fianza?":                            "importe",
		"The court of high instance":                                   "", // nothing is asked
		"Which high school did she attend?":                            "", // the word belongs to the subject
		"How did the high court decide?":                               "",
		"How is the height of a tree measured?":                        "",
		"What is the deposit, and is it high?":                         "",
		"Wie wird die Höhe bestimmt?":                                  "",
		"Long documents about old towers, height and time, in the end": "",
		"": "",
	} {
		if got := strings.Join(slices.Sorted(maps.Keys(Measures(question))), " "); got != want {
			t.Errorf("%q: %q, not %q", question, got, want)
		}
	}
}

// Every language has the four lists, in the form in which words are compared.
func TestMeasures_ListsAreWhole(t *testing.T) {
	for _, code := range Codes() {
		for _, section := range []string{"how", "how_much", "what", "quantity"} {
			entries := For(code).Phrases(section)
			if len(entries) == 0 {
				t.Errorf("%s has no [%s]", code, section)
			}
			for _, e := range entries {
				var words []string
				for _, w := range Words(e) {
					words = append(words, w.Lower)
				}
				if strings.Join(words, " ") != e || len(words) > longestAsking {
					t.Errorf("%s [%s]: %q can never be found", code, section, e)
				}
			}
		}
	}
}
