package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

// shape reads a schema of a test.
func shape(t *testing.T, text string) *Schema {
	t.Helper()
	var s Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestCheck_TheSentenceNamesTheFieldAndWhatItTakes(t *testing.T) {
	d := &Document{}
	s := shape(t, `{"type":"object","required":["name"],"additionalProperties":false,"properties":{
		"name":{"type":"string","minLength":1,"maxLength":3},"age":{"type":["integer","null"],"minimum":0,"maximum":9},
		"tags":{"type":"array","maxItems":2,"items":{"type":"string","enum":["red","blue"]}},
		"set":{"type":"object","maxProperties":1,"additionalProperties":{"type":"boolean"}},
		"either":{"anyOf":[{"type":"object","properties":{},"additionalProperties":false},{"type":"null"}]}}}`)
	for body, want := range map[string]string{
		`{"name":"äöü","age":9,"tags":["red","blue"],"set":{"x":true},"either":null}`: "",
		`{"name":"x","age":null,"either":{}}`:                                         "",
		`[]`:                                                                          "The body must be an object, not a list.",
		`{}`:                                                                          "name is missing.",
		`{"name":""}`:                                                                 "name is empty.",
		`{"name":"äöüß"}`:                                                             "name has 4 characters. It takes at most 3.",
		`{"name":7}`:                                                                  "name must be a text, not a whole number.",
		`{"name":"x","age":1.5}`:                                                      "age must be a whole number or null, not a number.",
		`{"name":"x","age":1e99}`:                                                     "age must be a whole number or null, not a number.",
		`{"name":"x","age":10}`:                                                       "age cannot be 10. It takes 0 to 9.",
		`{"name":"x","tags":["red","green"]}`:                                         `tags[1] cannot be "green". It takes: red, blue.`,
		`{"name":"x","tags":["red","red","red"]}`:                                     "tags has 3 entries. It takes at most 2.",
		`{"name":"x","set":{"a":true,"b":true}}`:                                      "set has 2 entries. It takes at most 1.",
		`{"name":"x","set":{"a":1}}`:                                                  "set.a must be true or false, not a whole number.",
		`{"name":"x","nmae":1}`:                                                       `There is no field "nmae". Did you mean "name"?`,
		`{"name":"x","colour":1}`:                                                     `There is no field "colour". Fields: age, either, name, set, tags.`,
		`{"name":"x","either":{"a":1}}`:                                               `There is no field "either.a". It takes none.`,
		`{"name":"x","either":7}`:                                                     "either must be an object, not a whole number.",
	} {
		v, err := Decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if f := d.Check(s, "", v); f != nil {
			got = f.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestParse_AKeywordThatTheCheckDoesNotKnowIsRefused(t *testing.T) {
	_, err := Parse([]byte(`{"components":{"schemas":{"A":{"type":"string","pattern":"x"}}}}`))
	if err == nil || !strings.Contains(err.Error(), "pattern") {
		t.Errorf("%v", err)
	}
}

func TestDistance(t *testing.T) {
	// Levenshtein distances worked out by hand.
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"question", "qustion", 1}, {"retreiver", "retriever", 2}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
