package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"referent/inference"
	"referent/rag/lab"
	"referent/rag/retrieve"
)

// compareQuality asks the claims of SciFact of the abstracts that have a vector,
// by words, by meaning and by both. Claims that want an abstract without one are
// left out.
func compareQuality(ctx context.Context, known real) (err error) {
	set, err := sciFact(ctx)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "quality-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	l, err := openLibrary(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	l.language = "en"
	if err := l.addFolder(ctx); err != nil {
		return err
	}
	there := map[string]bool{}
	var batch []content
	for _, r := range set.Rows {
		if v, ok := known.rows[textKey(inference.KindPassage, passageOf(r))]; ok {
			there[r.ID] = true
			batch = append(batch, content{path: r.ID, texts: []string{passageOf(r)}, vectors: [][]float32{v}})
		}
	}
	for from := 0; from < len(batch); from += batchDocuments {
		if err := l.add(ctx, batch[from:min(len(batch), from+batchDocuments)]); err != nil {
			return err
		}
	}
	sums, n := map[string]float64{}, 0
	retrievers := []string{retrieve.BM25, retrieve.Dense, retrieve.Hybrid}
	for _, q := range set.Questions {
		v, ok := known.rows[textKey(inference.KindQuery, q.Text)]
		for id := range q.Relevant {
			ok = ok && there[id]
		}
		if !ok {
			continue
		}
		n++
		for _, name := range retrievers {
			ids, err := l.find(ctx, name, q.Text, v)
			if err != nil {
				return err
			}
			sums[name] += lab.NDCGAt(10, ids, q.Relevant)
		}
	}
	fmt.Printf("SciFact, %d claims, %d of %d abstracts, nDCG@10:", n, len(batch), len(set.Rows))
	for _, name := range retrievers {
		fmt.Printf(" %s %.4f", name, sums[name]/float64(max(n, 1)))
	}
	fmt.Println()
	return nil
}

// find returns the paths of the ten best.
func (l *library) find(ctx context.Context, retriever, words string, v []float32) ([]string, error) {
	result, err := l.askFor(ctx, retriever, retrieve.Query{Texts: []string{words}, Vector: v, K: 10})
	var ids []string
	for _, h := range result.Hits {
		ids = append(ids, h.Path)
	}
	return ids, err
}
