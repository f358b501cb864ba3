package storage

import (
	"fmt"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// oldestSQLite is 3.51.3: older versions can corrupt a WAL database when two
// connections write and checkpoint at the same time (the WAL-reset race).
const oldestSQLite = 3051003

// CheckSQLite refuses a SQLite library that is too old to be safe. The error
// has kind ErrSQLite.
func CheckSQLite() error {
	name, number, _ := sqlite3.Version()
	return checkSQLite(name, number)
}

func checkSQLite(name string, number int) error {
	if number >= oldestSQLite {
		return nil
	}
	return &Error{Kind: ErrSQLite, Message: fmt.Sprintf("This program was built with SQLite %s, which can damage its files.", name),
		Hint: "Build it with the SQLite that comes with it, version 3.51.3 or newer."}
}

// SQLiteVersion is the version of the library that the program is built with.
func SQLiteVersion() string {
	name, _, _ := sqlite3.Version()
	return name
}
