package main

import (
	"fmt"
	"hash/crc32"
	"math"
)

// dimensions of the starter model's vectors.
const dimensions = 384

// vectorsName tells sets of vectors apart in the cache.
func vectorsName(v [][]float32) string {
	sum := crc32.NewIEEE()
	for _, row := range v[:min(len(v), 1000)] {
		for _, x := range row[:4] {
			_, _ = fmt.Fprint(sum, math.Float32bits(x)) // never fails
		}
	}
	return fmt.Sprintf("%d-%08x", len(v), sum.Sum32())
}
