package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	chunks, queries           int
	embed                     time.Duration
	parts, library, questions string
}

// everyPart is what is compared by default.
const everyPart = "words,bleve,real,vectors,scan,library"

func main() {
	var o options
	flag.IntVar(&o.chunks, "chunks", smallSize, "passages")
	flag.IntVar(&o.queries, "queries", 60, "questions of each kind")
	flag.DurationVar(&o.embed, "embed", time.Minute, "how long real passages that have no vector yet may be embedded; the cache keeps them")
	flag.StringVar(&o.parts, "parts", everyPart, "what to compare, with commas between; words is beside SQLite FTS5, and beside bleve where that is named")
	flag.StringVar(&o.library, "library", "", "measure a library folder and print the result (what the program asks of itself)")
	flag.StringVar(&o.questions, "questions", "", "file of the questions for -library")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// smallSize is the size that growth is told against.
const smallSize = 100_000

func run(ctx context.Context, o options) error {
	if o.library != "" {
		return libraryChild(ctx, o.library, o.questions)
	}
	cache, err := cacheFolder()
	if err != nil {
		return err
	}
	parts := strings.Split(o.parts, ",")
	for _, p := range parts {
		if !slices.Contains(strings.Split(everyPart, ","), p) {
			return fmt.Errorf("there is no part %q; parts: %s", p, everyPart)
		}
	}
	wants := func(part string) bool { return slices.Contains(parts, part) }
	fmt.Println(machine())
	fmt.Printf("size      %d passages, the first hundred hits\n", o.chunks)
	chunks := corpus(o.chunks)
	if wants("words") {
		if err := compareWords(cache, chunks, o.queries, wants("bleve")); err != nil {
			return err
		}
	}
	if wants("scan") {
		if err := compareScan(o.chunks); err != nil {
			return err
		}
	}
	if !wants("real") && !wants("vectors") && !wants("library") {
		return nil
	}
	known, err := readReal(ctx, cache, o.embed)
	if err != nil {
		return err
	}
	passages, questions := known.embedded(), known.asked()
	fmt.Printf("vectors   around %d of %d real passages, asked with %d real questions\n", len(passages), len(known.passages), len(questions))
	m, err := fit(passages)
	if err != nil {
		return err
	}
	asking := questions[:min(len(questions), o.queries)]
	if wants("real") {
		if err := errors.Join(compareReal(passages, asking), compareQuality(ctx, known)); err != nil {
			return err
		}
	}
	if wants("vectors") {
		if err := compareVectors(cache, m.vectors(o.chunks), asking); err != nil {
			return err
		}
	}
	if wants("library") {
		return compareLibrary(ctx, cache, chunks, m, questions, o.queries)
	}
	return nil
}

// cacheFolder is where vectors and built indexes stay.
func cacheFolder() (string, error) {
	cache := os.Getenv("REFERENT_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		cache = filepath.Join(user, "referent")
	}
	cache = filepath.Join(cache, "compare")
	return cache, os.MkdirAll(cache, 0o700)
}
