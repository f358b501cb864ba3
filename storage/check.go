package storage

import (
	"context"
)

// IntegrityCheck asks SQLite to read the whole file. It returns what is wrong,
// one finding each; none when all is well.
func IntegrityCheck(ctx context.Context, db *DB) ([]string, error) {
	rows, err := db.Read.QueryContext(ctx, "PRAGMA integrity_check")
	if err != nil {
		return nil, Explain(err)
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, Explain(err)
		}
		if line != "ok" {
			found = append(found, line)
		}
	}
	return found, Explain(rows.Err())
}
