package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	files := flag.Int("files", 1000, "how many files")
	flag.Parse()
	if flag.NArg() != 1 || *files < 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./build/mixed [-files N] FOLDER")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), *files); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write fills a folder, 50 files to a folder in it.
func write(dir string, files int) error {
	for i := range files {
		k := kinds[i%len(kinds)]
		folder := filepath.Join(dir, fmt.Sprintf("%02d", i/50))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		body, err := k.body(newLetter(uint64(i)))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d.%s", i, k.ending)), body, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// letter is what one file says: a title and paragraphs.
type letter struct {
	title      string
	paragraphs []string
}

var (
	subjects = strings.Fields("boiler lift roof cellar garden tenant caretaker contract invoice pump window staircase meter meeting key neighbour bicycle laundry deposit heater")
	verbs    = strings.Fields("needs shows holds replaces checks keeps brings covers leaves meets closes opens counts repairs measures pays")
	objects  = strings.Fields("pressure valve report list number rent offer door pipe letter hour season notice plan account cable wall sand filter value")
	manners  = []string{"before winter", "on Monday", "without delay", "twice a year", "in the yard", "after the storm", "by agreement", "at the entrance", "for three years", "in writing"}
)

// newLetter makes 4 to 8 paragraphs of 40 to 70 words, the same for the same seed.
func newLetter(seed uint64) letter {
	r := rand.New(rand.NewPCG(seed, 17))
	pick := func(words []string) string { return words[r.IntN(len(words))] }
	l := letter{title: fmt.Sprintf("The %s and the %s, number %d", pick(subjects), pick(objects), seed)}
	for range 4 + r.IntN(5) {
		var p []string
		for range 6 + r.IntN(4) {
			p = append(p, fmt.Sprintf("The %s %s the %s %d %s.", pick(subjects), pick(verbs), pick(objects), 1+r.IntN(9999), pick(manners)))
		}
		l.paragraphs = append(l.paragraphs, strings.Join(p, " "))
	}
	return l
}
