package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
)

// plain keeps colour codes out of the kept output.
var plain = []string{"NO_COLOR=1"}

// frontend compiles the messages, which the rest reads; then types and lint are
// looked at side by side, each on one core. The unit tests come after them: they
// compile the messages anew.
func frontend(ctx context.Context, r *result) {
	check(ctx, r, "messages", "frontend", plain, "npm", "run", "-s", "messages")
	var types, lint result
	var wait sync.WaitGroup
	wait.Go(func() { check(ctx, &types, "type check", "frontend", plain, "npm", "run", "-s", "types") })
	wait.Go(func() { check(ctx, &lint, "lint", "frontend", plain, "npm", "run", "-s", "lint") })
	wait.Wait()
	for _, part := range []result{types, lint} {
		r.passed += part.passed
		r.failed += part.failed
		r.failures = append(r.failures, part.failures...)
	}
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
