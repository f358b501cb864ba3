package lab

import (
	"fmt"

	"referent/rag"
)

// What whole answers must reach before a winner of the search is believed.
const (
	leastGrounded  = 0.96 // of answers with a number: every number stands in a passage
	leastSupported = 0.90 // of sentences
)

// confirmed says what whole answers (S8, in the mode generate) came to by the
// retriever of a verdict: a setting can win on what is found and lose on what is
// answered. What was not measured confirms nothing.
func confirmed(retriever string, cells []Cell) (ok bool, sentence string) {
	figure := func(metric string) (Cell, bool) {
		for _, c := range cells {
			if c.Suite == "S8" && c.Engine == string(rag.ModeGenerate) && c.Retriever == retriever && c.Slice == SliceAll && c.Metric == metric {
				return c, true
			}
		}
		return Cell{}, false
	}
	supported, measured := figure("supported")
	if !measured {
		return false, "It is not confirmed end to end: whole answers (S8) were not measured by " + retriever + "."
	}
	grounded, numbers := figure("numbers_grounded")
	ok = supported.Value >= leastSupported && (!numbers || grounded.Value >= leastGrounded)
	sentence = "It is confirmed end to end"
	if !ok {
		sentence = "It is not confirmed end to end"
	}
	sentence += fmt.Sprintf(" on %d answers of S8: %.0f %% of their sentences stand in the passages", supported.N, 100*supported.Value)
	if numbers {
		sentence += fmt.Sprintf(", and all numbers of %.0f %% of the %d answers that have any", 100*grounded.Value, grounded.N)
	}
	return ok, sentence + "."
}
