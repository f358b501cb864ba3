//go:build !linux && (models || !race)

package worker

import "testing"

// TestR075_BombsEndInAStatusWithinTheCaps sends hostile files through workers.
func TestR075_BombsEndInAStatusWithinTheCaps(t *testing.T) { bombs(t) }
