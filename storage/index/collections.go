package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"referent/storage"
)

// Labels.
const (
	labelPublic     = "public"
	labelRestricted = "restricted"
)

// Kinds of refusal that callers tell apart with errors.Is.
var (
	ErrNameTaken = errors.New("the name is taken")
	ErrUnknown   = errors.New("there is no such row")
	ErrInvalid   = errors.New("the value is not valid")
)

// Collection is a named set of folders and files.
type Collection struct {
	ID      int64
	Name    string
	Label   string // public | restricted
	Created time.Time
}

// CreateCollection makes a collection. Errors: ErrNameTaken, ErrInvalid.
func (s *Store) CreateCollection(ctx context.Context, name, label string) (Collection, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return Collection{}, &storage.Error{Kind: ErrInvalid, Message: "A collection needs a name."}
	}
	label, err := checkLabel(label)
	if err != nil {
		return Collection{}, err
	}
	c := Collection{Name: name, Label: label, Created: time.UnixMilli(time.Now().UnixMilli())}
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := nameFree(ctx, tx, name, 0); err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx, "INSERT INTO collections (name, label, created) VALUES (?, ?, ?)", name, label, millis(c.Created))
		if err != nil {
			return err
		}
		c.ID, err = r.LastInsertId()
		return err
	})
	return c, err
}

// Collections lists all collections by name.
func (s *Store) Collections(ctx context.Context) ([]Collection, error) {
	return collect(ctx, s.db.Read, scanCollection, "SELECT id, name, label, created FROM collections ORDER BY name, id")
}

// CollectionByName finds a collection; false when there is none.
func (s *Store) CollectionByName(ctx context.Context, name string) (Collection, bool, error) {
	found, err := collect(ctx, s.db.Read, scanCollection, "SELECT id, name, label, created FROM collections WHERE name = ?", strings.TrimSpace(name))
	if err != nil || len(found) == 0 {
		return Collection{}, false, err
	}
	return found[0], true, nil
}

// RenameCollection gives a collection a new name. Errors: ErrNameTaken,
// ErrInvalid, ErrUnknown.
func (s *Store) RenameCollection(ctx context.Context, id int64, name string) error {
	name = strings.TrimSpace(name)
	if name == "" {
		return &storage.Error{Kind: ErrInvalid, Message: "A collection needs a name."}
	}
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := nameFree(ctx, tx, name, id); err != nil {
			return err
		}
		return mustTouch(tx.ExecContext(ctx, "UPDATE collections SET name = ? WHERE id = ?", name, id))
	})
}

// DeleteCollection removes the set; its folders and files stay in the library.
// What only this collection restricted becomes public again, so a front asks
// before it deletes a restricted one.
func (s *Store) DeleteCollection(ctx context.Context, id int64) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := mustTouch(tx.ExecContext(ctx, "DELETE FROM collections WHERE id = ?", id)); err != nil {
			return err
		}
		_, err := relabel(ctx, tx)
		return err
	})
}

// SetCollectionLabel changes the label of everything in a collection. It
// returns the chunks that may no longer be found.
func (s *Store) SetCollectionLabel(ctx context.Context, id int64, label string) (removed []int64, err error) {
	return s.setLabel(ctx, "UPDATE collections SET label = ? WHERE id = ?", id, label)
}

func nameFree(ctx context.Context, tx *sql.Tx, name string, except int64) error {
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM collections WHERE name = ? AND id <> ?", name, except).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return &storage.Error{Kind: ErrNameTaken, Message: fmt.Sprintf("There is a collection %q already.", name), Hint: "Choose another name."}
	}
	return nil
}

func scanCollection(rows *sql.Rows) (Collection, error) {
	var c Collection
	var created int64
	err := rows.Scan(&c.ID, &c.Name, &c.Label, &created)
	c.Created = fromMillis(created)
	return c, err
}

// checkLabel reads an empty label as public.
func checkLabel(label string) (string, error) {
	switch label {
	case "", labelPublic:
		return labelPublic, nil
	case labelRestricted:
		return labelRestricted, nil
	}
	return "", &storage.Error{Kind: ErrInvalid, Message: fmt.Sprintf("There is no label %q.", label), Hint: "Labels: public, restricted."}
}

// mustTouch turns "no row changed" into ErrUnknown.
func mustTouch(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return &storage.Error{Kind: ErrUnknown, Message: "That is no longer in the library.", Hint: "Refresh the list."}
	}
	return nil
}
