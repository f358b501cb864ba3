//go:build models && linux

package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// children lists the living children of this process.
func children(t *testing.T) []int {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, f := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(f)
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", list, err))
			}
			out = append(out, pid)
		}
	}
	return out
}
