package engine

import (
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
		{"en", "B1 please", bridge, true},
		{"en", "No, those belong to the other module", bridge, true},
		{"en", "How much does that cost?", bridge, true},
		{"en", "What is the parental leave policy?", bridge, false},
		{"en", "What is the parental leave policy?", said("What is the greenhouse policy?", "The policy says: water daily."), false},
		{"en", "Is there a gym for employees?", bridge, false},
		{"en", "Who may sign a contract above budget rules of the house?", nil, true}, // “above” is a reference word
		{"en", "How many visitors does the Harbour Museum have a year?", bridge, false},
		{"en", "Which rule that is older than a year applies to pets in flats?", bridge, false},
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
	for _, text := range []string{"How long is the bridge?", "Who owns the house and the garden?", "compare", "", "What is the difference?"} {
		if got := Split(language.For("en"), text); got != nil {
			t.Errorf("Split(%q) = %q, want nothing", text, got)
		}
	}
}
