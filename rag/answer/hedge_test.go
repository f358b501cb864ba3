package answer

import (
	"testing"

	"referent/rag"
)

// A quotation never turns a negated or hedged statement into a plain fact: the
// sentence is whole, and a limit beside it comes with it.
func TestQuote_NegationsAndHedgesInFiveLanguages(t *testing.T) {
	for _, c := range []struct{ code, question, text, want string }{
		{"en", "Are pets allowed in the flats?", "Pets are not allowed in the flats. Rent is due monthly.", "“Pets are not allowed in the flats.” [1]"},
		{"en", "Are pets allowed in the flats?", "Pets are allowed in the flats. This does not apply to dogs. Rent is due.", "“Pets are allowed in the flats. This does not apply to dogs.” [1]"},
		{"it", "Gli animali sono ammessi negli appartamenti?", "Gli animali forse saranno ammessi negli appartamenti. L'affitto è mensile.", "“Gli animali forse saranno ammessi negli appartamenti.” [1]"},
		{"it", "Gli animali sono ammessi negli appartamenti?", "Gli animali sono ammessi negli appartamenti. Tuttavia i cani no. L'affitto è mensile.", "“Gli animali sono ammessi negli appartamenti. Tuttavia i cani no.” [1]"},
		{"de", "Sind Haustiere in den Wohnungen erlaubt?", "Haustiere sind in den Wohnungen vermutlich nicht erlaubt. Die Miete ist monatlich fällig.", "“Haustiere sind in den Wohnungen vermutlich nicht erlaubt.” [1]"},
		{"de", "Sind Haustiere in den Wohnungen erlaubt?", "Haustiere sind in den Wohnungen erlaubt. Dies gilt nicht für Hunde. Die Miete ist fällig.", "“Haustiere sind in den Wohnungen erlaubt. Dies gilt nicht für Hunde.” [1]"},
		{"fr", "Les animaux sont-ils admis dans les appartements ?", "Les animaux ne sont pas admis dans les appartements. Le loyer est mensuel.", "“Les animaux ne sont pas admis dans les appartements.” [1]"},
		{"fr", "Les animaux sont-ils admis dans les appartements ?", "Les animaux sont admis dans les appartements. Toutefois les chiens sont exclus. Le loyer est mensuel.", "“Les animaux sont admis dans les appartements. Toutefois les chiens sont exclus.” [1]"},
		{"es", "¿Se admiten animales en los pisos?", "Quizá se admitan animales en los pisos. El alquiler es mensual.", "“Quizá se admitan animales en los pisos.” [1]"},
		{"es", "¿Se admiten animales en los pisos?", "Los animales se admiten en los pisos. Sin embargo, los perros no. El alquiler es mensual.", "“Los animales se admiten en los pisos. Sin embargo, los perros no.” [1]"},
	} {
		h := packedHit(1, c.text)
		h.Language = c.code
		if got := (Quoter{Language: c.code}).Quote(c.question, []rag.Hit{h}); got != c.want {
			t.Errorf("%s: %q, want %q", c.code, got, c.want)
		}
	}
}
