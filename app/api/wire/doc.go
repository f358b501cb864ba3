// Package wire is what crosses the border of the local API: the document that
// describes it, the check of requests against that document, refusals, and
// server-sent events.
//
// openapi.json is written by hand and is the one source of what a request may
// hold: Document checks bodies and parameters against it before anything else
// looks at them, so that the description and the behaviour cannot part. A
// refusal is one JSON object with a code of a closed list and a sentence.
//
// Package wire knows no use case.
package wire
