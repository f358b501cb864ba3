package library

import (
	"context"
	"time"

	"referent/rag"
	"referent/rag/extract"
	"referent/storage/index"
)

// Passwords keeps the passwords of protected files beyond the program's end, by
// the hash of the file's content.
type Passwords interface {
	Get(hash string) string // empty: none is known
	Keep(hash, password string) error
}

// extract has a file read, with the password that is known of it and the
// encoding that was set. The keyring is
// asked only for a file that needs one: asking can take a while, and can bring up
// a question of the system.
func (l *Library) extract(ctx context.Context, d index.Document, hash string, took *taken) (rag.Extraction, error) {
	began := time.Now()
	defer func() { took.parse = time.Since(began) }()
	file := extract.FileOptions{Password: l.password(d.Path), Encoding: d.EncodingChoice}
	ex, err := l.deps.Extract(ctx, d.Path, file)
	if err == nil && ex.Status == rag.FileNeedsPassword && file.Password == "" && l.deps.Passwords != nil {
		if file.Password = l.deps.Passwords.Get(hash); file.Password != "" {
			ex, err = l.deps.Extract(ctx, d.Path, file)
		}
	}
	took.pages = ex.Pages
	if err == nil && ex.Status.Searchable() {
		l.keepPassword(d.Path, hash)
	}
	return ex, err
}

// keepPassword hands a password that has opened its file to the keyring, if the
// person wants it there.
func (l *Library) keepPassword(path, hash string) {
	l.mu.Lock()
	keep, password := l.keep[path], l.passwords[path]
	delete(l.keep, path)
	l.mu.Unlock()
	if !keep || password == "" || l.deps.Passwords == nil {
		return
	}
	if l.deps.Passwords.Keep(hash, password) != nil {
		l.changed(Event{Kind: EventFile, Path: path, Reason: "The keyring did not take the password. You are asked for it again when the file has to be read anew."})
	}
}
