package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// The guide shows only pictures that its command makes, `npm run guide` in
// frontend, and the command makes none for nothing. Each is small enough to keep.
func TestTheGuideShowsThePicturesThatAreMade(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("docs", "guide.md"))
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, m := range regexp.MustCompile(`!\[([^\]]*)\]\(images/guide/([a-z-]+)\.webp\)`).FindAllSubmatch(guide, -1) {
		if len(m[1]) == 0 {
			t.Errorf("the picture %s says nothing to who cannot see it", m[2])
		}
		shown = append(shown, string(m[2]))
	}
	list, err := os.ReadFile(filepath.Join("frontend", "e2e", "guide.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	var made []string
	for _, m := range regexp.MustCompile(`(?m)^  '[0-9a-z-]+': '([a-z-]+)',$`).FindAllSubmatch(list, -1) {
		made = append(made, string(m[1]))
	}
	slices.Sort(shown)
	slices.Sort(made)
	if len(made) < 10 || !slices.Equal(shown, made) {
		t.Errorf("the guide shows %v\nand made are %v", shown, made)
	}
	for _, name := range made {
		const most = 120_000
		if info, err := os.Stat(filepath.Join("docs", "images", "guide", name+".webp")); err != nil {
			t.Error(err)
		} else if info.Size() > most {
			t.Errorf("the picture %s has %d bytes; %d is the most", name, info.Size(), most)
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([a-z]+\.md)\)`).FindAllSubmatch(guide, -1) {
		if _, err := os.Stat(filepath.Join("docs", string(m[1]))); err != nil {
			t.Errorf("the guide leads nowhere: %v", err)
		}
	}
}
