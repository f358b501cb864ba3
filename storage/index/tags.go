package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Tag is a tag with the number of public documents that bear it.
type Tag struct {
	Name      string
	Documents int
}

// NormalTag is the form in which tags are kept and compared: NFC, small letters,
// single spaces, none around.
func NormalTag(tag string) string {
	return norm.NFC.String(strings.Join(strings.Fields(strings.ToLower(tag)), " "))
}

// AddTags gives documents tags, which are in normal form; those that a document
// has stay. It returns the documents that changed.
func (s *Store) AddTags(ctx context.Context, documents []int64, tags []string) ([]int64, error) {
	return s.changeTags(ctx, `INSERT INTO tags (document, tag) SELECT ?1, value FROM json_each(?2) WHERE true
		ON CONFLICT DO NOTHING`, documents, tags)
}

// RemoveTags takes tags from documents. It returns the documents that changed.
func (s *Store) RemoveTags(ctx context.Context, documents []int64, tags []string) ([]int64, error) {
	return s.changeTags(ctx, "DELETE FROM tags WHERE document = ?1 AND tag IN (SELECT value FROM json_each(?2))", documents, tags)
}

// SetTags gives a document exactly these tags, which are in normal form. It tells
// whether that changed anything.
func (s *Store) SetTags(ctx context.Context, document int64, tags []string) (changed bool, err error) {
	list, err := json.Marshal(append([]string{}, tags...))
	if err != nil {
		return false, err
	}
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		for _, change := range []string{
			"DELETE FROM tags WHERE document = ?1 AND tag NOT IN (SELECT value FROM json_each(?2))",
			"INSERT INTO tags (document, tag) SELECT ?1, value FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING",
		} {
			r, err := tx.ExecContext(ctx, change, document, string(list))
			if err != nil {
				return err
			}
			n, err := r.RowsAffected()
			if err != nil {
				return err
			}
			changed = changed || n > 0
		}
		return nil
	})
	return changed, err
}

// DocumentTags returns the tags of documents, sorted. One without any is not in
// the map.
func (s *Store) DocumentTags(ctx context.Context, documents []int64) (map[int64][]string, error) {
	list, err := idList(documents)
	if err != nil {
		return nil, err
	}
	tags := map[int64][]string{}
	err = each(ctx, s.db.Read, scanTag, func(t documentTag) error { tags[t.document] = append(tags[t.document], t.tag); return nil },
		"SELECT document, tag FROM tags WHERE document IN (SELECT value FROM json_each(?)) ORDER BY document, tag", list)
	return tags, err
}

func (s *Store) changeTags(ctx context.Context, change string, documents []int64, tags []string) (changed []int64, err error) {
	list, err := json.Marshal(tags)
	if err != nil {
		return nil, err
	}
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		for _, id := range documents {
			r, err := tx.ExecContext(ctx, change, id, string(list))
			if err != nil {
				return err
			}
			if n, err := r.RowsAffected(); err != nil {
				return err
			} else if n > 0 {
				changed = append(changed, id)
			}
		}
		return nil
	})
	return changed, err
}

// Tags lists the tags of the documents at or below a path (empty: of all), by
// name. Restricted and vanished documents do not count.
func (s *Store) Tags(ctx context.Context, under string) ([]Tag, error) {
	where, args := DocumentQuery{PathUnder: under, Label: labelPublic}.where()
	return collect(ctx, s.db.Read, func(rows *sql.Rows) (t Tag, err error) {
		err = rows.Scan(&t.Name, &t.Documents)
		return t, err
	}, "SELECT t.tag, count(*) FROM tags t JOIN documents d ON d.id = t.document "+where+" GROUP BY t.tag ORDER BY t.tag", args...)
}
