// Package storage opens the two SQLite files of a data folder and keeps them
// safe: connections and pragmas, ordered migrations with a backup before each
// change of schema, the lock of the data folder, private file modes, and errors
// with a sentence for people. The rooms below it own the tables: chats (what
// was said) and index (what was read).
//
// Words: a data folder belongs to one process at a time, its owner. A DB has
// one writer connection and a pool of readers. A schema version is the number
// of the last migration that ran.
//
// Package storage imports nothing of ours. A transaction never spans two files.
package storage
