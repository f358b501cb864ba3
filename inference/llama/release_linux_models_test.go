//go:build models

package llama

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/gguf/toy"
)

// anonymous is what this process holds in memory that no file stands behind, in
// bytes.
func anonymous(t *testing.T) int64 {
	t.Helper()
	f, err := os.Open("/proc/self/smaps_rollup")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kib int64
		if n, _ := fmt.Sscanf(lines.Text(), "Anonymous: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	t.Fatal("the system does not tell")
	return 0
}

// 512 tokens times 250,037 words times 4 bytes are 488 MiB that an encoder has
// no use for.
func TestEmbed_TakesNoMemoryForScoresOfWords(t *testing.T) {
	h := newHost(t) // the first batch of a context is what takes it
	loadFile(t, h, modelFile(e5), e5Profile, inference.RoleEmbed)
	m, err := h.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"short", strings.Repeat("The board meets in March. ", 33), "Il ponte sul fiume è lungo quaranta metri.", strings.Repeat("Die Heizung wird gewartet. ", 90)}
	before := anonymous(t)
	first := embed(t, m, inference.KindPassage, texts...)
	grown := anonymous(t) - before
	t.Logf("%.1f MiB before, %.1f MiB more after a whole batch", float64(before)/(1<<20), float64(grown)/(1<<20))
	if grown > 64<<20 {
		t.Errorf("a batch leaves %d bytes behind, want less than 64 MiB", grown)
	}
	for i, again := range embed(t, m, inference.KindPassage, texts...) {
		if !slices.Equal(first[i], again) {
			t.Errorf("%.20q: another vector after the memory was given back, cosine %f", texts[i], dot(first[i], again))
		}
	}
}

// The order of sizes does not matter, nor what lies beside the buffer: growing
// batches make the same vectors as one alone.
func TestEmbed_GrowingBatchesKeepTheirVectors(t *testing.T) {
	e := toy.Embedder{Words: strings.Fields("the boiler is serviced in october dogs may be kept")}
	path := t.TempDir() + "/embed.gguf"
	if _, err := e.Write(path); err != nil {
		t.Fatal(err)
	}
	h := newHost(t)
	loadFile(t, h, path, inference.Profile{}, inference.RoleEmbed)
	m, err := h.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	want, err := e.Vector("the", "boiler")
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 400; n += 57 {
		got := embed(t, m, inference.KindPassage, "the boiler", strings.TrimSpace(strings.Repeat("dogs ", n)))
		if c := dot(got[0], want); c < 0.999 || !isUnit(got[1]) {
			t.Errorf("beside %d tokens the cosine with the reference is %f", n, c)
		}
	}
}

func TestRelease_LeavesWhatIsBeside(t *testing.T) {
	all := make([]float32, 64<<10)
	for i := range all {
		all[i] = 1
	}
	page := os.Getpagesize() / 4
	release(all[100 : 100+10*page])
	release(nil)
	zeros := 0
	for i, x := range all {
		if x == 0 {
			zeros++
			if i < 100 || i >= 100+10*page {
				t.Fatalf("value %d outside was lost", i)
			}
		}
	}
	if zeros != 9*page && zeros != 10*page {
		t.Errorf("%d values were given back, want the whole pages of ten", zeros)
	}
}
