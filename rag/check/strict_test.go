package check

import (
	"testing"

	"referent/rag"
)

// In strict mode every sentence that fails is withheld with each of its reasons,
// and what passes stays.
func TestP36_StrictWithholdsTheSentenceAndSaysWhy(t *testing.T) {
	past := []rag.Message{{Role: "user", Text: "In Springfield the value was 999."}}
	for _, c := range []struct{ text, want, issues string }{
		{"The Harlow Bridge is 320 metres long [1].", "The Harlow Bridge is 320 metres long [1].", ""},
		{"The Harlow Bridge is 320 metres long [1]. It was opened in 1950 [1].", "The Harlow Bridge is 320 metres long [1].", "number:It was opened in 1950 [1]."},
		{"The Harlow Bridge was opened by Calloway on 3 May 1950 [1]. The Harlow Bridge is 320 metres long [1].", "The Harlow Bridge is 320 metres long [1].", "date:The Harlow Bridge was opened by Calloway on 3 May 1950 [1]."},
		{"The Harlow Bridge is 320 metres long [1]. It was built by Peter Pan in 1950 [1].", "The Harlow Bridge is 320 metres long [1].",
			"name:It was built by Peter Pan in 1950 [1]. number:It was built by Peter Pan in 1950 [1]. support:It was built by Peter Pan in 1950 [1]."},
		{"The Harlow Bridge is 320 metres long [1]. Wild horses graze quietly near cold mountain lakes [1].", "The Harlow Bridge is 320 metres long [1].",
			"support:Wild horses graze quietly near cold mountain lakes [1]."},
		{"The Harlow Bridge is 320 metres long [1]. It was opened by Ruth Calloway [9].", "The Harlow Bridge is 320 metres long [1].", "citation:It was opened by Ruth Calloway."},
		{"It was opened in 1950 [1].", "", "number:It was opened in 1950 [1]."},
		{"The Harlow Bridge is 320 metres long [1]. The value is 999.", "The Harlow Bridge is 320 metres long [1].",
			"history_only:A sentence was withheld: it stated something that only the earlier conversation says."},
	} {
		r := New(Input{Question: "How long is the Harlow Bridge?", Language: "en", Passages: guide, History: past}).Strict(c.text)
		if r.Answer != c.want || kinds(r) != c.issues {
			t.Errorf("%q\n got %q, %s\nwant %q, %s", c.text, r.Answer, kinds(r), c.want, c.issues)
		}
		status := rag.CheckWithheld
		if c.issues == "" {
			status = rag.CheckSupported
		}
		if r.Check.Status != status {
			t.Errorf("%q: %s", c.text, r.Check.Status)
		}
		for _, citation := range r.Citations {
			if got := string([]rune(r.Answer)[citation.AnswerStart:citation.AnswerEnd]); got != "[1]" {
				t.Errorf("%q: the marker is %q", c.text, got)
			}
		}
	}
}
