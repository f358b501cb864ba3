package runtime

import (
	"context"
	"errors"
	"testing"

	"referent/inference"
)

func TestProbe_OfAFolderThatIsNoRuntime(t *testing.T) {
	_, err := Probe(context.Background(), t.TempDir())
	if !errors.Is(err, inference.ErrNoRuntime) {
		t.Errorf("%v", err)
	}
}

func TestProbe_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Probe(ctx, t.TempDir()); err == nil {
		t.Error("no error")
	}
}
