package runtime

import (
	"testing"

	"referent/inference/process"
)

func TestMain(m *testing.M) {
	process.TestMain(m, map[string]func() int{Role: ProbeRole})
}
