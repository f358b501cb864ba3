package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"

	sqlitevec "github.com/asg017/sqlite-vec-go-bindings/cgo"
	"github.com/philippgille/chromem-go"

	"referent/rag/vector"
)

// ourVectors is one encoded block, as a segment holds it.
func ourVectors(stored [][]float32) (*vector.Index, []byte, error) {
	chunks, rows := make([]int64, len(stored)), make([]vector.Row, len(stored))
	for i, v := range stored {
		chunks[i] = int64(i + 1)
		rows[i] = vector.Row{Chunk: chunks[i], V: v}
	}
	b, refused := vector.NewBlock(chunks, dimensions).With(rows)
	if refused > 0 {
		return nil, nil, fmt.Errorf("%d vectors were refused", refused)
	}
	data := vector.Encode(chunks, dimensions, []*vector.Block{b})
	if b, err := vector.Parse(data, chunks, nil); err == nil {
		return vector.NewIndex([]*vector.Block{b}), data, nil
	} else {
		return nil, nil, err
	}
}

// exact are the ten nearest by float32 products over all vectors.
func exact(stored [][]float32, q []float32) []int64 {
	var rows []float32
	scores := make([]float32, len(stored))
	const step = 1000
	for from := 0; from < len(stored); from += step {
		rows = rows[:0]
		part := stored[from:min(len(stored), from+step)]
		for _, v := range part {
			rows = append(rows, v...)
		}
		vector.Cosines(q, rows, scores[from:from+len(part)])
	}
	best := make([]int64, 0, 10)
	for range 10 {
		at := 0
		for i, s := range scores {
			if s > scores[at] {
				at = i
			}
		}
		best, scores[at] = append(best, int64(at+1)), -2
	}
	return best
}

func askVectors(x *vector.Index) func([]float32) error {
	return func(q []float32) error {
		hits, err := x.Search(context.Background(), q, nil, depth)
		if len(hits) != depth {
			err = errors.Join(err, errors.New("too few hits"))
		}
		return err
	}
}

// recall is the share of the ten nearest that an index has among its ten best.
func recall(x *vector.Index, stored, queries [][]float32) (float64, error) {
	found := 0
	for _, q := range queries {
		hits, err := x.Search(context.Background(), q, nil, depth)
		if err != nil {
			return 0, err
		}
		ids := make([]int64, 0, 10)
		for _, h := range hits[:min(10, len(hits))] {
			ids = append(ids, h.Chunk)
		}
		found += common(ids, exact(stored, q))
	}
	return float64(found) / float64(10*len(queries)), nil
}

// common counts the ids that both lists have.
func common(a, b []int64) int {
	n := 0
	for _, id := range a {
		if slices.Contains(b, id) {
			n++
		}
	}
	return n
}

// sqliteVec is sqlite-vec with float32 and the cosine metric, in memory.
func sqliteVec(stored [][]float32) (*sql.DB, error) {
	sqlitevec.Auto()
	defer sqlitevec.Cancel()
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(fmt.Sprintf("CREATE VIRTUAL TABLE v USING vec0(e float[%d] distance_metric=cosine)", dimensions)); err != nil {
		return nil, err
	}
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	insert, err := tx.Prepare("INSERT INTO v (rowid, e) VALUES (?, ?)")
	if err != nil {
		return nil, err
	}
	for i, v := range stored {
		blob, err := sqlitevec.SerializeFloat32(v)
		if err != nil {
			return nil, err
		}
		if _, err := insert.Exec(i+1, blob); err != nil {
			return nil, err
		}
	}
	return db, tx.Commit()
}

func askSqliteVec(db *sql.DB) func([]float32) error {
	return func(q []float32) error {
		blob, err := sqlitevec.SerializeFloat32(q)
		if err != nil {
			return err
		}
		rows, err := db.Query("SELECT rowid FROM v WHERE e MATCH ? AND k = ?", blob, depth)
		if err != nil {
			return err
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			n++
		}
		if n != depth {
			return errors.New("too few hits")
		}
		return rows.Err()
	}
}

// chromemIndex is chromem-go in memory.
func chromemIndex(stored [][]float32) (*chromem.Collection, error) {
	c, err := chromem.NewDB().CreateCollection("c", nil, func(context.Context, string) ([]float32, error) { return nil, errors.New("nothing is embedded here") })
	if err != nil {
		return nil, err
	}
	documents := make([]chromem.Document, len(stored))
	for i, v := range stored {
		documents[i] = chromem.Document{ID: fmt.Sprint(i + 1), Embedding: v, Content: "c"}
	}
	return c, c.AddDocuments(context.Background(), documents, runtime.NumCPU())
}

func askChromem(c *chromem.Collection) func([]float32) error {
	return func(q []float32) error {
		hits, err := c.QueryEmbedding(context.Background(), q, depth, nil, nil)
		if err == nil && len(hits) != depth {
			err = errors.New("too few hits")
		}
		return err
	}
}
