package index

import (
	"context"
	"database/sql"
)

// OutdatedFile is a file whose stored text or passages were made by another
// version of the extractor or the chunker.
type OutdatedFile struct {
	Document int64
	Kind     string
	Size     int64 // bytes
	Chunks   int
}

// Outdated lists the files that can be found and were made by other versions than
// these. Files of folders that are offline, or whose path vanished, are left out.
func (s *Store) Outdated(ctx context.Context, extractorVersion, chunkerVersion int) ([]OutdatedFile, error) {
	scan := func(rows *sql.Rows) (OutdatedFile, error) {
		var f OutdatedFile
		err := rows.Scan(&f.Document, &f.Kind, &f.Size, &f.Chunks)
		return f, err
	}
	return collect(ctx, s.db.Read, scan, `SELECT d.id, d.kind, d.size, d.chunk_count FROM documents d
		WHERE d.status IN ('indexed', 'partly_indexed') AND d.missing_at IS NULL AND (d.extractor_version <> ? OR d.chunker_version <> ?)
		AND EXISTS (SELECT 1 FROM placements p JOIN folders f ON f.id = p.folder WHERE p.document = d.id AND f.state <> 'offline')
		ORDER BY d.id`, extractorVersion, chunkerVersion)
}
