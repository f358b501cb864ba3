package engine

import (
	"slices"
	"testing"

	"referent/rag"
	"referent/rag/language"
)

func said(text ...string) []rag.Message {
	var out []rag.Message
	for i, s := range text {
		out = append(out, rag.Message{Role: []string{"user", "assistant"}[i%2], Text: s})
	}
	return out
}

func TestGate(t *testing.T) {
	bridge := said("How long is the Harlow Bridge?", "It is 320 metres long. Ruth Calloway built it.")
	album := said("Which band recorded the album Blue Hour?", "The Tidewater Group recorded the album in 1998.")
	for _, c := range []struct {
		code, question string
		history        []rag.Message
		want           bool
	}{
		{"en", "How long is it?", bridge, true},
		{"en", "And the other one across the river?", bridge, true},
		{"en", "What about trucks?", bridge, true},
		{"en", "March", bridge, true},
		{"en", "Why?", bridge, true},
		{"en", "When was the album released in Japan?", album, true},
		{"en", "What happened in 1987?", bridge, true},
		// A name that was said is no reference; the noun alone is one.
		{"en", "How long is the Harlow Bridge?", bridge, false},
		{"en", "When was the Tidewater Group founded?", album, false},
		{"en", "When was the German edition released?", said("Which editions are there?", "There is a German edition and a French edition."), true},
		{"en", "Are there trucks on the bridge at night?", bridge, true},
		{"en", "B1 please", bridge, true},
		{"en", "No, those belong to the other module", bridge, true},
		{"en", "How much does that cost?", bridge, true},
		{"en", "What is the parental leave policy?", bridge, false},
		{"en", "What is the parental leave policy?", said("What is the greenhouse policy?", "The policy says: water daily."), false},
		{"en", "Is there a gym for employees?", bridge, false},
		{"en", "Who may sign a contract above budget rules of the house?", nil, true}, // “above” is a reference word
		{"en", "How many visitors does the Harbour Museum have a year?", bridge, false},
		{"en", "Which rule that is older than a year applies to pets in flats?", bridge, false},
		// A pronoun, a "why" and a short question for a name in the question that nobody has said.
		{"en", "How did Jessica Alba begin her career?", bridge, false},
		{"en", "How did Ruth Calloway begin her career?", bridge, true}, // she was spoken of
		{"en", "How did she meet Jessica Alba?", bridge, true},          // the pronoun comes first
		{"en", "What did Jessica Alba do with it?", bridge, true},       // no word for a person's own
		{"en", "how did jessica alba begin her career?", bridge, true},  // without capitals nobody can tell
		{"en", "Why was Norman Borlaug criticised?", bridge, false},
		{"en", "Why was Ruth Calloway criticised?", bridge, true},
		{"en", "And why was Norman Borlaug criticised?", bridge, true},
		{"en", "What is Excelsior?", bridge, false},
		{"en", "What is Harlow?", bridge, true},
		{"en", "What about Excelsior?", bridge, true},
		{"en", "Where in Spain?", bridge, true},
		{"en", "What was the first band that Jakko Jakszyk joined?", bridge, false},
		{"en", "Did people like that album?", album, true},
		{"en", "Why did people like that?", album, true},
		{"it", "Come ha iniziato Verdi la sua carriera?", bridge, false},
		{"it", "Come ha iniziato Calloway la sua carriera?", bridge, true},
		{"it", "Perché Verdi lasciò il teatro?", bridge, false},
		{"it", "Chi è Verdi?", bridge, false},
		{"fr", "Comment Ravel a-t-il commencé sa carrière ?", bridge, false},
		{"es", "¿Cómo empezó Gaudí su carrera en la ciudad?", bridge, false},
		{"de", "Wie hat Beethoven mit ihm seine Arbeit begonnen?", bridge, true}, // every noun has a capital
		{"it", "Quanto costa?", bridge, true},
		{"it", "E per i bambini?", bridge, true},
		{"it", "Chi lo ha firmato nel 1998?", bridge, true},
		{"it", "Quando bisogna pagarlo al condominio?", bridge, true},
		{"it", "Quanti giorni di ferie spettano ai dipendenti?", bridge, false},
		{"it", "Quando scade il contratto di affitto del magazzino?", bridge, false},
		{"de", "Wie lange hält das?", bridge, true},
		{"de", "Und für Kinder?", bridge, true},
		{"de", "Wer hat ihn im Jahr 1998 unterschrieben?", bridge, true},
		{"de", "Was kostet das denn im Monat?", bridge, true},
		{"de", "Wie lang ist die Kündigungsfrist für Mitarbeiter?", bridge, false},
		{"de", "Können Sie die Öffnungszeiten der Bibliothek nennen?", bridge, false},
		{"fr", "Et pour les enfants ?", bridge, true},
		{"fr", "Qui l'a signé en 1998 au bureau ?", bridge, true},
		{"fr", "Combien de salles de réunion y a-t-il au premier étage ?", bridge, false},
		{"fr", "Quelle est la durée du préavis pour les employés ?", bridge, false},
		{"es", "¿Y para los niños?", bridge, true},
		{"es", "¿Quién lo ha firmado en la oficina?", bridge, true},
		{"es", "¿Cuántos días de vacaciones tienen los empleados?", bridge, false},
	} {
		got, why := Refers(language.For(c.code), c.question, c.history)
		if got != c.want {
			t.Errorf("Refers(%q) = %v (%s), want %v", c.question, got, why, c.want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ code, text, a, b string }{
		{"en", "Compare the warranty of pump A and pump B", "the warranty of pump A", "the warranty of pump B"},
		{"en", "What is the difference between pump A and pump B in price?", "pump A in price", "pump B in price"},
		{"en", "Pump A vs pump B", "Pump A", "pump B"},
		{"en", "Which is cheaper: the basic plan or the premium plan?", "Which is cheaper the basic plan", "Which is cheaper the premium plan"},
		{"en", "How do the old statutes and the new statutes differ?", "How do the old statutes", "How do the new statutes"},
		{"en", "How does the warranty of pump A compare to that of pump B?", "How does the warranty of pump A", "How does the warranty of pump B"},
		{"en", "How does the warranty of pump A compare with the warranty of pump B?", "How does the warranty of pump A", "How does the warranty of pump B"},
		{"en", "What is new in the 2023 statutes compared to the 2019 statutes?", "What is new in the 2023 statutes", "What is new in the 2019 statutes"},
		{"en", "How does pump A differ from pump B?", "How does pump A", "How does pump B"},
		{"en", "Compare house 3 to house 5 on heating costs", "house 3 on heating costs", "house 5 on heating costs"},
		{"en", "How do pump A and pump B compare with regard to noise?", "How do pump A with regard to noise", "How do pump B compare with regard to noise"},
		{"it", "Confronta la pompa B con la pompa A", "la pompa B", "la pompa A"},
		{"it", "Quanto costa la pompa A rispetto alla pompa B?", "Quanto costa la pompa A", "Quanto costa la pompa B"},
		{"de", "Was kostet Pumpe A im Vergleich zu Pumpe B?", "Was kostet Pumpe A", "Was kostet Pumpe B"},
		{"it", "Confronta la garanzia della pompa A e della pompa B", "la garanzia della pompa A", "la garanzia della pompa B"},
		{"de", "Vergleiche die Garantie von Pumpe A und Pumpe B", "die Garantie von Pumpe A", "die Garantie von Pumpe B"},
		{"fr", "Quelle est la différence entre la pompe A et la pompe B ?", "la pompe A", "la pompe B"},
		{"es", "Compara la garantía de la bomba A y la bomba B", "la garantía de la bomba A", "la garantía de la bomba B"},
	} {
		got := Split(language.For(c.code), c.text)
		if len(got) != 2 || got[0] != c.a || got[1] != c.b {
			t.Errorf("Split(%q) = %q, want %q and %q", c.text, got, c.a, c.b)
		}
	}
	for _, c := range []struct {
		code, text string
		want       []string
	}{
		{"en", "Compare the warranty of pump A, pump B and pump C", []string{"the warranty of pump A", "the warranty of pump B", "the warranty of pump C"}},
		{"en", "Compare the old, the new and the draft statutes on voting", []string{"the old on voting", "the new on voting", "the draft statutes on voting"}},
		{"en", "What is the difference between pump A, pump B, and pump C in price?", []string{"pump A in price", "pump B in price", "pump C in price"}},
		{"en", "Compare pump A and pump B and pump C", []string{"pump A", "pump B", "pump C"}},
		{"en", "Compare pump A and pump B in price and warranty", []string{"pump A in price and warranty", "pump B in price and warranty"}},
		{"en", "Which is cheapest: the basic plan, the family plan or the premium plan?",
			[]string{"Which is cheapest the basic plan", "Which is cheapest the family plan", "Which is cheapest the premium plan"}},
		{"en", "Which is longest, Harlow Bridge, Quay Bridge or Mill Bridge?",
			[]string{"Which is longest Harlow Bridge", "Which is longest Quay Bridge", "Which is longest Mill Bridge"}},
		{"it", "Confronta la garanzia della pompa A, della pompa B e della pompa C",
			[]string{"la garanzia della pompa A", "la garanzia della pompa B", "la garanzia della pompa C"}},
		{"de", "Vergleiche Haus 3, Haus 5 und Haus 7", []string{"Haus 3", "Haus 5", "Haus 7"}},
		{"fr", "Compare la pompe A, la pompe B et la pompe C", []string{"la pompe A", "la pompe B", "la pompe C"}},
		{"es", "Compara la bomba A, la bomba B y la bomba C", []string{"la bomba A", "la bomba B", "la bomba C"}},
		{"en", "Compare a1, a2, a3, a4, a5, a6 and a7", nil},
	} {
		if got := Split(language.For(c.code), c.text); c.want != nil && !slices.Equal(got, c.want) || c.want == nil && len(got) > 2 {
			t.Errorf("Split(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	for _, text := range []string{"How long is the bridge?", "Who owns the house and the garden?", "compare", "", "What is the difference?"} {
		if got := Split(language.For("en"), text); got != nil {
			t.Errorf("Split(%q) = %q, want nothing", text, got)
		}
	}
}
