package engine

import (
	"fmt"
	"strings"
)

// What the rules of every tool are made of, in GBNF. A text begins with a letter
// or a digit of any script, so that it is never empty, and holds nothing that
// ends a line or a call. WORDS and QUESTION, the forms in the rules of the
// prompt, are no texts: a small model copies them.
const grammarWords = `
letter ::= [0-9A-PR-VX-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u167F\u1681-\u180D\u180F-\u1FFF\u2C00-\u2DFF\u3040-\uD7FF\uF900-\uFDFF]
start ::= letter | "W" [a-z] | "WH" | "Q" [a-z]
part ::= [^|<>\x00-\x1F\x7F-\x9F\u2028\u2029]
quotable ::= [^|<>"\\\x00-\x1F\x7F-\x9F\u2028\u2029]
words ::= start part{0,160}
value ::= letter [^|<>"\\,\x00-\x1F\x7F-\x9F\u2028\u2029]{0,40}
kind ::= [a-z0-9]{2,12}
date ::= ("19" | "20") [0-9]{2} ("-" ("0" [1-9] | "1" [0-2]) ("-" ("0" [1-9] | "1" [0-9] | "2" [0-8]))?)?
number ::= [1-9] [0-9]{0,4}
page ::= [1-9] | [1-4] [0-9] | "50"
`

// The calls as lines.
const grammarLines = `
filter ::= " | " ("type=" kind | "language=" [a-z]{2} | "date" (">=" | "<=" | "=") date | "document=" number | ("tag=" | "folder=" | "collection=") value)
pages ::= " | limit=" page | " | offset=" number
search ::= "search " words filter{0,2} pages{0,2}
list ::= "list" filter{0,2}
ask ::= "ask " start part{4,160} "?"
`

// The calls as the templates of the Hermes family write them.
const grammarCalls = `
filter ::= "\"type\": \"" kind "\"" | "\"language\": \"" [a-z]{2} "\"" | "\"date\": \"" (">=" | "<=")? date "\"" | "\"document\": \"" number "\"" | ("\"tag\"" | "\"folder\"" | "\"collection\"") ": \"" value "\""
filters ::= "\"filters\": {" filter "}"
pages ::= ", \"limit\": " page | ", \"offset\": " number
search ::= "search\", \"arguments\": {\"query\": \"" start quotable{0,160} "\"" (", " filters)? pages{0,2} "}"
list ::= "list_documents\", \"arguments\": {" filters? "}"
ask ::= "ask_user\", \"arguments\": {\"question\": \"" start quotable{4,160} "?\"}"
`

// grammar is what the next reply must follow, so that every reply can be read:
// one line, or one call of the template, and a passage to open is one that was
// shown. A model that continues plain text ends its line with a line break.
func (lp *loop) grammar() string {
	var calls []string
	for _, t := range lp.table {
		if t.name != openName || len(lp.passages) > 0 {
			calls = append(calls, t.word)
		}
	}
	call := strings.Join(calls, " | ")
	if lp.native {
		return `root ::= "done" | "<tool_call>\n{\"name\": \"" (` + call + `) "}\n</tool_call>"` + "\n" +
			lp.openRule(`"open_passage\", \"arguments\": {\"number\": "`, `"}"`) + grammarCalls + grammarWords
	}
	return `root ::= ("done" | ` + call + `) "\n"*` + "\n" + lp.openRule(`"open "`, "") + grammarLines + grammarWords
}

// openRule allows the numbers of the passages that were shown.
func (lp *loop) openRule(before, after string) string {
	if len(lp.passages) == 0 {
		return ""
	}
	numbers := make([]string, len(lp.passages))
	for i := range numbers {
		numbers[i] = fmt.Sprintf("\"%d\"", i+1)
	}
	return "open ::= " + before + " (" + strings.Join(numbers, " | ") + ") " + after + "\n"
}
