//go:build models

package llama

import (
	"testing"

	"referent/inference"
	"referent/inference/conformance"
)

func TestConformance(t *testing.T) {
	models := conformance.Models{
		Chat:   inference.LoadSpec{Path: modelFile(smol), Context: 1024},
		Embed:  inference.LoadSpec{Path: modelFile(e5), Profile: e5Profile},
		Cycles: 2,
	}
	if err := models.AddToys(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	conformance.Run(t, func(t *testing.T) inference.Host {
		h, err := New(Config{RuntimeDir: runtimeDir("cpu"), Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}, models)
}
