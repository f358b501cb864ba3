package check

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"referent/rag"
)

var quotationRE = regexp.MustCompile(`(?s)“(.+?)”\s*\[(\d{1,3})\]`)

// Quoted judges an answer made of quotations: each must stand word for word in
// the passage that it cites.
func Quoted(in Input) Result {
	c := New(in)
	r := Result{Answer: in.Answer, Citations: []rag.Citation{}, Sources: []rag.Source{}}
	r.Check = rag.AnswerCheck{Status: rag.CheckQuoted, Issues: []rag.Issue{}}
	for _, m := range quotationRE.FindAllStringSubmatchIndex(in.Answer, -1) {
		text := in.Answer[m[2]:m[3]]
		n := numbers(in.Answer[m[4]:m[5]])[0]
		h, ok := c.packed[n]
		at := strings.Index(h.Text, text)
		if !ok || at < 0 {
			r.Check.Issues = append(r.Check.Issues, issue("quotation", in.Answer, m[2], m[3]))
			r.Check.Status = rag.CheckFlagged
			continue
		}
		start := utf8.RuneCountInString(h.Text[:at])
		markAt := m[4] - 1
		r.Citations = append(r.Citations, rag.Citation{N: n, Chunk: h.Chunk, Start: start, End: start + utf8.RuneCountInString(text),
			AnswerStart: utf8.RuneCountInString(in.Answer[:markAt]), AnswerEnd: utf8.RuneCountInString(in.Answer[:m[5]+1])})
	}
	r.Check.Citations = len(r.Citations)
	c.sources(&r)
	return r
}
