package process

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	got := environment([]string{"A=1", "AB=2", "C=3"}, []string{"A", "C=4", "D=5"})
	if want := []string{"AB=2", "C=4", "D=5"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
