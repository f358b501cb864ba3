package check

import (
	"testing"

	"referent/rag"
)

// Each language: what the evidence says in another spelling is supported; a
// number, a date, a unit, a name, or a sentence that it does not say is not.
func TestP36_FiveLanguages(t *testing.T) {
	type claim struct{ text, issues string }
	for _, c := range []struct {
		code, question, evidence string
		claims                   []claim
	}{
		{"en", "What is known about the bridge?", "The bridge is 1,500.5 metres long. It was opened on 3 May 1932 by Ruth Calloway. Three engineers drew it.", []claim{
			{"The bridge is 1500.5 m long [1].", ""},
			{"It was opened by Calloway on May 3rd, 1932 [1].", ""},
			{"The bridge was drawn by 3 engineers [1].", ""},
			{"The bridge is 1500.5 feet long [1].", "number:1500.5"},
			{"It was opened on 4 May 1932 [1].", "date:4 May 1932"},
			{"The bridge was opened by Ann Miller on 3 May 1932 [1].", "name:Ann Miller"},
		}},
		{"it", "Che cosa si sa del ponte?", "Il ponte è lungo 1.500,5 metri. Fu aperto il 3 maggio 1932 da Ruth Calloway. Tre ingegneri lo disegnarono.", []claim{
			{"Il ponte è lungo 1500,5 m [1].", ""},
			{"Fu aperto da Calloway il 3/5/1932 [1].", ""},
			{"Il ponte fu disegnato da 3 ingegneri [1].", ""},
			{"Il ponte è lungo 1500,5 piedi [1].", "number:1500,5"},
			{"Il ponte fu aperto il 4 maggio 1932 [1].", "date:4 maggio 1932"},
			{"Il ponte fu aperto da Anna Rossi [1].", "name:Anna Rossi"},
		}},
		{"de", "Was weiß man über die Brücke?", "Die Brücke ist 1.500,5 Meter lang. Sie wurde am 3. Mai 1932 von Ruth Calloway eröffnet. Drei Ingenieure zeichneten sie.", []claim{
			{"Die Brücke ist 1500,5 m lang [1].", ""},
			{"Ruth Calloway eröffnete die Brücke am 03.05.1932 [1].", ""},
			{"Die Brücke wurde von 3 Ingenieuren gezeichnet [1].", ""},
			{"Die Brücke ist 1500,5 Fuß lang [1].", "number:1500,5"},
			{"Die Brücke wurde am 4. Mai 1932 eröffnet [1].", "date:4. Mai 1932"},
			{"Die Brücke wurde von Anna Schmidt eröffnet [1].", "name:Anna Schmidt"},
		}},
		{"fr", "Que sait-on du pont ?", "Le pont mesure 1 500,5 mètres. Il fut ouvert le 3 mai 1932 par Ruth Calloway. Trois ingénieurs le dessinèrent.", []claim{
			{"Le pont mesure 1500,5 m [1].", ""},
			{"Le pont fut ouvert par Calloway le 3/5/1932 [1].", ""},
			{"Le pont mesure 1500,5 pieds [1].", "number:1500,5"},
			{"Le pont fut ouvert le 4 mai 1932 [1].", "date:4 mai 1932"},
			{"Le pont fut ouvert par Anne Dubois [1].", "name:Anne Dubois"},
		}},
		{"es", "¿Qué se sabe del puente?", "El puente mide 1.500,5 metros. Fue abierto el 3 de mayo de 1932 por Ruth Calloway. Tres ingenieros lo dibujaron.", []claim{
			{"El puente mide 1500,5 m [1].", ""},
			{"El puente fue abierto por Calloway el 3/5/1932 [1].", ""},
			{"El puente mide 1500,5 pies [1].", "number:1500,5"},
			{"El puente fue abierto el 4 de mayo de 1932 [1].", "date:4 de mayo de 1932"},
			{"El puente fue abierto por Ana García [1].", "name:Ana García"},
		}},
	} {
		h := passage(1, c.evidence)
		h.Language = c.code
		for _, claim := range c.claims {
			r := Answer(Input{Answer: claim.text, Question: c.question, Language: c.code, Passages: []rag.Hit{h}})
			if kinds(r) != claim.issues {
				t.Errorf("%s: %q has %q, want %q", c.code, claim.text, kinds(r), claim.issues)
			}
			if len(r.Citations) != 1 || r.Citations[0].Start >= r.Citations[0].End {
				t.Errorf("%s: %q cites %+v", c.code, claim.text, r.Citations)
			}
		}
	}
}

// P-45: a marker that names a passage which does not hold the sentence, while
// none does, is flagged; one beside the passage that holds it is moved there.
func TestP45_ACitationMustHoldItsSentence(t *testing.T) {
	passages := []rag.Hit{guide[0], passage(2, "The orchard keeps many bees. Guests sleep in the inn.")}
	answer := func(text string) Result {
		return Answer(Input{Answer: text, Question: "How long is the Harlow Bridge?", Language: "en", Passages: passages})
	}
	r := answer("The Harlow Bridge is 320 metres long [2].")
	if r.Answer != "The Harlow Bridge is 320 metres long [1]." || r.Check.Status != rag.CheckSupported || r.Citations[0].Chunk != 10 {
		t.Errorf("%q %s", r.Answer, kinds(r))
	}
	for text, want := range map[string]string{
		"Lorries may cross the river beside the old mill [2].":                         "support:Lorries may cross the river beside the old mill [2].",
		"Lorries may cross the river beside the old mill [1][2].":                      "support:Lorries may cross the river beside the old mill [1][2].",
		"The Harlow Bridge is 320 metres long [1]. Lorries cross at the old mill [4].": "citation:[4] support:Lorries cross at the old mill.",
	} {
		if r := answer(text); kinds(r) != want || r.Check.Status != rag.CheckFlagged {
			t.Errorf("%q: %s, want %s", text, kinds(r), want)
		}
	}
}
