package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/simple"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"
	_ "github.com/mattn/go-sqlite3"

	"referent/rag/lexical"
)

// depth is the hits that every engine returns.
const depth = 100

// ours is the word index, in segments as the program makes them.
func ours(chunks [][]uint32) *lexical.Index {
	var blocks []*lexical.Block
	const portion = 4096
	var small []*lexical.Block
	for from := 0; from < len(chunks); from += portion {
		entries := make([]lexical.Entry, 0, portion)
		for i, ranks := range chunks[from:min(len(chunks), from+portion)] {
			entries = append(entries, lexical.Entry{Chunk: int64(from + i + 1), Language: "pl", Text: textOf(ranks)})
		}
		if small = append(small, lexical.Build(entries)); len(small) == lexical.MaxBlock/portion {
			blocks, small = append(blocks, lexical.Merge(small, nil)), nil
		}
	}
	if len(small) > 0 {
		blocks = append(blocks, lexical.Merge(small, nil))
	}
	return lexical.NewIndex(blocks)
}

func askOurs(x *lexical.Index) func([]string) error {
	return func(q []string) error {
		hits, err := x.Search(context.Background(), lexical.NewQuery(strings.Join(q, " "), []string{"pl"}), nil, depth)
		if len(hits) == 0 {
			err = errors.Join(err, errors.New("no hits"))
		}
		return err
	}
}

// fts5 is SQLite's index: contentless, detail full (without it bm25 is zero
// everywhere), optimized.
func fts5(cache string, chunks [][]uint32) (*sql.DB, error) {
	path := filepath.Join(cache, fmt.Sprintf("fts5-%d.db", len(chunks)))
	_, err := os.Stat(path)
	fresh := err != nil
	db, err := sql.Open("sqlite3", path+"?_cache_size=-65536&_journal_mode=OFF&_synchronous=OFF")
	if err != nil || !fresh {
		return db, err
	}
	db.SetMaxOpenConns(1)
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	if _, err := tx.Exec("CREATE VIRTUAL TABLE t USING fts5(body, content='', contentless_delete=1, tokenize='ascii', detail=full)"); err != nil {
		return nil, err
	}
	insert, err := tx.Prepare("INSERT INTO t (rowid, body) VALUES (?, ?)")
	if err != nil {
		return nil, err
	}
	for i, ranks := range chunks {
		if _, err := insert.Exec(i+1, textOf(ranks)); err != nil {
			return nil, err
		}
	}
	if _, err := tx.Exec("INSERT INTO t (t) VALUES ('optimize')"); err != nil {
		return nil, err
	}
	return db, tx.Commit()
}

func askFTS5(db *sql.DB) func([]string) error {
	return func(q []string) error {
		rows, err := db.Query("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", `"`+strings.Join(q, `" OR "`)+`"`, depth)
		if err != nil {
			return err
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			n++
		}
		if n == 0 {
			return errors.New("no hits")
		}
		return rows.Err()
	}
}

// bleveIndex is bleve's scorch with BM25, one field, nothing stored.
func bleveIndex(cache string, chunks [][]uint32) (bleve.Index, error) {
	path := filepath.Join(cache, fmt.Sprintf("bleve-%d", len(chunks)))
	done := path + ".done"
	if _, err := os.Stat(done); err == nil {
		return bleve.Open(path)
	}
	if err := os.RemoveAll(path); err != nil {
		return nil, err
	}
	field := bleve.NewTextFieldMapping()
	field.Store, field.IncludeTermVectors, field.DocValues, field.IncludeInAll, field.Analyzer = false, false, false, false, simple.Name
	doc := mapping.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("b", field)
	m := bleve.NewIndexMapping()
	m.DefaultMapping, m.ScoringModel = doc, "bm25"
	x, err := bleve.NewUsing(path, m, scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, err
	}
	batch := x.NewBatch()
	for i, ranks := range chunks {
		if err := batch.Index(fmt.Sprint(i+1), map[string]string{"b": textOf(ranks)}); err != nil {
			return nil, err
		}
		if batch.Size() == 1000 || i == len(chunks)-1 {
			if err := x.Batch(batch); err != nil {
				return nil, err
			}
			batch = x.NewBatch()
		}
	}
	return x, os.WriteFile(done, nil, 0o600)
}

func askBleve(x bleve.Index) func([]string) error {
	return func(q []string) error {
		var terms []query.Query
		for _, word := range q {
			t := bleve.NewTermQuery(word)
			t.SetField("b")
			terms = append(terms, t)
		}
		r, err := x.Search(bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(terms...), depth, 0, false))
		if err == nil && len(r.Hits) == 0 {
			err = errors.New("no hits")
		}
		return err
	}
}
