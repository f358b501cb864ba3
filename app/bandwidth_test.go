package app

import "testing"

func TestSum_AddsEveryWord(t *testing.T) {
	words := make([]uint64, 24)
	var want uint64
	for i := range words {
		words[i] = uint64(i*i + 1)
		want += words[i]
	}
	if got := sum(words); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	if memoryBandwidth(1) <= 0 {
		t.Error("nothing was read")
	}
}
