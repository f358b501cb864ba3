package analyze

import "testing"

// A broken byte ends a word and never groups digits, wherever it stands.
func TestNormalize_BrokenBytes(t *testing.T) {
	for text, want := range map[string]string{
		"9\xff":          "9 ",
		"00\xb5":         "00 ",
		"1\xff234":       "1 234",
		"1\u00a0234":     "1234", // a space that cannot break does
		"1\u00a02345":    "1 2345",
		"1\ufffd234":     "1 234",
		"water\xe6\xb0.": "water  .",
	} {
		if got := normalize(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
