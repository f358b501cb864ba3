package analyze

// Kind says what a unit is.
type Kind uint8

// The kinds of units.
const (
	Word       Kind = iota
	Identifier      // holds a digit, an underscore or inner capitals
	Number          //
	Date            // a calendar day
	Gram            // a pair of signs of a script without spaces
)

// unit is one thing read from a text, before any language is applied.
type unit struct {
	kind    Kind
	surface string    // as written
	word    string    // to be lower-cased, stemmed and folded; empty: only exact forms
	exact   [2]string // terms as they are, already lower-cased and folded
	aux     bool      // a second reading: no length of its own, no content of a question
	single  bool      // a sign of a longer run: indexed, never searched
	script  script    // of word
	stop    bool      // a gram of grammar or of a question word
}

// maxTerm is the length in bytes beyond which a token is data, not text
// (base64, minified code); it is dropped.
const maxTerm = 64

// emitter hands units on one by one.
type emitter func(unit)

func (e emitter) exact(k Kind, surface, term string, aux bool) {
	e(unit{kind: k, surface: surface, exact: [2]string{term}, aux: aux})
}

// plain emits a run of letters or digits without anything inside.
func (e emitter) plain(s string, sc script, aux bool) {
	if sc == scriptNone {
		e.exact(Number, s, fold(lower(s, "")), aux)
		return
	}
	e(unit{kind: Word, surface: s, word: s, script: sc, aux: aux})
}
