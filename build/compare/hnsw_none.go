//go:build !hnswlib

package main

import "errors"

// Without the tag hnswlib there is no such peer: its header files are not part
// of a plain system (Debian has them in libhnswlib-dev).
type hnsw struct{}

const hnswName = ""

func newHNSW(string, string, [][]float32) (*hnsw, error) {
	return nil, errors.New("built without hnswlib")
}

func (h *hnsw) width([][]float32, [][]float32, float64) (int, float64) { return 0, 0 }

func askHNSW(*hnsw, int) func([]float32) error { return nil }
