package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"referent/storage"
)

// Folder is a root that the user added.
type Folder struct {
	ID          int64
	Path        string // absolute
	Collection  int64  // the one it is shown in; 0: none
	Collections []int64
	Label       string // its own: public | restricted
	Exclude     []string
	State       string // watching | polling | offline | paused
	Reason      string // a sentence about the state; may be empty
	LastChecked time.Time
	SingleFile  bool
}

// AddFolder adds a root, or returns the one that has this path. A collection
// that the existing one is not in is added to it, and a restricted label makes
// it restricted; nothing is taken away.
func (s *Store) AddFolder(ctx context.Context, f Folder) (Folder, error) {
	label, err := checkLabel(f.Label)
	if err != nil {
		return Folder{}, err
	}
	if f.State == "" {
		f.State = "watching"
	}
	exclude, err := json.Marshal(append([]string{}, f.Exclude...))
	if err != nil {
		return Folder{}, err
	}
	var id int64
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO folders (path, label, exclude, state, reason, last_checked, single_file)
			VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO NOTHING`,
			f.Path, label, string(exclude), f.State, f.Reason, millis(f.LastChecked), f.SingleFile)
		if err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "SELECT id FROM folders WHERE path = ?", f.Path).Scan(&id); err != nil {
			return err
		}
		if label == labelRestricted {
			if _, err := tx.ExecContext(ctx, "UPDATE folders SET label = 'restricted' WHERE id = ?", id); err != nil {
				return err
			}
		}
		if f.Collection != 0 {
			if err := addMembership(ctx, tx, id, f.Collection); err != nil {
				return err
			}
		}
		_, err = relabel(ctx, tx)
		return err
	})
	if err != nil {
		return Folder{}, err
	}
	return s.folder(ctx, id)
}

func addMembership(ctx context.Context, tx *sql.Tx, folder, collection int64) error {
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM collections WHERE id = ?", collection).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return &storage.Error{Kind: ErrUnknown, Message: "There is no such collection.", Hint: "Make it first."}
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO memberships (folder, collection) VALUES (?, ?) ON CONFLICT DO NOTHING", folder, collection)
	return err
}

// Folders lists all roots by path.
func (s *Store) Folders(ctx context.Context) ([]Folder, error) {
	return collect(ctx, s.db.Read, scanFolder, selectFolder+" ORDER BY path")
}

func (s *Store) folder(ctx context.Context, id int64) (Folder, error) {
	found, err := collect(ctx, s.db.Read, scanFolder, selectFolder+" WHERE id = ?", id)
	if err != nil {
		return Folder{}, err
	}
	if len(found) == 0 {
		return Folder{}, &storage.Error{Kind: ErrUnknown, Message: "That folder is no longer in the library.", Hint: "Refresh the list."}
	}
	return found[0], nil
}

// RemoveFolder takes a root out of the library. Documents that no other root
// reaches are deleted with their text, chunks and vectors; it returns them.
func (s *Store) RemoveFolder(ctx context.Context, id int64) (documents []int64, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		documents, err = collect(ctx, tx, scanID, `SELECT document FROM placements p WHERE folder = ?
			AND NOT EXISTS (SELECT 1 FROM placements o WHERE o.document = p.document AND o.folder <> p.folder) ORDER BY document`, id)
		if err != nil {
			return err
		}
		if err := deleteDocuments(ctx, tx, documents); err != nil {
			return err
		}
		if err := mustTouch(tx.ExecContext(ctx, "DELETE FROM folders WHERE id = ?", id)); err != nil {
			return err
		}
		_, err = relabel(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return documents, s.db.Checkpoint(ctx)
}

// SetFolderState keeps what is known of a root: its state, a sentence about it
// and when it was last compared with the disk (zero: leave that time).
func (s *Store) SetFolderState(ctx context.Context, id int64, state, reason string, checked time.Time) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		return mustTouch(tx.ExecContext(ctx, `UPDATE folders SET state = ?1, reason = ?2,
			last_checked = CASE ?3 WHEN 0 THEN last_checked ELSE ?3 END WHERE id = ?4`, state, reason, millis(checked), id))
	})
}

// SetFolderCollection puts a root into exactly one collection, or into none
// (0). It returns the chunks that may no longer be found.
func (s *Store) SetFolderCollection(ctx context.Context, id, collection int64) (removed []int64, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM memberships WHERE folder = ?", id); err != nil {
			return err
		}
		if collection != 0 {
			if err := addMembership(ctx, tx, id, collection); err != nil {
				return err
			}
		}
		removed, err = relabel(ctx, tx)
		return err
	})
	return removed, err
}

// SetFolderExclude replaces a root's exclusion patterns. What they exclude
// leaves the library at the next reconcile.
func (s *Store) SetFolderExclude(ctx context.Context, id int64, exclude []string) error {
	text, err := json.Marshal(append([]string{}, exclude...))
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		return mustTouch(tx.ExecContext(ctx, "UPDATE folders SET exclude = ? WHERE id = ?", string(text), id))
	})
}

const selectFolder = `SELECT id, path, label, exclude, state, reason, last_checked, single_file,
	(SELECT json_group_array(collection ORDER BY position) FROM memberships WHERE folder = folders.id) FROM folders`

func scanFolder(rows *sql.Rows) (Folder, error) {
	var f Folder
	var exclude, collections string
	var checked int64
	if err := rows.Scan(&f.ID, &f.Path, &f.Label, &exclude, &f.State, &f.Reason, &checked, &f.SingleFile, &collections); err != nil {
		return f, err
	}
	f.LastChecked = fromMillis(checked)
	if err := json.Unmarshal([]byte(exclude), &f.Exclude); err != nil {
		return f, err
	}
	if err := json.Unmarshal([]byte(collections), &f.Collections); err != nil {
		return f, err
	}
	if len(f.Collections) > 0 {
		f.Collection = f.Collections[0]
	}
	return f, nil
}
