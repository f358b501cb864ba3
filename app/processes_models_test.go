//go:build models && linux

package app_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// childrenOf lists the children of a process whose command line holds a word.
func childrenOf(t testing.TB, parent int, word string) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, stat := range stats {
		raw, err := os.ReadFile(stat)
		if err != nil {
			continue // it has ended
		}
		// The name, in parentheses, may hold anything; the parent is the second
		// field behind it.
		fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		if len(fields) < 2 || fields[1] != strconv.Itoa(parent) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
		if err != nil {
			t.Fatal(err)
		}
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.Contains(string(command), word) {
			out = append(out, pid)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no child with %q", word)
	}
	return out
}

// residentMB is the resident memory of a process.
func residentMB(t testing.TB, pid int) float64 {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(raw))
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return float64(pages) * float64(os.Getpagesize()) / (1 << 20)
}

// killModelWorker ends the process that runs the models, as a driver's fault
// would.
func killModelWorker(t *testing.T) {
	t.Helper()
	for _, pid := range childrenOf(t, os.Getpid(), "--role=model") {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
}
