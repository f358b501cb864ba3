package fake_test

import (
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"home", []string{"home"}},
		{"house", []string{"hous", "e"}},
		{"a bc  defgh\n", []string{"a", " bc", "  defg", "h", "\n"}},
		{"Straße", []string{"Stra", "ße"}},
		{"世界世界世", []string{"世界世界", "世"}},
		{"  ", []string{"  "}},
	} {
		got := fake.Tokens(c.text)
		if !slices.Equal(got, c.want) {
			t.Errorf("Tokens(%q) = %q, want %q", c.text, got, c.want)
		}
		if strings.Join(got, "") != c.text {
			t.Errorf("the tokens of %q joined are %q", c.text, strings.Join(got, ""))
		}
	}
}

func TestDefaultReplies(t *testing.T) {
	for _, c := range []struct {
		name     string
		priority inference.Priority
		prompt   string
		want     string
	}{
		{"the first sentence of the evidence", 0,
			"[1] Statutes, Pets\nDogs need the consent of the board. Cats do not.\n\n[2] Minutes\nThe board met.\n\nQuestion: May I keep a dog?",
			"Dogs need the consent of the board. [1]"},
		{"a passage over several lines, without a heading", 0, "[1] The rent is due\non the third day. It is\n[2] Other.", "The rent is due on the third day. [1]"},
		{"examples come before the evidence", 0, "[1] Example one. More.\n\nNow:\n[1] Real one! More.\n\nQuestion: x", "Real one! [1]"},
		{"a passage without a sentence", 0, "[1] Price list\nChimney 80 EUR\n\nQuestion: x", "Chimney 80 EUR [1]"},
		{"no evidence", 0, "Hello   there,\nfriend", "I read: Hello there, friend"},
		{"a pronoun gives way to the subject", inference.PriorityCondense,
			"Rules.\n\nPerson: When is the old boiler serviced?\nAssistant: In October.\nQuestion: Who repairs it?\nStandalone question:",
			"Who repairs old boiler serviced?"},
		{"an ellipsis gets the subject", inference.PriorityCondense,
			"Person: What does the chimney sweep cost?\nAssistant: 80 euros.\nQuestion: And in winter?\nStandalone question:",
			"And in winter chimney sweep cost?"},
		{"nothing was asked before", inference.PriorityCondense, "Question: Who repairs it?\nStandalone question:", "Who repairs it?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := inference.GenerateRequest{Messages: []inference.Message{{Role: "system", Text: "[1] not this."}, {Role: "user", Text: c.prompt}}, Priority: c.priority}
			if got := fake.Default(req); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			req = inference.GenerateRequest{Completion: c.prompt, Priority: c.priority}
			if got := fake.Default(req); got != c.want {
				t.Errorf("as a completion: got %q, want %q", got, c.want)
			}
		})
	}
}

func TestVectorsOfRelatedTextsAreNear(t *testing.T) {
	cosine := func(a, b string) float64 {
		x, y := fake.Vector(a, fake.DefaultDimensions), fake.Vector(b, fake.DefaultDimensions)
		var sum float64
		for i := range x {
			sum += float64(x[i]) * float64(y[i])
		}
		return sum
	}
	for _, c := range []struct {
		query, passage string
		above          bool
	}{
		{"When is the boiler serviced?", "The boiler is serviced every year in October.", true},
		{"dogs", "Dogs may be kept with the consent of the board.", true},
		{"Kündigungsfrist", "Die Kündigungsfristen betragen drei Monate.", true},
		{"When is the boiler serviced?", "Dogs may be kept with the consent of the board.", false},
		{"Who is it?", "The chimney costs 80 euros.", false},
		{"rent", "Il riscaldamento si accende in ottobre.", false},
	} {
		if got := cosine(c.query, c.passage); (got >= fake.FloorCosine) != c.above {
			t.Errorf("cosine(%q, %q) = %.3f; above the floor of %.2f: want %v", c.query, c.passage, got, fake.FloorCosine, c.above)
		}
	}
}

func TestRerankIsTheShareOfTheQuery(t *testing.T) {
	h := fake.NewLoaded(fake.Config{})
	r, err := h.Reranker()
	if err != nil {
		t.Fatal(err)
	}
	// The query's content stems are boiler, servic, winter; the first passage
	// holds two of them, the second none.
	got, err := r.Rerank(t.Context(), "Is the boiler serviced in winter?", []string{"The boilers are serviced.", "Dogs."})
	if err != nil || len(got) != 2 || got[0] != float32(2)/3 || got[1] != 0 {
		t.Errorf("got %v, %v; want 2/3 and 0", got, err)
	}
	if none, err := r.Rerank(t.Context(), "Is it?", []string{"It is."}); err != nil || none[0] != 0 {
		t.Errorf("a query without content has %v, %v", none, err)
	}
}
