// Package modelfile keeps the person's folder of model files. A file that was
// downloaded or imported has a record beside it, NAME.gguf.json: which model it
// is, which roles it plays, its size and its hash, and what the hash was
// compared with. The record is what makes a file from anywhere usable beside
// the catalogue.
//
// Import takes a file through the same checks as a download: header,
// architecture, vocabulary, extents, and whether it can play the role. It copies
// under another name and renames at the end, so that half a file never has the
// name of a model. Verify reads a file again and compares.
//
// Package modelfile loads nothing and opens no connection.
package modelfile
