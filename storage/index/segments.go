package index

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"referent/storage"
)

// Segment is one part of the search index on the disk.
type Segment struct {
	ID          int64
	Analyzer    int
	Chunks      int
	WordsSize   int64
	WordsSum    uint32 // CRC-32C of the file
	Model       string // of the vectors; empty: there are none
	Vectors     int
	VectorsFile int64 // number in the name of the file of vectors; 0: there is none
	VectorsSize int64
	VectorsSum  uint32
}

// metaSegments counts the numbers that segments and their files ever got.
const metaSegments = "segments"

// Segments returns the segments that are complete, by number.
func (s *Store) Segments(ctx context.Context) ([]Segment, error) {
	scan := func(rows *sql.Rows) (Segment, error) {
		var g Segment
		err := rows.Scan(&g.ID, &g.Analyzer, &g.Chunks, &g.WordsSize, &g.WordsSum, &g.Model, &g.Vectors, &g.VectorsFile, &g.VectorsSize, &g.VectorsSum)
		return g, err
	}
	return collect(ctx, s.db.Read, scan, "SELECT id, analyzer, chunks, words_size, words_sum, model, vectors, vectors_file, vectors_size, vectors_sum FROM segments ORDER BY id")
}

// NextSegment gives a number that no segment and no file of one had before.
func (s *Store) NextSegment(ctx context.Context) (id int64, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		var last string
		err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", metaSegments).Scan(&last)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if id, _ = strconv.ParseInt(last, 10, 64); id < 0 { // a value that is no number counts from the start
			id = 0
		}
		id++
		return setMeta(ctx, tx, metaSegments, strconv.FormatInt(id, 10))
	})
	return id, err
}

// CommitSegments puts segments whose files are complete into the list, or
// brings them up to date, and takes others off it, in one step. When it returns,
// the list survives a power cut: files that are off it may be deleted.
func (s *Store) CommitSegments(ctx context.Context, put []Segment, remove []int64) error {
	return s.db.UpdateDurably(ctx, func(tx *sql.Tx) error {
		for _, id := range remove {
			if _, err := tx.ExecContext(ctx, "DELETE FROM segments WHERE id = ?", id); err != nil {
				return err
			}
		}
		for _, g := range put {
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO segments (id, analyzer, chunks, words_size, words_sum, model, vectors, vectors_file, vectors_size, vectors_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				g.ID, g.Analyzer, g.Chunks, g.WordsSize, int64(g.WordsSum), g.Model, g.Vectors, g.VectorsFile, g.VectorsSize, int64(g.VectorsSum)); err != nil {
				return err
			}
		}
		return nil
	})
}

// IntegrityCheck asks SQLite to read the whole file and returns what it found
// wrong, one sentence each; none when all is well.
func (s *Store) IntegrityCheck(ctx context.Context) ([]string, error) {
	return storage.IntegrityCheck(ctx, s.db)
}
