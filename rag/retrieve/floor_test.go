package retrieve

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"referent/storage/index"
)

func TestFloor_WhatIsNeededFallsWithTheNumberOfWords(t *testing.T) {
	for words, want := range map[float64]float64{0: 1, 0.5: 1, 1: 1, 4: 0.6, 16: 0.4, 64: 0.3} {
		if got := neededShare(words); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v words need %v, not %v", words, got, want)
		}
	}
	for words := 1.0; words < 40; words++ {
		if neededShare(words+1) >= neededShare(words) || neededShare(words) < leastShare {
			t.Errorf("%v words need %v", words, neededShare(words))
		}
	}
}

// Half of a long question is evidence, half of a short one is chance; of one
// word, and of a question that one rare word decides, that word is needed.
func TestFloor_LongQuestionsNeedAShareShortOnesTheirWords(t *testing.T) {
	w := newWorld(t)
	said := strings.Fields("boiler valve filter pump motor gauge")
	unsaid := strings.Fields("hinge ladder magnet needle orchard paddle")
	w.add(1, "/a/1.txt", nil, strings.Join(said, " "))
	for i, word := range unsaid { // each word is as rare as the others
		w.add(int64(i+2), fmt.Sprintf("/a/%d.txt", i+2), nil, word+" quarry")
	}
	for i := range 30 {
		w.add(int64(i+20), fmt.Sprintf("/a/%d.txt", i+20), nil, "quarry and stone")
	}
	for _, c := range []struct {
		text string
		want bool
	}{
		{"boiler", true},
		{"boiler hinge", false},
		{"boiler valve hinge", true},                                                     // two of three
		{"boiler hinge ladder", false},                                                   // one of three
		{"boiler valve filter hinge", true},                                              // three of four
		{"boiler valve hinge ladder magnet", false},                                      // two of five
		{strings.Join(said, " ") + " " + strings.Join(unsaid, " "), true},                // six of twelve
		{strings.Join(said[:3], " ") + " " + strings.Join(unsaid, " "), false},           // three of nine
		{"quarry stone " + strings.Join(unsaid[:1], " ") + " boiler", false},             // two common words weigh little
		{"quarry stone boiler valve filter pump motor gauge", true},                      // and are missed little
		{"What does the " + strings.Join(said[:4], " ") + " of the zeppelin cost", true}, // four of five
	} {
		found := false
		for _, h := range w.search("bm25", w.ask(c.text)).Hits {
			if h.Document == 1 {
				found = true
				if h.PassedFloor != c.want {
					t.Errorf("%q passes: %v, share %.3f", c.text, h.PassedFloor, h.TermShare)
				}
			}
		}
		if !found {
			t.Errorf("%q does not find it", c.text)
		}
	}
}

// What a question asks how high, how long or when of is evidence by itself. The
// word of the measure stands nowhere, as in most documents that give it, so it
// would be the rarest.
func TestFloor_AMeasureThatIsAskedForNeedNotBeSaid(t *testing.T) {
	for language, c := range map[string]struct {
		passage  string
		evidence []string
		chance   []string // refused: they are about something else
	}{
		"en": {"The deposit for a flat is two months' basic rent.",
			[]string{"How high is the deposit for a flat?", "What is the amount of the deposit for a flat?", "How high is the deposit for a flat, and how high is the rent?"},
			[]string{"How high is the cathedral?", "How high is the fence of a flat?", "How high?", "Is the deposit high in summer?"}},
		"de": {"Die Kaution für eine Wohnung beträgt zwei Monatsmieten.",
			[]string{"Wie hoch ist die Kaution für eine Wohnung?", "Wie hoch ist die Kaution, und wie groß ist die Wohnung?"},
			[]string{"Wie hoch ist der Kölner Dom?", "Wie hoch ist der Zaun einer Wohnung?"}},
		"it": {"La cauzione per un appartamento è di due mensilità.",
			[]string{"A quanto ammonta la cauzione per un appartamento?", "Quanto è alta la cauzione?"},
			[]string{"Quanto è alta la cattedrale?", "A quanto ammonta la multa per un appartamento?"}},
		"fr": {"Le dépôt pour un appartement est de deux mois de loyer.",
			[]string{"À combien s'élève le dépôt pour un appartement ?", "Quel est le montant du dépôt pour un appartement ?"},
			[]string{"Quelle est la hauteur de la cathédrale ?", "Quel est le montant de l'amende pour un appartement ?"}},
		"es": {"La fianza por un piso es de dos mensualidades.",
			[]string{"¿A cuánto asciende la fianza por un piso?", "¿Cuál es el importe de la fianza por un piso?"},
			[]string{"¿Qué tan alta es la catedral?", "¿A cuánto asciende la multa por un piso?"}},
	} {
		w := newWorld(t)
		in := func(c *index.DocumentColumns) { c.Language = language }
		w.add(1, "/a/rules.txt", in, c.passage)
		for i := range 20 {
			w.add(int64(i+2), fmt.Sprintf("/a/%d.txt", i+2), in, c.passage[strings.LastIndex(c.passage, " "):]+" quarry")
		}
		for _, q := range append(slices.Clone(c.evidence), c.chance...) {
			passes := false
			for _, h := range w.search("bm25", w.ask(q)).Hits {
				passes = passes || h.Document == 1 && h.PassedFloor
			}
			if want := slices.Contains(c.evidence, q); passes != want {
				t.Errorf("%s: %q is evidence: %v", language, q, passes)
			}
		}
	}
}
