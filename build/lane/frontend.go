package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
)

// plain keeps colour codes out of the kept output.
var plain = []string{"NO_COLOR=1"}

func frontend(ctx context.Context, r *result) {
	check(ctx, r, "type check", "frontend", plain, "npm", "run", "-s", "check")
	check(ctx, r, "lint", "frontend", plain, "npm", "run", "-s", "lint")
	units(ctx, r)
}

// units runs the frontend's unit tests and counts them from vitest's report.
func units(ctx context.Context, r *result) {
	dir, err := os.MkdirTemp("", "referent-units")
	if err != nil {
		r.fail("vitest", err.Error())
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "report.json")
	cmd := prepare(ctx, plain, "npm", "run", "-s", "test", "--", "--reporter=default", "--reporter=json", "--outputFile.json="+path)
	cmd.Dir = "frontend"
	out, runErr := cmd.CombinedOutput()
	text, err := os.ReadFile(path)
	if err != nil {
		r.fail("vitest", string(out)+err.Error())
		return
	}
	if err := countUnits(r, text, string(out)); err != nil {
		r.fail("vitest", err.Error())
		return
	}
	if runErr != nil && r.failed == 0 {
		r.fail("vitest", string(out)+runErr.Error())
	}
}

func countUnits(r *result, report []byte, output string) error {
	var totals struct {
		Passed  int `json:"numPassedTests"`
		Failed  int `json:"numFailedTests"`
		Pending int `json:"numPendingTests"`
	}
	if err := json.Unmarshal(report, &totals); err != nil {
		return err
	}
	r.pass(totals.Passed)
	r.skipped += totals.Pending
	for range totals.Failed {
		r.fail("vitest", output)
		output = "" // shown once
	}
	return nil
}
