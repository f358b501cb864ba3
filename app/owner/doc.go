// Package owner makes sure that one process holds a data folder: it takes the
// folder's lock, listens on a Unix socket in it (mode 0600), and lets every
// other process of the same person be a client of the same use cases and the
// same event stream.
//
// The wire is JSON, one object a line, many calls on one connection. The method
// table in methods.go is the whole protocol; server and client both read it.
// The package decides nothing: it carries app.UseCases over a socket.
package owner
