// Package index is the file index.db: collections, folders, documents with
// their text, chunks and parents, vectors and token counts. It is the truth
// that every search structure is built from.
//
// Words: a folder is a root that the user added; the ledger is what is known of
// each file on the disk; a verdict is the last final status of a file. Content
// goes in by one transaction a document (Replace). A chunk keeps its number
// while its header and text stay; vectors and token counts belong to the
// content hash, so that a rename, a move or a second collection computes
// nothing again.
//
// Restricted documents are listed and their text can be read here; their
// chunks are never handed to a search and they have no vectors. Package index
// knows neither file formats nor models.
package index
