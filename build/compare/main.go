package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"referent/rag/vector/kernel"
)

func main() {
	chunks := flag.Int("chunks", 100_000, "size of the corpus")
	queries := flag.Int("queries", 60, "questions of each kind")
	flag.Parse()
	if err := run(*chunks, *queries); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(n, queries int) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	cache = filepath.Join(cache, "referent", "compare")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	fmt.Println(machine())
	fmt.Printf("size      %d chunks, the first hundred hits\n\n", n)
	if err := compareWords(cache, n, queries); err != nil {
		return err
	}
	if err := compareVectors(n, queries); err != nil {
		return err
	}
	return compareScan(n)
}

func compareWords(cache string, n, queries int) error {
	chunks := corpus(n)
	start := time.Now()
	x := ours(chunks)
	built := time.Since(start)
	sqlite, err := fts5(cache, chunks)
	if err != nil {
		return err
	}
	defer sqlite.Close()
	peer, err := bleveIndex(cache, chunks)
	if err != nil {
		return err
	}
	defer peer.Close()
	for _, kind := range []struct {
		name    string
		words   int
		content bool
	}{{"3 content words", 3, true}, {"8 content words", 8, true}, {"8 words as asked", 8, false}, {"15 words as asked", 15, false}} {
		rows := []row{{what: kind.name, engine: "referent", note: fmt.Sprintf("built in %.1f s", built.Seconds())}, {what: kind.name, engine: "SQLite FTS5, optimized"}, {what: kind.name, engine: "bleve"}}
		asked := questions(chunks, queries, kind.words, kind.content)
		if err := side(asked, rows, []func([]string) error{askOurs(x), askFTS5(sqlite), askBleve(peer)}, []int{queries, queries, queries}); err != nil {
			return err
		}
		print(os.Stdout, rows)
	}
	return nil
}

func compareVectors(n, queries int) error {
	stored, asked := vectors(n, queries)
	x, _, err := ourVectors(stored)
	if err != nil {
		return err
	}
	deep, err := x.Calibrate(context.Background())
	if err != nil {
		return err
	}
	sketched := x.WithSketch(deep)
	all, err := recall(x, stored, asked[:min(queries, 30)])
	if err != nil {
		return err
	}
	some, err := recall(sketched, stored, asked[:min(queries, 30)])
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
	const what = "nearest vectors"
	rows := []row{{what: what, engine: "referent, every code", note: fmt.Sprintf("recall@10 %.4f", all)},
		{what: what, engine: "referent, sketches", note: fmt.Sprintf("recall@10 %.4f, depth %d by calibration", some, deep)},
		{what: what, engine: "sqlite-vec, float32", note: "exact"}, {what: what, engine: "chromem-go", note: "exact, all threads"}}
	if err := side(asked, rows, []func([]float32) error{askVectors(x), askVectors(sketched), askSqliteVec(sqlite), askChromem(peer)}, []int{queries, queries, 23, 23}); err != nil {
		return err
	}
	print(os.Stdout, rows)
	return nil
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
	rows := []row{{what: "bytes of all codes", engine: "plainly read"}, {what: "bytes of all codes", engine: "int8 scan, " + kernel.Name()}}
	err := side(make([]struct{}, 60), rows, []func(struct{}) error{
		func(struct{}) error { readAll(codes); return nil },
		func(struct{}) error { kernel.Codes(query, codes, out); return nil }}, []int{60, 60})
	print(os.Stdout, rows)
	return err
}
