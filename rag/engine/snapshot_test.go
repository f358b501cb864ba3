package engine

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"referent/inference"
)

var update = flag.Bool("update", false, "write the snapshots anew")

// The prompts of a rewrite are snapshots in plain text; a difference is a decision.
func TestPromptSnapshots(t *testing.T) {
	for _, style := range []inference.PromptStyle{inference.StyleInstruct, inference.StyleCompletion} {
		model := &script{text: "How tall is the Harlow Bridge?", info: inference.ModelInfo{Profile: inference.Profile{PromptStyle: style}}}
		prepare(t, "condense_context", follow("How tall is it?"), Tools{Condense: model})
		got := fmt.Sprintf("--- %s, stable bytes: %d\n%s", style, model.requests[0].StableBytes, model.prompt())
		path := "../../testdata/snapshots/prompt/condense_" + string(style) + ".txt"
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s changed; run with -update if it is meant:\n%s", path, got)
		}
	}
}
