// Package digest computes the SHA-256 of what is read or copied: model files,
// libraries, archives. Large ones take seconds, so a context ends it and a caller
// may follow it.
package digest
