package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"referent/rag/vector/kernel"
)

// kind is a kind of question.
type kind struct {
	name    string
	words   int
	content bool // without the most frequent words
}

var everyKind = []kind{{"3 content words", 3, true}, {"8 content words", 8, true}, {"8 words as asked", 8, false}, {"15 words as asked", 15, false}}

// compareWords sets the word index beside SQLite FTS5, and beside bleve if asked.
func compareWords(cache string, chunks [][]uint32, queries int, withBleve bool) error {
	start := time.Now()
	x := ours(chunks)
	fmt.Printf("words of %d passages indexed in %.1f s\n", len(chunks), time.Since(start).Seconds())
	sqlite, err := fts5(cache, chunks)
	if err != nil {
		return err
	}
	defer sqlite.Close()
	engines, ask := []string{"referent", "SQLite FTS5, optimized"}, []func([]string) error{askOurs(x), askFTS5(sqlite)}
	if withBleve {
		peer, err := bleveIndex(cache, chunks)
		if err != nil {
			return err
		}
		defer peer.Close()
		engines, ask = append(engines, "bleve"), append(ask, askBleve(peer))
	}
	limit := []int{queries, queries, queries}[:len(ask)]
	if len(chunks) > smallSize {
		limit = []int{queries, slow, slow}[:len(ask)]
	}
	for _, k := range everyKind {
		if err := measure(k.name, engines, ask, questions(chunks, queries, k.words, k.content), limit); err != nil {
			return err
		}
	}
	return nil
}

// measure asks and prints. limit is the questions of an engine; nil: all.
func measure[Q any](what string, engines []string, ask []func(Q) error, queries []Q, limit []int) error {
	rows := make([]row, len(engines))
	for i, e := range engines {
		name, note, _ := strings.Cut(e, "; ")
		rows[i] = row{what: what, engine: name, note: note}
	}
	if limit == nil {
		for range engines {
			limit = append(limit, len(queries))
		}
	}
	if err := side(queries, rows, ask, limit); err != nil {
		return err
	}
	print(os.Stdout, rows)
	return nil
}

// compareReal reports the recall on the real passages alone.
func compareReal(passages, questions [][]float32) error {
	x, _, err := ourVectors(passages)
	if err != nil {
		return err
	}
	full, err := recall(x, passages, questions)
	if err != nil {
		return err
	}
	fmt.Printf("recall@10 on the %d real passages alone: %.4f by every code\n", len(passages), full)
	for _, depth := range []int{500, 1000, 2000} {
		some, err := recall(x.WithSketch(depth), passages, questions)
		if err != nil {
			return err
		}
		fmt.Printf("recall@10 on the %d real passages alone: %.4f by sketches of depth %d\n", len(passages), some, depth)
	}
	return nil
}

// slow is how many questions the slow peers get.
const slow = 23

func compareVectors(cache string, stored, asked [][]float32) error {
	x, _, err := ourVectors(stored)
	if err != nil {
		return err
	}
	deep, err := x.Calibrate(context.Background())
	if err != nil {
		return err
	}
	sketched := x.WithSketch(deep)
	judged := asked[:min(len(asked), 30)]
	all, err := recall(x, stored, judged)
	if err != nil {
		return err
	}
	some, err := recall(sketched, stored, judged)
	if err != nil {
		return err
	}
	sqlite, err := sqliteVec(stored)
	if err != nil {
		return err
	}
	defer sqlite.Close()
	peer, err := chromemIndex(stored)
	if err != nil {
		return err
	}
	engines := []string{fmt.Sprintf("referent, as it chooses; recall@10 %.4f, depth %d by calibration (0: every code)", some, deep),
		fmt.Sprintf("referent, every code; recall@10 %.4f", all), "sqlite-vec, float32; exact", "chromem-go; exact, all threads"}
	ask := []func([]float32) error{askVectors(sketched), askVectors(x), askSqliteVec(sqlite), askChromem(peer)}
	limit := []int{len(asked), len(asked), slow, slow}
	if hnswName != "" {
		h, err := newHNSW(cache, vectorsName(stored), stored)
		if err != nil {
			return err
		}
		width, got := h.width(stored, judged, some)
		engines = append(engines, fmt.Sprintf("%s, M 16; recall@10 %.4f, ef %d; ten hits", hnswName, got, width))
		ask, limit = append(ask, askHNSW(h, width)), append(limit, len(asked))
	}
	return measure("nearest vectors", engines, ask, asked, limit)
}

// compareScan sets the int8 scan beside plainly reading the same bytes.
func compareScan(n int) error {
	r := rand.New(rand.NewPCG(4, 4))
	codes, query, out := make([]uint8, n*dimensions), make([]int8, dimensions), make([]int32, n)
	for i := range codes {
		codes[i] = uint8(1 + r.IntN(255))
	}
	for i := range query {
		query[i] = int8(r.IntN(255) - 127)
	}
	return measure("bytes of all codes", []string{"plainly read", "int8 scan, " + kernel.Name()}, []func(struct{}) error{
		func(struct{}) error { readAll(codes); return nil },
		func(struct{}) error { kernel.Codes(query, codes, out); return nil }}, make([]struct{}, 60), nil)
}

// compareLibrary measures a whole library in a process of its own, and the
// growth since the small one where the cache has that too.
func compareLibrary(ctx context.Context, cache string, chunks [][]uint32, m *mixture, vectors [][]float32, queries int) error {
	start := time.Now()
	dir, err := libraryOf(ctx, cache, chunks, m)
	if err != nil {
		return err
	}
	fmt.Printf("library   %d passages, made in %.0f s (or it was there)\n", len(chunks), time.Since(start).Seconds())
	var q asked
	for i, words := range questions(chunks, queries, 8, false) {
		q.Words, q.Vectors = append(q.Words, strings.Join(words, " ")), append(q.Vectors, vectors[i%len(vectors)])
	}
	got, err := measureLibrary(dir, q)
	if err != nil {
		return err
	}
	got.print()
	small := filepath.Join(cache, fmt.Sprintf("library-%d", smallSize))
	if _, err := os.Stat(filepath.Join(small, "whole")); err != nil || len(chunks) <= smallSize {
		return nil
	}
	before, err := measureLibrary(small, q)
	if err != nil {
		return err
	}
	before.print()
	fmt.Printf("growth from %d to %d passages: %.1f x by the clock, %.1f x of the processor\n", before.Chunks, got.Chunks,
		at(got.Ask.Clock, 0.5)/at(before.Ask.Clock, 0.5), at(got.Ask.CPU, 0.5)/at(before.Ask.CPU, 0.5))
	return nil
}

func (m measured) print() {
	fmt.Printf("library of %d passages in %d segments, one thread\n", m.Chunks, m.Segments)
	for _, l := range []struct {
		what string
		spans
	}{{"hybrid, 8 words as asked", m.Ask}, {"start to the first answer", m.Open}, {"20 passages, commit to found", m.Shown}} {
		fmt.Printf("  %-30s p50 %9.3f ms  p99 %9.3f ms   processor p50 %9.3f ms  p99 %9.3f ms\n", l.what, at(l.Clock, 0.5), at(l.Clock, 0.99), at(l.CPU, 0.5), at(l.CPU, 0.99))
	}
	fmt.Printf("  resident %d MB, of them %d MB of files\n", m.Resident>>20, m.Files>>20)
}
