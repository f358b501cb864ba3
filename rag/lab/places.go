package lab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// folders are where the public sets of the suites lie below the folder of sets.
// S0 and S10 stand on the sample library.
var folders = map[string]string{"S1": "scifact", "S2": "xquad", "S3": "chunking_eval", "S4": "mtrag", "S5": "canard", "S6": "canard", "S7": "trec_cast",
	"S8": "clapnq_dev", "S9": "clapnq_dev"}

// Lacks returns the folder that a suite needs and that is not there; empty where
// it is. A set of one's own needs none by name.
func (p Places) Lacks(suite string) string {
	need := filepath.Join(p.Sets, folders[suite])
	switch {
	case suite == "S0" || suite == "S10":
		need = p.Sample
	case folders[suite] == "":
		return ""
	}
	if need == "" {
		return "library"
	}
	if info, err := os.Stat(need); p.Sets != "" && err == nil && info.IsDir() {
		return ""
	}
	return need
}

// Figures lists the figures of a suite that its table has, the main one first.
func Figures(suite string) []string { return slices.Clone(shown[suite]) }

// Shown are the figures that a table or a plot of a suite shows, with failures
// and times; a long run has many others.
func Shown(cells []Cell) []Cell {
	out := []Cell{}
	for _, c := range cells {
		if slices.Contains(shown[c.Suite], c.Metric) || slices.Contains([]string{"fallback", "better", "worse", "equal", "prepare_p50_ms", "prepare_p95_ms",
			"model_calls"}, c.Metric) || strings.HasPrefix(c.Metric, "reason_") {
			out = append(out, c)
		}
	}
	return out
}
