package language

import "testing"

// A quantity is supported by the same quantity in any unit and language, and by
// the number where it stands without a unit; not by the number of other things.
func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		code, evidence, answer string
		held                   bool
	}{
		{"en", "The bridge is 320 metres long.", "It is 320 m long.", true},
		{"en", "The bridge is 320 metres long.", "It is 0.32 km long.", true},
		{"en", "The bridge is 320 metres long.", "It is 320 feet long.", false},
		{"en", "The bridge is 320 metres long.", "It is 320 long.", true},
		{"en", "Length: 320", "It is 320 metres long.", true},
		{"en", "320 metres, or 320 in all", "It is 320 feet long.", true}, // the bare number may be anything
		{"en", "The deposit is €1,200.", "It is 1200 euros.", true},
		{"en", "The deposit is €1,200.", "It is 1,200 dollars.", false},
		{"en", "A two-week notice is needed.", "The notice is 14 days.", true},
		{"en", "A two-week notice is needed.", "The notice is two months.", false},
		{"en", "The lease runs for 2 years.", "It runs for 24 months.", true},
		{"en", "It rose by 12 percent.", "It rose by 12 %.", true},
		{"it", "Il ponte è lungo 1,5 km.", "È lungo 1500 metri.", true},
		{"it", "Il ponte è lungo 1,5 km.", "È lungo 1,5 metri.", false},
		{"it", "Il preavviso è di tre mesi.", "Il preavviso è di tre settimane.", false},
		{"de", "Die Brücke trägt 3,5 Tonnen.", "Sie trägt 3500 kg.", true},
		{"de", "Die Brücke trägt 3,5 Tonnen.", "Sie trägt 3,5 kg.", false},
		{"de", "Die Frist beträgt zwei Wochen.", "Die Frist beträgt 14 Tage.", true},
		{"fr", "Le bail dure trois ans.", "Le bail dure 36 mois.", true},
		{"fr", "Le bail dure trois ans.", "Le bail dure trois mois.", false},
		{"es", "El plazo es de dos semanas.", "El plazo es de 14 días.", true},
		{"es", "El plazo es de dos semanas.", "El plazo es de dos meses.", false},
		{"es", "The tank holds 40 litres.", "El depósito contiene 40 litros.", true}, // across languages
		{"es", "The tank holds 40 litres.", "El depósito contiene 40 kilos.", false},
	} {
		l := For(c.code)
		known := NewKnown(l)
		known.Add(c.evidence)
		values := l.Values(c.answer)
		if len(values) != 1 {
			t.Errorf("%q states %+v", c.answer, values)
			continue
		}
		if got := known.Holds(values[0]); got != c.held {
			t.Errorf("%q by %q: %v (%+v)", c.answer, c.evidence, got, values[0])
		}
	}
}

// Every unit of the lists has a dimension and a size.
func TestUnitsOfTheLists(t *testing.T) {
	for _, code := range Codes() {
		l := For(code)
		if len(l.unit) < 40 {
			t.Errorf("%s has %d units", code, len(l.unit))
		}
		for word, u := range l.unit {
			if u.dimension == "" || u.factor <= 0 {
				t.Errorf("%s: %s is %+v", code, word, u)
			}
		}
	}
}
